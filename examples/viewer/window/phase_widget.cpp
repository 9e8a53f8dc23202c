// phase_widget.cpp - how the phases of a cloth are solved, as sliders.
#include "window/panels.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

// A field of clothc_phase_config, with the range that clothc.h states.
struct PhaseField {
  const char* name;
  float clothc_phase_config::*value;
  float least, most;
  const char* explanation;
};

constexpr PhaseField FIELDS[] = {
    {"stiffness", &clothc_phase_config::stiffness, 0, 1, "0 = the phase is not solved."},
    {"stiffness_multiplier", &clothc_phase_config::stiffness_multiplier, 0, 1,
     "Of the soft zone between the two limits; 1 = there is none."},
    {"compression_limit", &clothc_phase_config::compression_limit, 0.01f, 1,
     "Length / rest length at which the soft zone ends under compression."},
    {"stretch_limit", &clothc_phase_config::stretch_limit, 1, 100,
     "Length / rest length at which the soft zone ends under stretch."},
};

// The number of the phase and its type, if it has pairs of particles.
std::string phase_name(const SourceCloth& cloth, uint32_t phase) {
  const std::string number = std::to_string(phase);
  for (const Topology::Phase& known : cloth.topology->phases) {
    if (known.name.compare(0, number.size() + 1, number + " ") == 0) return known.name;
  }
  return number + " constraints of more than two particles";
}

bool draw_field(Items& items, const PhaseField& field, const std::string& item, clothc_phase_config& config,
                const clothc_phase_config& opened) {
  ImGui::PushID(field.name);
  ImGui::BeginGroup();
  float& value = config.*field.value;
  const float before = opened.*field.value;
  const float width = ImGui::GetContentRegionAvail().x * PARAMETER_WIDTH;
  ImGui::SetNextItemWidth(width);
  bool has_changed =
      ImGui::SliderFloat("##value", &value, field.least, field.most, "%.4g",
                         ImGuiSliderFlags_AlwaysClamp | (field.most > 10 ? ImGuiSliderFlags_Logarithmic : 0));
  items.mark(item + "." + field.name);
  ImGui::SameLine(0, ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(value != before ? palette::CHANGED : value == 1 ? palette::DIM : palette::TEXT, "%s", field.name);
  ImGui::EndGroup();
  if (ImGui::BeginPopupContextItem("menu")) {
    const std::string offers[] = {"Default  1", formatted("As opened  %.6g", static_cast<double>(before))};
    for (int i = 0; i < 2; ++i) {
      const float offered = i == 0 ? 1 : before;
      if (!ImGui::MenuItem(offers[i].c_str(), nullptr, false, value != offered)) continue;
      value = offered;
      has_changed = true;
    }
    ImGui::EndPopup();
  }
  if (!ImGui::IsAnyItemActive()) explain(field.explanation);
  ImGui::PopID();
  return has_changed;
}

}  // namespace

void draw_phases(Session& session) {
  const SourceCloth& cloth = session.source().cloths().at(session.selected_cloth);
  std::vector<clothc_phase_config> configs = session.phases(session.selected_cloth);
  const std::vector<clothc_phase_config>& opened = session.opened_phases(session.selected_cloth);
  bool has_changed = false;
  for (size_t i = 0; i < configs.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    ImGui::TextColored(palette::ACCENT, "%s", phase_name(cloth, configs[i].phase).c_str());
    const clothc_phase_config& before = i < opened.size() ? opened[i] : configs[i];
    const std::string item = "phase." + std::to_string(i);
    for (const PhaseField& field : FIELDS) has_changed |= draw_field(session.items, field, item, configs[i], before);
    ImGui::PopID();
  }
  if (configs.empty()) draw_note("It solves no phases.");
  if (has_changed) session.set_phases(session.selected_cloth, configs);
}

}  // namespace clothc_viewer
