// graph.h - the nodes of one level as a triangle mesh that knows its side lengths but no positions. Level 0 is the cloth
// itself, whose nodes are the particles.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/incidence.h"

namespace clothc::cook {

// Two nodes that are neighbours, and their distances in m. edge_length is the length of the shortest path that keeps to
// edges, except within faces that are triangles; it is infinite for the diagonal of a quad.
struct Link {
  Pair nodes;
  double length;
  double edge_length;
};

struct Graph {
  uint32_t node_count = 0;
  // The neighbours of node i, ascending, are neighbour[begin[i]] .. neighbour[begin[i + 1] - 1]. The lengths are those
  // of the links to them.
  std::vector<uint32_t> begin;
  std::vector<uint32_t> neighbour;
  std::vector<double> length;
  std::vector<double> edge_length;

  // Corners, and the length of the side opposite each corner. Each triangle has three different corners.
  std::vector<std::array<uint32_t, 3>> triangles;
  std::vector<std::array<double, 3>> sides;
  // [triangles] whether the triangle keeps its shape if quads shear, since its sides are as long along edges.
  std::vector<bool> is_rigid;
  Incidence triangles_at;

  uint32_t neighbour_count(uint32_t node) const { return begin[node + 1] - begin[node]; }
};

// Returns whether the two lengths of a link are equal but for rounding.
inline bool is_along_edges(double length, double edge_length) { return edge_length <= length * (1 + 1e-9); }

// Returns the index of node b among the neighbours of all nodes, in the part of node a, or no_index.
uint32_t find_neighbour(const Graph& graph, uint32_t a, uint32_t b);

// links: sorted by nodes, each once. Leaves out triangles with a side that is no link.
Graph make_graph(uint32_t node_count, const std::vector<Link>& links,
                 const std::vector<std::array<uint32_t, 3>>& triangles);

}  // namespace clothc::cook
