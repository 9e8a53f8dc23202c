// parameters.cpp - reads parameters by tables of the fields of clothc_cloth_parameters, one per type, with the names
// and ranges of clothc.h.
#include "scene/cloth/parameters.h"

namespace clothc_tool {
namespace {

struct FloatParameter {
  const char* name;
  float clothc_cloth_parameters::*member;
  double low, high;
};
constexpr FloatParameter FLOAT_PARAMETERS[] = {
    {"solver_frequency", &clothc_cloth_parameters::solver_frequency, 1, 1e5},
    {"stiffness_frequency", &clothc_cloth_parameters::stiffness_frequency, 0.01, 1e5},
    {"friction", &clothc_cloth_parameters::friction, 0, 100},
    {"friction_smoothing", &clothc_cloth_parameters::friction_smoothing, 0, 1},
    {"tether_stiffness", &clothc_cloth_parameters::tether_stiffness, 0, 1},
    {"tether_scale", &clothc_cloth_parameters::tether_scale, 0, 1000},
    {"motion_constraint_stiffness", &clothc_cloth_parameters::motion_constraint_stiffness, 0, 1},
    {"motion_constraint_scale", &clothc_cloth_parameters::motion_constraint_scale, 0, 1000},
    {"motion_constraint_bias", &clothc_cloth_parameters::motion_constraint_bias, -1e6, 1e6},
    {"drag_coefficient", &clothc_cloth_parameters::drag_coefficient, 0, 1},
    {"lift_coefficient", &clothc_cloth_parameters::lift_coefficient, 0, 1},
    {"fluid_density", &clothc_cloth_parameters::fluid_density, 0, 1e6},
    {"sleep_threshold", &clothc_cloth_parameters::sleep_threshold, 0, 1e6},
    {"contact_margin", &clothc_cloth_parameters::contact_margin, 0, 1e6},
    {"collision_mass_scale", &clothc_cloth_parameters::collision_mass_scale, 0, 1e12},
    {"self_collision_distance", &clothc_cloth_parameters::self_collision_distance, 0, 1e6},
    {"self_collision_stiffness", &clothc_cloth_parameters::self_collision_stiffness, 0, 1},
    {"self_collision_friction", &clothc_cloth_parameters::self_collision_friction, 0, 100},
    {"self_collision_damping", &clothc_cloth_parameters::self_collision_damping, 0, 1},
    {"inter_collision_distance", &clothc_cloth_parameters::inter_collision_distance, 0, 1e6},
    {"inter_collision_stiffness", &clothc_cloth_parameters::inter_collision_stiffness, 0, 1},
    {"inter_collision_friction", &clothc_cloth_parameters::inter_collision_friction, 0, 100},
    {"inter_collision_damping", &clothc_cloth_parameters::inter_collision_damping, 0, 1}};

struct VectorParameter {
  const char* name;
  float (clothc_cloth_parameters::*member)[3];
  double low, high;
};
constexpr VectorParameter VECTOR_PARAMETERS[] = {
    {"gravity", &clothc_cloth_parameters::gravity, -1e6, 1e6},
    {"damping", &clothc_cloth_parameters::damping, 0, 1},
    {"linear_drag", &clothc_cloth_parameters::linear_drag, 0, 1},
    {"angular_drag", &clothc_cloth_parameters::angular_drag, 0, 1},
    {"linear_inertia", &clothc_cloth_parameters::linear_inertia, 0, 1},
    {"angular_inertia", &clothc_cloth_parameters::angular_inertia, 0, 1},
    {"centrifugal_inertia", &clothc_cloth_parameters::centrifugal_inertia, 0, 1},
    {"wind_velocity", &clothc_cloth_parameters::wind_velocity, -1e6, 1e6}};

struct IntegerParameter {
  const char* name;
  uint32_t clothc_cloth_parameters::*member;
  uint32_t low, high;
};
constexpr IntegerParameter INTEGER_PARAMETERS[] = {
    {"acceleration_filter_width", &clothc_cloth_parameters::acceleration_filter_width, 1, 256},
    {"sleep_test_interval", &clothc_cloth_parameters::sleep_test_interval, 1, 1000000},
    {"sleep_after_count", &clothc_cloth_parameters::sleep_after_count, 1, 1u << 31},
    {"inter_collision_iterations", &clothc_cloth_parameters::inter_collision_iterations, 0, 64},
    {"inter_collision_group", &clothc_cloth_parameters::inter_collision_group, 0, UINT32_MAX},
    {"inter_collision_mask", &clothc_cloth_parameters::inter_collision_mask, 0, UINT32_MAX}};

void only_parameters(const SceneField& field) {
  std::vector<const char*> names = {"sleep_policy", "statistics", "continuous_collision"};
  for (const FloatParameter& parameter : FLOAT_PARAMETERS) names.push_back(parameter.name);
  for (const VectorParameter& parameter : VECTOR_PARAMETERS) names.push_back(parameter.name);
  for (const IntegerParameter& parameter : INTEGER_PARAMETERS) names.push_back(parameter.name);
  field.only(names);
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
    } else {
      element.fail("want kinetic_energy or stretch");
    }
  }
  return statistics;
}

}  // namespace

void read_parameters(const SceneField& field, clothc_cloth_parameters& parameters) {
  only_parameters(field);
  for (const FloatParameter& parameter : FLOAT_PARAMETERS) {
    float& value = parameters.*parameter.member;
    value = field.number(parameter.name, parameter.low, parameter.high, value);
  }
  for (const VectorParameter& parameter : VECTOR_PARAMETERS) {
    const auto vector = field.find(parameter.name);
    if (!vector) continue;
    const Vector3 value = vector->vector_between(parameter.low, parameter.high);
    float* components = parameters.*parameter.member;
    components[0] = value.x, components[1] = value.y, components[2] = value.z;
  }
  for (const IntegerParameter& parameter : INTEGER_PARAMETERS) {
    uint32_t& value = parameters.*parameter.member;
    value = field.integer(parameter.name, parameter.low, parameter.high, value);
  }
  if (const auto continuous = field.find("continuous_collision"); continuous && continuous->boolean())
    parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  if (const auto policy = field.find("sleep_policy")) parameters.sleep_policy = read_sleep_policy(*policy);
  if (const auto statistics = field.find("statistics")) parameters.statistics = read_statistics(*statistics);
}

}  // namespace clothc_tool
