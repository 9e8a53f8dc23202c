// pairs.h - the pairs of particles that shear and bend constraints hold apart; edges.h has the stretch ones.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/strips.h"

namespace clothc::cook {

// Both diagonals of every quad, sorted, each once, without mesh edges.
std::vector<Pair> find_quad_diagonals(const std::vector<Face>& faces, const EdgeList& edges);

// Pairs two edges apart across which the cloth bends, sorted, each once, without mesh edges.
std::vector<Pair> find_bend_pairs(const std::vector<Face>& faces, const EdgeList& edges, const Strips& strips);

// Removes from sorted pairs those in sorted others.
void remove_pairs(std::vector<Pair>& pairs, const std::vector<Pair>& others);

}  // namespace clothc::cook
