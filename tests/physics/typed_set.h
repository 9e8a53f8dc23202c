// typed_set.h - cloths with one set of constraints of one type, and the momentum that an update gives their particles.
#pragma once

#include <cmath>

#include "physics/frame_motion.h"
#include "support/world.h"

namespace physics {

// Adds a cloth of these particles with one phase, which solves the constraints. scale: of lengths at rest.
inline clothc_cloth_id add_typed(World& world, const std::vector<Point>& points, clothc_constraint_type type,
                                 const std::vector<uint32_t>& particles, const std::vector<float>& parameters,
                                 uint64_t count, const clothc_cloth_parameters& cloth_parameters, float scale = 1) {
  auto set = initialised<clothc_constraint_set>();
  set.type = type;
  set.constraint_count = count;
  set.particles = particles.data();
  set.parameters = parameters.data();
  const uint32_t phase = 0;
  auto desc = initialised<clothc_fabric_desc>();
  desc.particle_count = static_cast<uint32_t>(points.size());
  desc.phase_count = 1;
  desc.phase_sets = &phase;
  desc.constraint_sets = &set;
  desc.constraint_set_count = 1;
  const clothc_fabric fabric = clothc_test::create_fabric(world.device, desc);
  auto cloth_desc = initialised<clothc_cloth_desc>();
  cloth_desc.fabric = fabric;
  cloth_desc.positions = &points[0].x;
  cloth_desc.parameters = &cloth_parameters;
  cloth_desc.scale = scale;
  clothc_cloth_id cloth = 0;
  require(clothc_cloth_add(world.solver, &cloth_desc, &cloth));
  require(clothc_fabric_destroy(fabric));
  return cloth;
}

inline Vector3 place_of(const Point& point) { return {point.x, point.y, point.z}; }

// Sums of m d and m x cross d over the displacements d of particles, in kg m and kg m2.
struct Moment {
  Vector3 linear, angular;
};

inline Moment moment_of(const std::vector<Point>& before, const std::vector<Point>& after) {
  Moment sum;
  for (size_t k = 0; k < before.size(); ++k) {
    const Vector3 moved = (place_of(after[k]) - place_of(before[k])) * (1 / static_cast<double>(before[k].w));
    sum.linear = sum.linear + moved;
    sum.angular = sum.angular + cross(place_of(before[k]), moved);
  }
  return sum;
}

// Parameters without gravity under which nothing keeps a velocity, so that only constraints move particles.
inline clothc_cloth_parameters without_motion() {
  clothc_cloth_parameters parameters = plain_parameters(60);
  fill(parameters.damping, 1);
  return parameters;
}

}  // namespace physics
