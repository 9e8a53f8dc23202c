// meshes.h - the meshes of scripts, and raw fabrics over their particles.
#pragma once

#include "parity/lockstep/world.h"

namespace lockstep {

struct Mesh {
  uint32_t columns = 0, rows = 0;
  std::vector<float> positions, inverse_masses, texture_coordinates;
  std::vector<uint32_t> quads, triangles;
};

// Returns a sheet, a ribbon or loose triangles of up to a few hundred vertices.
Mesh draw_mesh(Random& random);

// Calls clothc_fabric_create.
void create_raw_fabric(World& world, Random& random, Log& log);

}  // namespace lockstep
