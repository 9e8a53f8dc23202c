// colour.h - colours the pairs of one constraint set and sorts them by colour. Invariant: no two pairs of a colour
// share a particle, nor do two rings of a colour. Most pairs are in few large colours, long ones before short ones.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// Sorts the pairs by colour. pairs: sorted, each once. positions: [particles][4], at rest. Each colour stays sorted,
// except that its first pair is one that shares a particle with the colour before. A reader of the sequence who starts a
// new colour at each first conflict therefore gets the same colours.
void order_by_colour(std::vector<Pair>& pairs, const std::vector<float>& positions);

// Returns the colour of each pair. It is public for tests and reports.
std::vector<uint32_t> colour_pairs(const std::vector<Pair>& pairs, const std::vector<float>& positions);

}  // namespace clothc::cook
