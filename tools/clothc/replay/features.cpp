// features.cpp - finds the features that a reference needs and the library does not have, with one table for each place
// in which a file can ask for a feature.
#include "replay/features.h"

#include <algorithm>
#include <cmath>

#include "replay/operation.h"

namespace clothc_tool {
namespace {

struct NamedFeature {
  const char* key;
  // "" = supported, or without effect while the features that it belongs to are off.
  const char* feature;
};

// Parameters that require a feature if they are not zero.
constexpr NamedFeature kParameters[] = {
    {"self_collision_distance", ""},
    {"acceleration_filter_width", ""},
    {"angular_drag", ""},
    {"angular_inertia", ""},
    {"centrifugal_inertia", ""},
    {"collision_mass_scale", ""},
    {"continuous_collision", ""},
    {"damping", ""},
    {"drag_coefficient", ""},
    {"fluid_density", ""},
    {"friction", ""},
    {"gravity", ""},
    {"lift_coefficient", ""},
    {"linear_drag", ""},
    {"linear_inertia", ""},
    {"motion_scale_bias", ""},
    {"motion_stiffness", ""},
    {"self_collision_stiffness", ""},
    {"sleep_after_count", ""},
    {"sleep_test_interval", ""},
    {"sleep_threshold", ""},
    {"solver_frequency", ""},
    {"stiffness_frequency", ""},
    {"tether_scale", ""},
    {"tether_stiffness", ""},
    {"wind_velocity", ""},
};

constexpr NamedFeature kInputs[] = {
    {"frame", ""},
    {"ops", ""},
    {"translation", ""},
    {"rotation", ""},
    {"set", ""},
    {"spheres_start", ""},
    {"spheres_target", ""},
    {"clear_spheres", ""},
    {"planes_start", ""},
    {"planes_target", ""},
    {"clear_planes", ""},
    {"triangles_start", ""},
    {"triangles_target", ""},
    {"clear_triangles", ""},
    {"motion_start", ""},
    {"motion_target", ""},
    {"clear_motion", ""},
    {"clear_motion_constraints", ""},
    {"separation_start", ""},
    {"separation_target", ""},
    {"clear_separation", ""},
    {"clear_separation_constraints", ""},
    {"accelerations", ""},
    {"clear_accelerations", ""},
    {"clear_particle_accelerations", ""},
    {"write_particles", ""},
};

class FeatureList {
 public:
  void add(const std::string& feature) {
    if (!feature.empty() && std::find(names_.begin(), names_.end(), feature) == names_.end()) names_.push_back(feature);
  }
  template <std::size_t N>
  void add(const NamedFeature (&table)[N], const std::string& key, const char* kind) {
    const auto entry =
        std::find_if(std::begin(table), std::end(table), [&](const NamedFeature& f) { return key == f.key; });
    add(entry == std::end(table) ? std::string(kind) + " \"" + key + "\"" : std::string(entry->feature));
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::vector<std::string> names_;
};

void add_parameters(const ReferenceField& parameters, FeatureList& features) {
  for (const std::string& name : parameters.keys()) {
    const std::vector<double> values = parameters.at(name).numbers();
    if (std::any_of(values.begin(), values.end(), [](double value) { return value != 0; }))
      features.add(kParameters, name, "parameter");
  }
}

// The library stores one inverse mass per particle. NvCloth also has a working copy, which lasts until the end of the
// first iteration. So a write to it has the same effect in this library if it is 0, which is restored from the user's
// value, or equal to the user's value.
void add_masses(const ReferenceField& cloth, FeatureList& features) {
  const std::vector<float> particles = cloth.at("particles").floats(4);
  std::vector<float> user = cloth.has("particles_previous") ? cloth.at("particles_previous").floats(4) : particles;
  const auto judge = [&](float working, float inverse_mass) {
    if (working != 0 && working != inverse_mass) features.add("working inverse mass that differs from the user's");
  };
  for (std::size_t i = 3; i < particles.size() && i < user.size(); i += 4) judge(particles[i], user[i]);
  const ReferenceField inputs = cloth.at("frame_inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs.at(i).has("write_particles")) continue;
    const ReferenceField write = inputs.at(i).at("write_particles");
    const std::vector<uint32_t> indices = write.at("indices").indices(1, user.size() / 4);
    const std::vector<float> current = write.at("current").floats(4, indices.size());
    if (write.has("previous")) {
      const std::vector<float> previous = write.at("previous").floats(4, indices.size());
      for (std::size_t k = 0; k < indices.size(); ++k) user[indices[k] * std::size_t{4} + 3] = previous[4 * k + 3];
    }
    for (std::size_t k = 0; k < indices.size(); ++k) judge(current[4 * k + 3], user[indices[k] * std::size_t{4} + 3]);
  }
}

void add_operations(const ReferenceField& operations, FeatureList& features) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const std::string name = operations.at(i).at("op").text();
    if (!operation_kind(name)) features.add("operation \"" + name + "\"");
  }
}

void add_cloth(const ReferenceField& cloth, FeatureList& features) {
  add_parameters(cloth.at("params"), features);
  const ReferenceField inputs = cloth.at("frame_inputs");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    for (const std::string& key : inputs.at(i).keys())
      if (inputs.at(i).has(key)) features.add(kInputs, key, "input");
    if (inputs.at(i).has("ops")) add_operations(inputs.at(i).at("ops"), features);
    if (inputs.at(i).has("set")) add_parameters(inputs.at(i).at("set"), features);
  }
  add_masses(cloth, features);
}

}  // namespace

std::vector<std::string> missing_features(const ReferenceField& reference) {
  FeatureList features;
  if (reference.has("inter_collision") && reference.at("inter_collision").at("filter").text() != "all")
    features.add("inter-collision filter \"" + reference.at("inter_collision").at("filter").text() + "\"");
  const ReferenceField cloths = reference.at("cloths");
  for (std::size_t i = 0; i < cloths.size(); ++i) add_cloth(cloths.at(i), features);
  return features.take();
}

}  // namespace clothc_tool
