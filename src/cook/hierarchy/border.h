// border.h - finds the particles at the border of the surface, where a coarse level needs nodes: beyond its outermost
// nodes it cannot interpolate.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/hierarchy/graph.h"

namespace clothc::cook {

enum class Place : uint8_t {
  // All around the particle there are triangles, or there are none.
  inside,
  border,
  // The triangles at the particle cover an angle of less than 120 degrees.
  corner,
};

// Returns the place of each node of the graph.
std::vector<Place> find_places(const Graph& graph);

}  // namespace clothc::cook
