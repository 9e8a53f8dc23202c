// long_range.h - finds the particles of long-range constraints: pairs that are several edges apart along a line of
// quads and may not get farther apart than that line is long. Stretch that needs many iterations to travel along the
// edges travels along a long-range constraint in one iteration.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/strips.h"

namespace clothc::cook {

struct LongRangePair {
  Pair particles;
  // Length of the line along its edges, in m.
  double length;
};

// Returns the pairs that are edge_count edges apart, ascending, each pair once and with the length of its shortest
// line. positions: [particles][4]. is_soft: [particles], or empty if none is soft; no line passes a soft particle or
// ends there.
std::vector<LongRangePair> find_long_range_pairs(const EdgeList& edges, const Strips& strips,
                                                 const std::vector<float>& positions, const std::vector<bool>& is_soft,
                                                 uint32_t edge_count);

}  // namespace clothc::cook
