// probe_scenes.h - inputs of the probes: a cloud of particles in a hashed grid, and a hierarchy over a soup of triangles.
#pragma once

#include <array>
#include <vector>

#include "parity/dialect/arenas.h"

namespace clothc::probes {

using Vector = std::array<float, 3>;
using Triangle = std::array<Vector, 3>;

struct ProbeScene {
  Arenas arenas;
  uint32_t particle_count = 0;  // a multiple of 16
  uint32_t result = 0;          // tables: one word per particle
  std::vector<Triangle> triangles;
  Job job{};
};

constexpr float grid_radius_metres = 0.09f;
constexpr float grid_cell_metres = 0.1f;

ProbeScene make_grid_scene();
ProbeScene make_tree_scene();

// Every pair of numbers that the functions of transcendental.h may be asked about, roughly.
ProbeScene make_function_scene();

Vector position_of(const ProbeScene& scene, uint32_t particle);

}  // namespace clothc::probes
