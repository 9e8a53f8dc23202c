// wind_panel.cpp - the steady wind that the user adds to the scene's.
#include <algorithm>
#include <cmath>

#include "window/panels.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

constexpr float MOST_SPEED = 30;

}  // namespace

void draw_wind_panel(Session& session) {
  if (!session.scene()) {
    draw_note(session.is_open() ? "A capture plays with the wind of the recorded program." : "There is no cloth.");
    return;
  }
  draw_heading("Steady wind");
  glm::vec3 wind = session.steady_wind();
  const char* const names[] = {"x", "y", "z"};
  for (int k = 0; k < 3; ++k) {
    const std::string label = std::string(names[k]) + "  m/s";
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x * 0.75f);
    ImGui::SliderFloat(label.c_str(), &wind[k], -MOST_SPEED, MOST_SPEED, "%.2f");
    session.items.mark(std::string("wind.") + names[k]);
  }
  if (ImGui::Button("Calm")) wind = {};
  session.items.mark("wind.calm");
  session.set_wind(wind, session.gust());
  ImGui::SameLine();
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(palette::DIM, "%.1f m/s in all", static_cast<double>(glm::length(wind)));
  draw_note(
      "It is added to the scene's own wind. Cloths without drag and lift get those of a flag while it blows. y points "
      "up.");
  draw_heading("Gusts");
  draw_note("Hold W and drag over the picture: while the button is down, a wind blows along the arrow.");
}

}  // namespace clothc_viewer
