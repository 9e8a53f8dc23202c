// long_range.h - pairs of particles several edges apart along a line of quads, which may not get farther apart than the line is
// long: stretch that takes edges many iterations to pass on, these constraints pass on in one.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/strips.h"

namespace clothc::cook {

struct LongRangePair {
  Pair particles;
  double length;  // along the edges, m
};

// Long-range constraints of so many edges, ascending, each pair once, with the shortest of its lines. positions:
// [particles][4]. is_soft [particles] or empty: no line passes or ends there.
std::vector<LongRangePair> find_long_range_pairs(const EdgeList& edges, const Strips& strips,
                                                 const std::vector<float>& positions, const std::vector<bool>& is_soft,
                                                 uint32_t edge_count);

}  // namespace clothc::cook
