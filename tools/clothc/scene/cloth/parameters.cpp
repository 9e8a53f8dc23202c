// parameters.cpp - reads the fields of clothc_cloth_parameters, whose names and ranges the library describes.
#include "scene/cloth/parameters.h"

namespace clothc_tool {
namespace {

// Parameters that a scene file gives as a number or a vector; the others have names of their own there.
std::vector<clothc_parameter_info> numeric_parameters() {
  std::vector<clothc_parameter_info> parameters;
  for (uint32_t index = 0; const auto info = clothc::describe_parameter(index); ++index) {
    if (info->type <= CLOTHC_PARAMETER_COUNT) parameters.push_back(*info);
  }
  return parameters;
}

clothc_sleep_policy read_sleep_policy(const SceneField& field) {
  const std::string name = field.text();
  if (name == "skip") return CLOTHC_SLEEP_SKIP;
  if (name == "report") return CLOTHC_SLEEP_REPORT;
  field.fail("want skip or report");
}

uint32_t read_statistics(const SceneField& field) {
  uint32_t statistics = 0;
  for (const SceneField& element : field.elements()) {
    const std::string name = element.text();
    if (name == "kinetic_energy") {
      statistics |= CLOTHC_STATISTIC_KINETIC_ENERGY;
    } else if (name == "stretch") {
      statistics |= CLOTHC_STATISTIC_STRETCH;
    } else if (name == "bounds") {
      statistics |= CLOTHC_STATISTIC_BOUNDS;
    } else {
      element.fail("want kinetic_energy, stretch or bounds");
    }
  }
  return statistics;
}

void read_number(const SceneField& field, const clothc_parameter_info& parameter, float& value) {
  value = field.number(parameter.name, parameter.least, parameter.most, value);
}

void read_vector(const SceneField& field, const clothc_parameter_info& parameter, float* components) {
  const auto vector = field.find(parameter.name);
  if (!vector) return;
  const Vector3 value = vector->vector_between(parameter.least, parameter.most);
  components[0] = value.x, components[1] = value.y, components[2] = value.z;
}

void read_count(const SceneField& field, const clothc_parameter_info& parameter, uint32_t& value) {
  value = field.integer(parameter.name, static_cast<uint32_t>(parameter.least), static_cast<uint32_t>(parameter.most),
                        value);
}

}  // namespace

void read_parameters(const SceneField& field, clothc_cloth_parameters& parameters) {
  const std::vector<clothc_parameter_info> numeric = numeric_parameters();
  std::vector<const char*> names = {"sleep_policy", "statistics", "continuous_collision"};
  for (const clothc_parameter_info& parameter : numeric) names.push_back(parameter.name);
  field.only(names);
  for (const clothc_parameter_info& parameter : numeric) {
    char* const value = reinterpret_cast<char*>(&parameters) + parameter.offset;
    if (parameter.type == CLOTHC_PARAMETER_FLOAT) {
      read_number(field, parameter, reinterpret_cast<float&>(*value));
    } else if (parameter.type == CLOTHC_PARAMETER_FLOAT3) {
      read_vector(field, parameter, reinterpret_cast<float*>(value));
    } else {
      read_count(field, parameter, reinterpret_cast<uint32_t&>(*value));
    }
  }
  if (const auto continuous = field.find("continuous_collision"); continuous && continuous->boolean())
    parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  if (const auto policy = field.find("sleep_policy")) parameters.sleep_policy = read_sleep_policy(*policy);
  if (const auto statistics = field.find("statistics")) parameters.statistics = read_statistics(*statistics);
}

}  // namespace clothc_tool
