// ring_search.h - finds rings of four pairs, which solvers load and store together (FabricLayout).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// Four particles, each joined with the next one, and the last one with the first one, by a pair.
struct Ring {
  std::array<uint32_t, 4> particles;
  // pairs[k] is the index of the pair that joins the particles k and (k + 1) % 4.
  std::array<uint32_t, 4> pairs;
};

// Particles with more pairs than this, such as the hub of a fan, are in no ring, so that the search takes linear time.
constexpr uint32_t most_pairs_in_rings = 32;

// Returns rings of which no two have a pair in common, or none if fewer than three in four pairs would be in rings,
// as in meshes of irregular triangles: that was measured to gain nothing. pairs: sorted, each once.
std::vector<Ring> find_rings(const std::vector<Pair>& pairs, uint32_t particle_count);

}  // namespace clothc::cook
