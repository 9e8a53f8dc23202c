// tethers.h - creates tethers from every free particle to the pinned particles that are nearest along the mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

struct Tethers {
  // [per_particle][particles]. A particle without a tether is its own anchor.
  std::vector<uint32_t> anchors;
  // [per_particle][particles] in m.
  std::vector<float> lengths;
  // Number of free particles that are not connected to any pinned particle.
  uint32_t untethered_count = 0;
};

// The surface that tethers are measured on. Paths run along edges and diagonals and across triangles.
struct Surface {
  // [particles][4] x y z and inverse mass, 0 = pinned.
  std::vector<float> positions;
  std::vector<Pair> edges;
  std::vector<Pair> diagonals;
  // [][3].
  std::vector<uint32_t> triangles;
};

// The arrays of the result stay empty if nothing is pinned. storage_order: [particles] a permutation in which the
// search numbers the particles to run faster, or empty. It affects the result only where pins are equally near: it may
// decide which of them become anchors.
Tethers find_tethers(const Surface& surface, const std::vector<uint32_t>& storage_order, uint32_t per_particle);

}  // namespace clothc::cook
