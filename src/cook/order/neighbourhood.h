// neighbourhood.h - sorts pairs so that neighbours in the mesh are close together, whatever the numbers of its
// particles.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// Returns the indices of the pairs, sorted by when a breadth-first search reaches the first of their particles, then
// the other.
std::vector<uint32_t> order_by_neighbourhood(const std::vector<Pair>& pairs, uint32_t particle_count);

}  // namespace clothc::cook
