// colour.h - orders the pairs of one constraint set so that few large runs of them share no particle.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// pairs: sorted, each once. They come out colour after colour, each colour sorted but for its first pair, which touches
// the colour before: cutting the sequence at each first conflict gives the colours back.
void order_by_colour(std::vector<Pair>& pairs, uint32_t particle_count);

// The colour of each pair, for tests and reports.
std::vector<uint32_t> colour_pairs(const std::vector<Pair>& pairs, uint32_t particle_count);

}  // namespace clothc::cook
