// gestures.cpp - see gestures.h.
#include "window/gestures.h"

#include <cmath>

#include "window/keys.h"

namespace clothc_viewer {
namespace {

// Degrees that the camera turns when the mouse crosses the window's height.
constexpr float DEGREES_PER_HEIGHT = 220;

// Of the distance for each step of the wheel.
constexpr float ZOOM_PER_STEP = 0.88f;

// m/s for an arrow as long as the window is high.
constexpr float SPEED_PER_HEIGHT = 25;

}  // namespace

void Gestures::handle(Session& session) {
  const ImGuiIO& io = ImGui::GetIO();
  if (kind_ == Kind::none && !io.WantCaptureMouse && session.is_open()) {
    for (int button = 0; button < 3; ++button) {
      if (kind_ == Kind::none && ImGui::IsMouseClicked(button)) begin(session, button);
    }
    if (io.MouseWheel != 0) session.orbit.zoom(std::pow(ZOOM_PER_STEP, io.MouseWheel));
  }
  if (kind_ == Kind::none) return;
  if (ImGui::IsMouseDown(button_)) {
    go_on(session);
  } else {
    end(session);
  }
}

void Gestures::begin(Session& session, int button) {
  button_ = button;
  if (button == ImGuiMouseButton_Middle || ImGui::GetIO().KeyShift) {
    kind_ = Kind::move;
  } else if (button == ImGuiMouseButton_Left && is_wind_key_down() && session.scene()) {
    kind_ = Kind::blow;
  } else if (button == ImGuiMouseButton_Left && session.grab(ImGui::GetIO().MousePos)) {
    kind_ = Kind::pull;
  } else {
    kind_ = Kind::turn;
  }
}

void Gestures::go_on(Session& session) {
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 moved = io.MouseDelta;
  const float height = session.view.window().y;
  switch (kind_) {
    case Kind::turn:
      session.orbit.turn(-moved.x / height * DEGREES_PER_HEIGHT, moved.y / height * DEGREES_PER_HEIGHT);
      break;
    case Kind::move:
      session.orbit.move({-moved.x / height, -moved.y / height});
      break;
    case Kind::pull:
      session.pull_to(io.MousePos);
      break;
    case Kind::blow: {
      const clothc_renderer::Camera camera = session.orbit.camera();
      const ImVec2 from = io.MouseClickedPos[button_];
      const glm::vec3 along = camera.right() * (io.MousePos.x - from.x) - camera.up() * (io.MousePos.y - from.y);
      session.set_wind(session.steady_wind(), along * (SPEED_PER_HEIGHT / height));
      break;
    }
    case Kind::none:
      break;
  }
}

void Gestures::end(Session& session) {
  if (kind_ == Kind::pull) session.release();
  if (kind_ == Kind::blow) session.set_wind(session.steady_wind(), {});
  kind_ = Kind::none;
}

}  // namespace clothc_viewer
