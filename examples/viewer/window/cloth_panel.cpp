// cloth_panel.cpp - the parameters of the cloths, made from what the library says of them.
#include "window/panels.h"
#include "window/parameters.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

struct Filter {
  ImGuiTextFilter text;
  bool only_changed = false;

  // Changes go to all cloths.
  bool to_all = false;
};

void draw_choice_of_cloth(Session& session) {
  const auto& cloths = session.source().cloths();
  const auto label = [&](size_t i) { return std::to_string(i + 1) + "  " + cloths[i].name; };
  ImGui::SetNextItemWidth(-1);
  if (ImGui::BeginCombo("##cloth", label(session.selected_cloth).c_str())) {
    for (size_t i = 0; i < cloths.size(); ++i) {
      if (ImGui::Selectable(label(i).c_str(), i == session.selected_cloth)) session.selected_cloth = i;
    }
    ImGui::EndCombo();
  }
  session.items.mark("cloth");
}

void draw_filter(Session& session, Filter& filter) {
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputTextWithHint("##filter", "find a parameter", filter.text.InputBuf, sizeof filter.text.InputBuf))
    filter.text.Build();
  session.items.mark("filter");
  ImGui::Checkbox("only what differs from defaults", &filter.only_changed);
  session.items.mark("only_changed");
  if (session.scene() && session.source().cloths().size() > 1) {
    ImGui::Checkbox("change all cloths", &filter.to_all);
    session.items.mark("to_all");
  }
}

void draw_legend(bool is_fixed) {
  ImGui::TextColored(palette::DIM, "default");
  ImGui::SameLine();
  ImGui::TextColored(palette::TEXT, is_fixed ? "set by the program" : "set by the scene");
  ImGui::SameLine();
  ImGui::TextColored(palette::CHANGED, is_fixed ? "changed by it since" : "changed here");
}

void apply(Session& session, const Parameter& parameter, const clothc_cloth_parameters& changed, bool to_all) {
  for (size_t i = 0; i < session.source().cloths().size(); ++i) {
    if (!to_all && i != session.selected_cloth) continue;
    clothc_cloth_parameters parameters = session.parameters(i);
    parameter.copy(changed, parameters);
    session.set_parameters(i, parameters);
  }
}

void draw_parameters(Session& session, const Filter& filter) {
  clothc_cloth_parameters parameters = session.parameters(session.selected_cloth);
  const clothc_cloth_parameters& opened = session.opened_parameters(session.selected_cloth);
  size_t count = 0;
  for (const Parameter& parameter : all_parameters()) {
    if (!filter.text.PassFilter(parameter.info.name)) continue;
    if (filter.only_changed && parameter.is_equal(parameters, default_parameters())) continue;
    ++count;
    if (draw_parameter(session.items, parameter, parameters, opened))
      apply(session, parameter, parameters, filter.to_all);
  }
  if (count == 0) draw_note("No parameter is like that.");
}

}  // namespace

void draw_cloth_panel(Session& session) {
  static Filter filter;
  if (!session.is_open() || session.source().cloths().empty()) {
    draw_note("There is no cloth.");
    return;
  }
  session.selected_cloth = std::min(session.selected_cloth, session.source().cloths().size() - 1);
  draw_choice_of_cloth(session);
  draw_filter(session, filter);
  const bool is_fixed = session.scene() == nullptr;
  draw_legend(is_fixed);
  ImGui::Separator();
  ImGui::BeginChild("parameters");
  session.items.mark_window("parameters");
  ImGui::BeginDisabled(is_fixed);
  draw_parameters(session, filter);
  ImGui::EndDisabled();
  if (ImGui::CollapsingHeader("Phases")) {
    ImGui::BeginDisabled(is_fixed);
    draw_phases(session);
    ImGui::EndDisabled();
  }
  session.items.mark("phases");
  ImGui::EndChild();
}

}  // namespace clothc_viewer
