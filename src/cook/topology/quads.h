// quads.h - puts quads together again that were stored as two triangles each.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// A triangle that has a side where the mesh has no edge, and its corner opposite that side.
struct Half {
  Pair side;
  uint32_t triangle;
  uint32_t apex;
};

// Returns the quads of which two halves share their side, with their corners in order. Sets is_joined, [triangles], for
// their triangles, each of which is in one quad at most.
std::vector<std::array<uint32_t, 4>> join_halves(std::vector<Half> halves, std::vector<bool>& is_joined);

}  // namespace clothc::cook
