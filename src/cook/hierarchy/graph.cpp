// graph.cpp - owns the lists of neighbours and the sides of the triangles of a level.
#include "cook/hierarchy/graph.h"

#include <algorithm>
#include <cstddef>

#include "cook/fabric_data.h"

namespace clothc::cook {
namespace {

void fill_neighbours(const std::vector<Link>& links, Graph& graph) {
  graph.begin.assign(size_t{graph.node_count} + 1, 0);
  for (const Link& link : links) {
    ++graph.begin[size_t{link.nodes.first} + 1];
    ++graph.begin[size_t{link.nodes.second} + 1];
  }
  for (uint32_t i = 0; i < graph.node_count; ++i) graph.begin[i + 1] += graph.begin[i];
  graph.neighbour.resize(graph.begin[graph.node_count]);
  graph.length.resize(graph.neighbour.size());
  graph.edge_length.resize(graph.neighbour.size());
  std::vector<uint32_t> next(graph.begin.begin(), graph.begin.end() - 1);
  const auto add = [&](uint32_t node, uint32_t neighbour, const Link& link) {
    const uint32_t at = next[node]++;
    graph.neighbour[at] = neighbour;
    graph.length[at] = link.length;
    graph.edge_length[at] = link.edge_length;
  };
  // The lower neighbours of every node come first, and both halves are ascending because the links are sorted.
  for (const Link& link : links) add(link.nodes.second, link.nodes.first, link);
  for (const Link& link : links) add(link.nodes.first, link.nodes.second, link);
}

void add_triangle(const std::array<uint32_t, 3>& corners, Graph& graph) {
  std::array<double, 3> sides;
  bool is_rigid = true;
  for (size_t i = 0; i < 3; ++i) {
    const uint32_t at = find_neighbour(graph, corners[(i + 1) % 3], corners[(i + 2) % 3]);
    if (at == no_index) return;
    sides[i] = graph.length[at];
    is_rigid = is_rigid && is_along_edges(graph.length[at], graph.edge_length[at]);
  }
  graph.triangles.push_back(corners);
  graph.sides.push_back(sides);
  graph.is_rigid.push_back(is_rigid);
}

}  // namespace

uint32_t find_neighbour(const Graph& graph, uint32_t a, uint32_t b) {
  const auto first = graph.neighbour.begin() + graph.begin[a], last = graph.neighbour.begin() + graph.begin[a + 1];
  const auto found = std::lower_bound(first, last, b);
  return found != last && *found == b ? static_cast<uint32_t>(found - graph.neighbour.begin()) : no_index;
}

Graph make_graph(uint32_t node_count, const std::vector<Link>& links,
                 const std::vector<std::array<uint32_t, 3>>& triangles) {
  Graph graph;
  graph.node_count = node_count;
  fill_neighbours(links, graph);
  graph.triangles.reserve(triangles.size());
  graph.sides.reserve(triangles.size());
  for (const std::array<uint32_t, 3>& corners : triangles) add_triangle(corners, graph);
  graph.triangles_at = find_incidence(node_count, static_cast<uint32_t>(graph.triangles.size()), 3,
                                      [&](uint32_t t, uint32_t i) { return graph.triangles[t][i]; });
  return graph;
}

}  // namespace clothc::cook
