// clusters.h - divides the nodes of a graph into clusters around chosen nodes.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/hierarchy/graph.h"

namespace clothc::cook {

// Returns for each node of the graph the index of the nearest of the chosen nodes, along links; the lower index of two
// that are equally near. no_index if no links lead to a chosen node.
std::vector<uint32_t> find_clusters(const Graph& graph, const std::vector<uint32_t>& chosen);

// Returns the pairs of clusters that a link joins, ascending, each once.
std::vector<Pair> find_touching(const Graph& graph, const std::vector<uint32_t>& clusters);

// Returns the triangles that three clusters make where they meet in a triangle of the graph, each once. A graph over
// the clusters has the topology of the surface, seen from afar.
std::vector<std::array<uint32_t, 3>> find_meeting(const Graph& graph, const std::vector<uint32_t>& clusters);

}  // namespace clothc::cook
