// pairs.h - finds the pairs of particles that shear and bend constraints connect. edges.h has those of stretch
// constraints.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/strips.h"

namespace clothc::cook {

// Returns both diagonals of every quad, sorted, each pair once, without pairs that are edges of the mesh.
std::vector<Pair> find_quad_diagonals(const std::vector<Face>& faces, const EdgeList& edges);

// Returns pairs of particles across which the cloth bends: in quads, particles two edges apart; in triangles, the two
// opposite a shared edge. They are sorted, each pair once, without pairs that are edges of the mesh.
std::vector<Pair> find_bend_pairs(const std::vector<Face>& faces, const EdgeList& edges, const Strips& strips);

// Removes from pairs all that are also in others. Both are sorted.
void remove_pairs(std::vector<Pair>& pairs, const std::vector<Pair>& others);

}  // namespace clothc::cook
