// panels.cpp - divides the window among the bar, the sidebar and the picture.
#include "window/panels.h"

#include <algorithm>
#include <iterator>

#include "window/style.h"

namespace clothc_viewer {
namespace {

constexpr ImGuiWindowFlags FIXED = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoBringToFrontOnFocus |
                                   ImGuiWindowFlags_NoSavedSettings;

struct Tab {
  const char* title;
  void (*draw)(Session&);
};

// By Panel.
constexpr Tab TABS[] = {{"Scene", draw_scene_panel}, {"Cloth", draw_cloth_panel}, {"Show", draw_show_panel},
                        {"Wind", draw_wind_panel},   {"Times", draw_times_panel}, {"Keys", draw_keys_panel}};
static_assert(std::size(TABS) == std::size(PANEL_NAMES), "each panel has a tab and a name");

// The whole window where it is so narrow that the picture would have no room beside it.
float sidebar_width(ImVec2 window) {
  const float width = std::clamp(0.3f * window.x, scaled(365), scaled(480));
  return window.x < 1.5f * width ? window.x : width;
}

// A window that becomes so narrow shows the picture first.
void adapt_to_width(Session& session, ImVec2 window) {
  const bool is_narrow = sidebar_width(window) == window.x;
  if (is_narrow != session.is_narrow) session.shows_sidebar = !is_narrow;
  session.is_narrow = is_narrow;
}

void draw_sidebar(Session& session, ImVec2 position, ImVec2 size) {
  ImGui::SetNextWindowPos(position);
  ImGui::SetNextWindowSize(size);
  ImGui::Begin("sidebar", nullptr, FIXED);
  session.items.mark_window("sidebar");
  // Six tabs must find room.
  const ImVec2 padding = {scaled(5), ImGui::GetStyle().FramePadding.y};
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
  const bool has_tabs = ImGui::BeginTabBar("tabs");
  ImGui::PopStyleVar();
  if (has_tabs) {
    const Panel panel = session.panel;
    for (size_t i = 0; i < std::size(TABS); ++i) {
      // A tab that was chosen by a key or a script is opened once; afterwards the tab bar knows itself.
      const bool is_asked_for = panel == static_cast<Panel>(i) && session.take_panel_request();
      ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, padding);
      const bool is_open =
          ImGui::BeginTabItem(TABS[i].title, nullptr, is_asked_for ? ImGuiTabItemFlags_SetSelected : 0);
      ImGui::PopStyleVar();
      session.items.mark(std::string("tab.") + PANEL_NAMES[i]);
      if (!is_open) continue;
      session.panel = static_cast<Panel>(i);
      ImGui::BeginChild("panel");
      session.items.mark_window("panel");
      TABS[i].draw(session);
      ImGui::EndChild();
      ImGui::EndTabItem();
    }
    ImGui::EndTabBar();
  }
  ImGui::End();
}

}  // namespace

void draw_panels(Session& session) {
  const ImVec2 window = ImGui::GetIO().DisplaySize;
  const ImGuiStyle& style = ImGui::GetStyle();
  const float bar = ImGui::GetFrameHeight() + 2 * style.WindowPadding.y;
  adapt_to_width(session, window);
  const float width = session.shows_sidebar ? sidebar_width(window) : 0;
  draw_toolbar(session, {0, 0}, {window.x, bar});
  if (session.shows_sidebar) draw_sidebar(session, {window.x - width, bar}, {width, window.y - bar});
  session.view.set_area(window, {0, bar}, {window.x - width, window.y});
  draw_canvas(session);
}

}  // namespace clothc_viewer
