// tethers.h - tethers from every free particle to the pinned particles nearest along the mesh.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

struct Tethers {
  std::vector<uint32_t> anchors;  // [per_particle][particles]; the particle itself where there is nothing to hold it
  std::vector<float> lengths;     // [per_particle][particles] m
  uint32_t untethered_count = 0;  // free particles that reach no pinned one
};

// Paths run along edges and diagonals and across triangles.
struct Surface {
  std::vector<float> positions;  // [particles][4], inverse mass 0 = pinned
  std::vector<Pair> edges;
  std::vector<Pair> diagonals;
  std::vector<uint32_t> triangles;  // [][3]
};

// storage_order: where each particle is best worked on, or empty; changes at most which of equally near pins holds. The arrays
// stay empty if nothing is pinned.
Tethers find_tethers(const Surface& surface, const std::vector<uint32_t>& storage_order, uint32_t per_particle);

}  // namespace clothc::cook
