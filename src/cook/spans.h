// spans.h - pairs of particles several edges apart along a line of quads, which may not get farther apart than the line is
// long: stretch that takes edges many iterations to pass on, spans pass on in one.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/edges.h"
#include "cook/strips.h"

namespace clothc::cook {

struct Span {
  Pair pair;
  double length;  // along the edges, m
};

// Spans of so many edges, ascending, each pair once, with the shortest of its lines. positions: [particles][4]. is_soft
// [particles] or empty: no span passes or ends there.
std::vector<Span> find_spans(const EdgeList& edges, const Strips& strips, const std::vector<float>& positions,
                             const std::vector<bool>& is_soft, uint32_t edge_count);

}  // namespace clothc::cook
