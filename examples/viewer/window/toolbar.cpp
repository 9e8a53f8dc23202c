// toolbar.cpp - the bar at the top of the window.
#include <algorithm>
#include <iterator>

#include "window/panels.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

struct Speed {
  const char* name;
  float factor;
};
constexpr Speed SPEEDS[] = {{"real time", 1}, {"1/2", 0.5f}, {"1/4", 0.25f}, {"1/10", 0.1f}, {"each frame", 0}};

void draw_transport(Session& session) {
  const bool is_open = session.is_open();
  const bool is_playing = session.playback.is_playing;
  if (draw_icon_button("##play", is_playing ? Icon::pause : Icon::play, "Plays or pauses (space)", is_open))
    session.toggle_play();
  session.items.mark("play");
  ImGui::SameLine();
  if (draw_icon_button("##step", Icon::step, "Makes one update (. or right arrow)", is_open)) session.step_once();
  session.items.mark("step");
  ImGui::SameLine();
  if (draw_icon_button("##reset", Icon::reset, "Goes back to the start (R)", is_open)) session.reset();
  session.items.mark("reset");
}

void draw_speed(Session& session) {
  const auto* const current = std::find_if(std::begin(SPEEDS), std::end(SPEEDS),
                                           [&](const Speed& speed) { return speed.factor == session.playback.speed; });
  ImGui::SetNextItemWidth(scaled(112));
  if (ImGui::BeginCombo("##speed", current == std::end(SPEEDS) ? "" : current->name)) {
    for (const Speed& speed : SPEEDS) {
      if (ImGui::Selectable(speed.name, &speed == current)) session.playback.speed = speed.factor;
    }
    ImGui::EndCombo();
  }
  session.items.mark("speed");
  explain("How fast the scene plays. \"each frame\" makes one update for every frame that is drawn.");
}

// Seconds that the last jump through a capture may have taken for the next one to be made while the mouse is moving.
constexpr double QUICK_JUMP = 0.1;

void draw_scrub_bar(Session& session, float width) {
  static int target = 1;
  const CaptureSource& capture = *session.capture();
  if (!ImGui::IsAnyItemActive()) target = static_cast<int>(capture.frame());
  ImGui::SetNextItemWidth(width);
  const std::string format = "frame %d of " + std::to_string(capture.frame_count());
  const bool has_moved = ImGui::SliderInt("##frame", &target, 1, static_cast<int>(capture.frame_count()),
                                          format.c_str(), ImGuiSliderFlags_AlwaysClamp);
  session.items.mark("scrub");
  // To go back, all of the capture before is played.
  const bool is_quick = session.jump_seconds() < QUICK_JUMP;
  if ((has_moved && is_quick) || ImGui::IsItemDeactivatedAfterEdit()) session.go_to(static_cast<uint32_t>(target));
  explain("Drag to go to a frame of the capture.");
}

void draw_frame_counter(Session& session) {
  Source& source = session.source();
  ImGui::AlignTextToFramePadding();
  ImGui::Text("frame %u", source.frame());
  explain("Updates since the start. The scene's animations last for " + std::to_string(source.frame_count()) +
          " frames of " + formatted("%.4g", 1000 * static_cast<double>(source.dt())) + " ms.");
  ImGui::SameLine();
  ImGui::TextColored(palette::DIM, "of %u, %.2f s", source.frame_count(),
                     static_cast<double>(source.frame()) * static_cast<double>(source.dt()));
}

}  // namespace

void draw_toolbar(Session& session, ImVec2 position, ImVec2 size) {
  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("toolbar", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus);
  session.items.mark_window("toolbar");
  draw_transport(session);
  // A narrow window has no room for everything.
  if (size.x >= scaled(440)) {
    ImGui::SameLine(0, scaled(14));
    draw_speed(session);
  }
  const float switch_width = ImGui::GetFrameHeight() * 1.25f;
  const float switch_begin = size.x - ImGui::GetStyle().WindowPadding.x - switch_width;
  if (session.is_open()) {
    ImGui::SameLine(0, scaled(14));
    if (session.capture()) {
      draw_scrub_bar(session, switch_begin - ImGui::GetCursorPosX() - scaled(14));
    } else {
      draw_frame_counter(session);
    }
  }
  ImGui::SameLine(switch_begin);
  if (draw_icon_button("##sidebar", Icon::sidebar, "Shows or hides the panels (P)"))
    session.shows_sidebar = !session.shows_sidebar;
  session.items.mark("sidebar_switch");
  ImGui::End();
}

}  // namespace clothc_viewer
