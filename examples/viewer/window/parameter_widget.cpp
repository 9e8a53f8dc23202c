// parameter_widget.cpp - the slider, box or boxes of one parameter.
#include <iterator>

#include "window/panels.h"
#include "window/parameters.h"
#include "window/widgets.h"

namespace clothc_viewer {
namespace {

ImGuiSliderFlags slider_flags(const Parameter& parameter) {
  return ImGuiSliderFlags_AlwaysClamp | (parameter.is_wide() ? ImGuiSliderFlags_Logarithmic : 0);
}

// Single sliders have room for the unit.
std::string format_of(const Parameter& parameter, const char* number) {
  return parameter.component_count > 1 || parameter.unit.empty() ? number : number + (" " + parameter.unit);
}

bool draw_floats(const Parameter& parameter, clothc_cloth_parameters& parameters) {
  const auto least = static_cast<float>(parameter.info.least), most = static_cast<float>(parameter.info.most);
  const std::string format = format_of(parameter, parameter.component_count > 1 ? "%.3g" : "%.4g");
  return ImGui::SliderScalarN("##value", ImGuiDataType_Float, parameter.floats(parameters),
                              static_cast<int>(parameter.component_count), &least, &most, format.c_str(),
                              slider_flags(parameter));
}

bool draw_count(const Parameter& parameter, clothc_cloth_parameters& parameters) {
  uint32_t& value = parameter.number(parameters);
  if (parameter.is_mask()) {
    return ImGui::InputScalar("##value", ImGuiDataType_U32, &value, nullptr, nullptr, "%08X",
                              ImGuiInputTextFlags_CharsHexadecimal | ImGuiInputTextFlags_EnterReturnsTrue);
  }
  // Sliders of 32 bits end at half of their range.
  uint64_t wide = value;
  const auto least = static_cast<uint64_t>(parameter.info.least), most = static_cast<uint64_t>(parameter.info.most);
  const std::string format = format_of(parameter, "%llu");
  const bool is_changed =
      ImGui::SliderScalar("##value", ImGuiDataType_U64, &wide, &least, &most, format.c_str(), slider_flags(parameter));
  if (is_changed) value = static_cast<uint32_t>(wide);
  return is_changed;
}

bool draw_choice(const Parameter& parameter, clothc_cloth_parameters& parameters) {
  bool is_changed = false;
  if (!ImGui::BeginCombo("##value", parameter.text(parameters).c_str())) return false;
  for (const Enumerator& enumerator : parameter.enumerators) {
    if (!ImGui::Selectable(enumerator.name.c_str(), enumerator.value == parameter.number(parameters))) continue;
    parameter.number(parameters) = enumerator.value;
    is_changed = true;
  }
  ImGui::EndCombo();
  return is_changed;
}

bool draw_flags(const Parameter& parameter, clothc_cloth_parameters& parameters) {
  bool is_changed = false;
  ImGui::BeginGroup();
  for (const Enumerator& enumerator : parameter.enumerators) {
    uint32_t& value = parameter.number(parameters);
    bool is_set = (value & enumerator.value) != 0;
    if (!ImGui::Checkbox(enumerator.name.c_str(), &is_set)) continue;
    value = is_set ? value | enumerator.value : value & ~enumerator.value;
    is_changed = true;
  }
  ImGui::EndGroup();
  return is_changed;
}

bool draw_value(const Parameter& parameter, clothc_cloth_parameters& parameters) {
  switch (parameter.info.type) {
    case CLOTHC_PARAMETER_COUNT:
      return draw_count(parameter, parameters);
    case CLOTHC_PARAMETER_CHOICE:
      return draw_choice(parameter, parameters);
    case CLOTHC_PARAMETER_FLAGS:
      return draw_flags(parameter, parameters);
    default:
      return draw_floats(parameter, parameters);
  }
}

// The menu behind the right button of the mouse.
bool draw_menu(Items& items, const Parameter& parameter, clothc_cloth_parameters& parameters,
               const clothc_cloth_parameters& opened) {
  if (!ImGui::BeginPopupContextItem("menu")) return false;
  bool is_changed = false;
  const auto offer = [&](const char* item, const char* name, const clothc_cloth_parameters& other) {
    const std::string text = std::string(name) + "  " + parameter.text(other);
    const bool is_chosen = ImGui::MenuItem(text.c_str(), nullptr, false, !parameter.is_equal(parameters, other));
    items.mark(item);
    if (!is_chosen) return;
    parameter.copy(other, parameters);
    is_changed = true;
  };
  ImGui::TextColored(palette::DIM, "%s", parameter.info.name);
  ImGui::Separator();
  offer("menu.default", "Default", default_parameters());
  offer("menu.as_opened", "As opened", opened);
  ImGui::EndPopup();
  return is_changed;
}

std::string explanation(const Parameter& parameter, const clothc_cloth_parameters& opened) {
  std::string text = std::string(parameter.info.name) + "\ndefault  " + parameter.text(default_parameters());
  text += "\nas opened  " + parameter.text(opened);
  if (parameter.is_float() || (parameter.info.type == CLOTHC_PARAMETER_COUNT && !parameter.is_mask()))
    text += "\nrange  " + formatted("%.10g", parameter.info.least) + " to " + formatted("%.10g", parameter.info.most) +
            (parameter.unit.empty() ? "" : " " + parameter.unit);
  text += "\n\nRight click resets it.";
  if (parameter.is_float() || !parameter.is_mask()) text += " Ctrl + click types a number.";
  return text;
}

}  // namespace

bool draw_parameter(Items& items, const Parameter& parameter, clothc_cloth_parameters& parameters,
                    const clothc_cloth_parameters& opened) {
  ImGui::PushID(parameter.info.name);
  ImGui::BeginGroup();
  const bool is_changed = !parameter.is_equal(parameters, opened);
  const bool is_default = parameter.is_equal(parameters, default_parameters());
  const float width = ImGui::GetContentRegionAvail().x * PARAMETER_WIDTH;
  ImGui::SetNextItemWidth(width);
  bool has_changed = draw_value(parameter, parameters);
  items.mark(std::string("parameter.") + parameter.info.name);
  ImGui::SameLine(width + ImGui::GetStyle().ItemInnerSpacing.x);
  ImGui::AlignTextToFramePadding();
  ImGui::TextColored(is_changed   ? palette::CHANGED
                     : is_default ? palette::DIM
                                  : palette::TEXT,
                     "%s", parameter.info.name);
  if (parameter.component_count > 1 && !parameter.unit.empty()) {
    ImGui::SameLine(0, scaled(5));
    ImGui::TextColored(palette::DIM, "%s", parameter.unit.c_str());
  }
  ImGui::EndGroup();
  has_changed |= draw_menu(items, parameter, parameters, opened);
  if (!ImGui::IsAnyItemActive() && !ImGui::IsPopupOpen("menu")) explain(explanation(parameter, opened));
  ImGui::PopID();
  return has_changed;
}

}  // namespace clothc_viewer
