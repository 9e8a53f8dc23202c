// probe_scenes.h - inputs of the probes: particles in a hashed grid, and a bounding volume hierarchy (BVH) over
// triangles in random positions.
#pragma once

#include <array>
#include <vector>

#include "parity/dialect/arenas.h"

namespace clothc::probes {

using Vector = std::array<float, 3>;
using Triangle = std::array<Vector, 3>;

struct ProbeScene {
  Arenas arenas;

  // Number of particles, a multiple of 16.
  uint32_t particle_count = 0;

  // Offset of the result in the tables arena, which has one word per particle.
  uint32_t result = 0;
  std::vector<Triangle> triangles;
  Job job{};
};

constexpr float grid_radius_metres = 0.09f;
constexpr float grid_cell_metres = 0.1f;

ProbeScene make_grid_scene();
ProbeScene make_bvh_scene();

// Covers roughly the whole range of arguments that the functions of transcendental.h support.
ProbeScene make_function_scene();

Vector position_of(const ProbeScene& scene, uint32_t particle);

}  // namespace clothc::probes
