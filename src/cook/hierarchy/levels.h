// levels.h - coarse levels of a cloth: nodes that stand for more and more particles, distances between them that the
// cloth must not exceed, and weights that interpolate the motion of the nodes. Stretch that constraints between
// neighbours take many iterations to correct is corrected on a coarse level at once.
// Source: Müller 2008, "Hierarchical position based dynamics".
#pragma once

#include <cstdint>
#include <vector>

#include "cook/hierarchy/known_level.h"
#include "cook/topology/edges.h"

namespace clothc::cook {

constexpr uint32_t parents_per_node = 4;

// The "finer" nodes of a level are the nodes of the level below it. Those of the first level are the particles. The
// particles of a node are those of its cluster, on all levels below.
struct HierarchyLevel {
  uint32_t node_count = 0;
  uint32_t finer_count = 0;

  // [nodes] the particle that each node was chosen from, ascending.
  std::vector<uint32_t> particles;
  // [nodes][3] mean position of the node's particles at rest, in m. Lengths are those between these points.
  std::vector<float> centres;
  // [nodes] number of particles of the node.
  std::vector<uint32_t> sizes;
  // [nodes] root mean square of the distances of the node's particles from its centre at rest, in m.
  std::vector<float> spreads;
  // [nodes] sum over all particles of the part of the node's motion that they follow. Corrections between two nodes
  // conserve momentum if each node counts as this many particles.
  std::vector<float> shares;

  // [finer_count] node whose cluster each finer node belongs to, or no_index if that is a particle without faces.
  std::vector<uint32_t> clusters;
  // The finer nodes of node i are members[member_begin[i]] .. members[member_begin[i + 1] - 1], ascending.
  std::vector<uint32_t> member_begin;
  std::vector<uint32_t> members;

  // [neighbours_per_node][nodes] neighbours of each node. The unused ones are the node itself, with longest_length.
  // Invariant: neighbours are mutual, with the same lengths.
  uint32_t neighbours_per_node = 0;
  std::vector<uint32_t> neighbours;
  // [neighbours_per_node][nodes] how far apart the two nodes may be, in m: along the surface if quads keep their angles,
  // and along the edges if quads may shear. lengths <= edge_lengths, and both are equal where all faces are triangles.
  std::vector<float> lengths;
  std::vector<float> edge_lengths;
  // [nodes] the largest ratio of a node's edge_lengths to its lengths, at least 1.
  std::vector<float> edge_ratios;

  // [parents_per_node][finer_count] nodes whose motion each finer node follows, and weights, which are not negative. The
  // sum of the weights is 1. Unused parents are the node of the cluster, with weight 0; a particle without faces has
  // node 0 four times with weight 0.
  std::vector<uint32_t> parents;
  std::vector<float> weights;

  // [particles] distance of each particle from the centre of the node it belongs to, at rest and along the surface, in
  // m. longest_length if it belongs to none or the node has a soft particle. Where the cloth folds at the particle, the
  // centre can get farther away: to about the square root of length^2 + spread^2 / 2.
  std::vector<float> particle_lengths;
};

// Levels, the finest first.
using Hierarchy = std::vector<HierarchyLevel>;

struct HierarchySource {
  // [particles][4].
  const std::vector<float>& positions;
  // Edges of the faces and, without these, the diagonals of quads. Both are ascending.
  const std::vector<Pair>& edges;
  const std::vector<Pair>& diagonals;
  // [][3]. Quads are split.
  const std::vector<uint32_t>& triangles;
  // [particles], or empty if none is soft. A node with a soft particle has no neighbours.
  const std::vector<bool>& is_soft;
  // The first level before some particles changed, of which as much is kept as possible, or null. None must be soft.
  const KnownLevel* known = nullptr;
};

// Returns the levels up to the coarsest one that has neighbours. Each piece of the mesh has a node on every level.
Hierarchy find_hierarchy(const HierarchySource& source);

}  // namespace clothc::cook
