// mapping.cpp - copies the arrays and parameters of a reference into the structs of clothc.h.
#include "replay/mapping.h"

#include <cmath>

#include "cli/errors.h"

namespace clothc_tool {
namespace {

// Destination of a parameter: count consecutive floats, beginning with the member.
struct ParameterTarget {
  const char* name;
  std::size_t count;
  float* (*member)(clothc_cloth_parameters&);
};

constexpr ParameterTarget kTargets[] = {
    {"gravity", 3, [](clothc_cloth_parameters& p) { return p.gravity; }},
    {"damping", 3, [](clothc_cloth_parameters& p) { return p.damping; }},
    {"solver_frequency", 1, [](clothc_cloth_parameters& p) { return &p.solver_frequency; }},
    {"stiffness_frequency", 1, [](clothc_cloth_parameters& p) { return &p.stiffness_frequency; }},
    {"friction", 1, [](clothc_cloth_parameters& p) { return &p.friction; }},
    {"tether_stiffness", 1, [](clothc_cloth_parameters& p) { return &p.tether_stiffness; }},
    {"tether_scale", 1, [](clothc_cloth_parameters& p) { return &p.tether_scale; }},
    {"motion_stiffness", 1, [](clothc_cloth_parameters& p) { return &p.motion_constraint_stiffness; }},
    {"linear_drag", 3, [](clothc_cloth_parameters& p) { return p.linear_drag; }},
    {"angular_drag", 3, [](clothc_cloth_parameters& p) { return p.angular_drag; }},
    {"linear_inertia", 3, [](clothc_cloth_parameters& p) { return p.linear_inertia; }},
    {"angular_inertia", 3, [](clothc_cloth_parameters& p) { return p.angular_inertia; }},
    {"centrifugal_inertia", 3, [](clothc_cloth_parameters& p) { return p.centrifugal_inertia; }},
    {"wind_velocity", 3, [](clothc_cloth_parameters& p) { return p.wind_velocity; }},
    {"drag_coefficient", 1, [](clothc_cloth_parameters& p) { return &p.drag_coefficient; }},
    {"lift_coefficient", 1, [](clothc_cloth_parameters& p) { return &p.lift_coefficient; }},
    {"fluid_density", 1, [](clothc_cloth_parameters& p) { return &p.fluid_density; }},
    {"sleep_threshold", 1, [](clothc_cloth_parameters& p) { return &p.sleep_threshold; }},
    {"collision_mass_scale", 1, [](clothc_cloth_parameters& p) { return &p.collision_mass_scale; }},
    {"self_collision_distance", 1, [](clothc_cloth_parameters& p) { return &p.self_collision_distance; }},
    {"self_collision_stiffness", 1, [](clothc_cloth_parameters& p) { return &p.self_collision_stiffness; }},
};

struct IntegerTarget {
  const char* name;
  uint32_t clothc_cloth_parameters::*member;
};

constexpr IntegerTarget kIntegerTargets[] = {
    {"acceleration_filter_width", &clothc_cloth_parameters::acceleration_filter_width},
    {"sleep_test_interval", &clothc_cloth_parameters::sleep_test_interval},
    {"sleep_after_count", &clothc_cloth_parameters::sleep_after_count},
};

void require_count(const std::string& name, const std::vector<double>& values, std::size_t count) {
  if (values.size() != count)
    throw InputError("parameter " + name + " has " + std::to_string(values.size()) + " components; want " +
                     std::to_string(count));
}

const float* data_or_null(const std::vector<float>& values) { return values.empty() ? nullptr : values.data(); }
const uint32_t* data_or_null(const std::vector<uint32_t>& values) { return values.empty() ? nullptr : values.data(); }

}  // namespace

clothc::Fabric reference_fabric(const clothc::Device& device, const ReferenceCloth& cloth) {
  const ReferenceFabric& source = cloth.fabric;
  // The file contains log2(1 - stiffness).
  std::vector<float> stiffness;
  for (float value : source.log_stiffness) stiffness.push_back(static_cast<float>(1.0 - std::exp2(double{value})));
  auto desc = clothc::initialised<clothc_fabric_desc>();
  desc.particle_count = cloth.particle_count;
  desc.phase_count = static_cast<uint32_t>(source.phase_sets.size());
  desc.set_count = static_cast<uint32_t>(source.set_ends.size());
  desc.constraint_count = source.rest_lengths.size();
  desc.phase_sets = data_or_null(source.phase_sets);
  desc.set_ends = data_or_null(source.set_ends);
  desc.indices = data_or_null(source.indices);
  desc.rest_lengths = data_or_null(source.rest_lengths);
  desc.stiffness_values = data_or_null(stiffness);
  desc.tethers_per_particle = static_cast<uint32_t>(source.tether_anchors.size() / cloth.particle_count);
  desc.tether_anchors = data_or_null(source.tether_anchors);
  desc.tether_lengths = data_or_null(source.tether_lengths);
  desc.triangle_count = static_cast<uint32_t>(source.triangles.size() / 3);
  desc.triangles = data_or_null(source.triangles);
  desc.virtual_particle_count = static_cast<uint32_t>(source.virtual_particles.size() / 4);
  desc.virtual_weight_count = static_cast<uint32_t>(source.virtual_weights.size() / 3);
  desc.virtual_particles = data_or_null(source.virtual_particles);
  desc.virtual_weights = data_or_null(source.virtual_weights);
  return device.create_fabric(desc).value();
}

void apply_parameters(const std::map<std::string, std::vector<double>>& values, clothc_cloth_parameters& parameters) {
  // NvCloth never skips a cloth that sleeps.
  parameters.sleep_policy = CLOTHC_SLEEP_REPORT;
  // NvCloth's value, the square root of FLT_EPSILON.
  parameters.friction_smoothing = 3.4526698e-4f;
  parameters.collision_flags |= CLOTHC_COLLISION_VIRTUAL_PARTICLES;
  if (const auto found = values.find("continuous_collision"); found != values.end()) {
    require_count(found->first, found->second, 1);
    parameters.collision_flags &= ~uint32_t{CLOTHC_COLLISION_CONTINUOUS};
    if (found->second[0] != 0) parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  }
  for (const ParameterTarget& target : kTargets) {
    const auto found = values.find(target.name);
    if (found == values.end()) continue;
    require_count(target.name, found->second, target.count);
    float* member = target.member(parameters);
    for (std::size_t i = 0; i < target.count; ++i) member[i] = static_cast<float>(found->second[i]);
  }
  for (const IntegerTarget& target : kIntegerTargets) {
    const auto found = values.find(target.name);
    if (found == values.end()) continue;
    require_count(found->first, found->second, 1);
    if (found->second[0] < 0 || found->second[0] > UINT32_MAX)
      throw InputError("parameter " + found->first + " is " + std::to_string(found->second[0]) +
                       "; want a whole number that is not negative");
    parameters.*target.member = static_cast<uint32_t>(found->second[0]);
  }
  if (const auto found = values.find("motion_scale_bias"); found != values.end()) {
    require_count(found->first, found->second, 2);
    parameters.motion_constraint_scale = static_cast<float>(found->second[0]);
    parameters.motion_constraint_bias = static_cast<float>(found->second[1]);
  }
}

std::vector<clothc_phase_config> reference_phases(const ReferenceCloth& cloth) {
  std::vector<clothc_phase_config> configs;
  for (const ReferencePhase& phase : cloth.phase_configs) {
    auto config = clothc::initialised<clothc_phase_config>();
    config.phase = phase.phase;
    config.stiffness = phase.stiffness;
    config.stiffness_multiplier = phase.stiffness_multiplier;
    config.compression_limit = phase.compression_limit;
    config.stretch_limit = phase.stretch_limit;
    configs.push_back(config);
  }
  return configs;
}

std::vector<uint32_t> capsule_list(const std::vector<uint32_t>& capsules, std::size_t sphere_count) {
  if (sphere_count == 0) return {};
  for (uint32_t sphere : capsules)
    if (sphere >= sphere_count)
      throw InputError("a capsule names sphere " + std::to_string(sphere) + ", but there are " +
                       std::to_string(sphere_count) + " spheres");
  return capsules;
}

ConvexLists convex_lists(const std::vector<uint32_t>& masks, std::size_t plane_count) {
  ConvexLists lists;
  if (plane_count == 0) return lists;
  for (uint32_t mask : masks) {
    for (uint32_t plane = 0; plane < 32; ++plane) {
      if (!(mask >> plane & 1u)) continue;
      if (plane >= plane_count)
        throw InputError("a convex mask names plane " + std::to_string(plane) + ", but there are " +
                         std::to_string(plane_count) + " planes");
      lists.planes.push_back(plane);
    }
    if (mask != 0) lists.ends.push_back(static_cast<uint32_t>(lists.planes.size()));
  }
  return lists;
}

}  // namespace clothc_tool
