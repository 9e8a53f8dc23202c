// parameters.cpp - see parameters.h. The library does not tell the names of enumerators, so they are listed here.
#include "window/parameters.h"

#include <cstdio>
#include <cstring>

namespace clothc_viewer {
namespace {

struct NamedEnumerator {
  const char* prefix;
  Enumerator enumerator;
};

const std::vector<NamedEnumerator>& named_enumerators() {
  static const std::vector<NamedEnumerator> names = {
      {"CLOTHC_SLEEP", {"skip its updates", CLOTHC_SLEEP_SKIP}},
      {"CLOTHC_SLEEP", {"only report it", CLOTHC_SLEEP_REPORT}},
      {"CLOTHC_STATISTIC", {"kinetic energy", CLOTHC_STATISTIC_KINETIC_ENERGY}},
      {"CLOTHC_STATISTIC", {"stretch", CLOTHC_STATISTIC_STRETCH}},
      {"CLOTHC_STATISTIC", {"bounds", CLOTHC_STATISTIC_BOUNDS}},
      {"CLOTHC_COLLISION", {"continuous", CLOTHC_COLLISION_CONTINUOUS}},
      {"CLOTHC_COLLISION", {"virtual particles", CLOTHC_COLLISION_VIRTUAL_PARTICLES}},
      {"CLOTHC_COLLISION", {"report contacts", CLOTHC_COLLISION_REPORT}},
  };
  return names;
}

// Returns the name of a value; its number if this program is older than the library.
std::string name_of(const std::string& prefix, uint32_t value) {
  for (const NamedEnumerator& named : named_enumerators()) {
    if (named.prefix == prefix && named.enumerator.value == value) return named.enumerator.name;
  }
  return std::to_string(value);
}

std::vector<Enumerator> enumerators_of(const clothc_parameter_info& info) {
  std::vector<Enumerator> enumerators;
  const auto most = static_cast<uint32_t>(info.most);
  if (info.type == CLOTHC_PARAMETER_CHOICE) {
    for (auto value = static_cast<uint32_t>(info.least); value <= most; ++value)
      enumerators.push_back({name_of(info.unit, value), value});
  } else if (info.type == CLOTHC_PARAMETER_FLAGS) {
    for (uint32_t bit = 1; bit != 0 && bit <= most; bit <<= 1)
      if (most & bit) enumerators.push_back({name_of(info.unit, bit), bit});
  }
  return enumerators;
}

// Writes 2 and 3 at the end of units as exponents.
std::string written_unit(const clothc_parameter_info& info) {
  if (info.type == CLOTHC_PARAMETER_CHOICE || info.type == CLOTHC_PARAMETER_FLAGS) return "";
  std::string unit = info.unit;
  if (unit == "none") return "";
  if (unit.back() == '2') unit.replace(unit.size() - 1, 1, "\u00b2");
  if (unit.back() == '3') unit.replace(unit.size() - 1, 1, "\u00b3");
  return unit;
}

}  // namespace

float* Parameter::floats(clothc_cloth_parameters& parameters) const {
  return reinterpret_cast<float*>(reinterpret_cast<char*>(&parameters) + info.offset);
}

uint32_t& Parameter::number(clothc_cloth_parameters& parameters) const {
  return *reinterpret_cast<uint32_t*>(reinterpret_cast<char*>(&parameters) + info.offset);
}

bool Parameter::is_equal(const clothc_cloth_parameters& a, const clothc_cloth_parameters& b) const {
  return std::memcmp(reinterpret_cast<const char*>(&a) + info.offset, reinterpret_cast<const char*>(&b) + info.offset,
                     4 * component_count) == 0;
}

void Parameter::copy(const clothc_cloth_parameters& from, clothc_cloth_parameters& to) const {
  std::memcpy(reinterpret_cast<char*>(&to) + info.offset, reinterpret_cast<const char*>(&from) + info.offset,
              4 * component_count);
}

std::string Parameter::text(const clothc_cloth_parameters& parameters) const {
  clothc_cloth_parameters copied = parameters;
  std::string text;
  if (is_float()) {
    for (uint32_t k = 0; k < component_count; ++k) {
      char number[32];
      std::snprintf(number, sizeof number, "%s%.6g", k ? "  " : "", static_cast<double>(floats(copied)[k]));
      text += number;
    }
  } else if (info.type == CLOTHC_PARAMETER_CHOICE) {
    for (const Enumerator& enumerator : enumerators)
      if (enumerator.value == number(copied)) text = enumerator.name;
  } else if (info.type == CLOTHC_PARAMETER_FLAGS) {
    for (const Enumerator& enumerator : enumerators)
      if (number(copied) & enumerator.value) text += (text.empty() ? "" : ", ") + enumerator.name;
    if (text.empty()) text = "none";
  } else if (is_mask()) {
    char number_text[16];
    std::snprintf(number_text, sizeof number_text, "0x%08X", number(copied));
    return number_text;
  } else {
    text = std::to_string(number(copied));
  }
  return unit.empty() ? text : text + " " + unit;
}

const std::vector<Parameter>& all_parameters() {
  static const std::vector<Parameter> parameters = [] {
    std::vector<Parameter> all;
    for (uint32_t index = 0; const auto info = clothc::describe_parameter(index); ++index) {
      const uint32_t component_count = info->type == CLOTHC_PARAMETER_FLOAT3 ? 3 : 1;
      all.push_back({*info, component_count, written_unit(*info), enumerators_of(*info)});
    }
    return all;
  }();
  return parameters;
}

const clothc_cloth_parameters& default_parameters() {
  static const clothc_cloth_parameters defaults = clothc::initialised<clothc_cloth_parameters>();
  return defaults;
}

}  // namespace clothc_viewer
