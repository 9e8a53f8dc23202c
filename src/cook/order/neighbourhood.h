// neighbourhood.h - an order of pairs in which neighbours in the mesh come close together, however it is numbered.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// The indices of the pairs, sorted by when a breadth-first search meets their first end, then the other.
std::vector<uint32_t> order_by_neighbourhood(const std::vector<Pair>& pairs, uint32_t particle_count);

}  // namespace clothc::cook
