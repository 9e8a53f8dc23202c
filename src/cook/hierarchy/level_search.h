// level_search.h - measures a level: the distances between neighbouring nodes, and those from finer nodes to the nodes
// around them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/hierarchy/graph.h"
#include "cook/hierarchy/levels.h"

namespace clothc::cook {

struct NearNode {
  uint32_t node;
  double distance;
};

struct LevelDistances {
  // In the order of the touching pairs.
  std::vector<Link> links;
  // [finer nodes] the nearest nodes, the nearest first; the unused ones are no_index.
  std::vector<std::array<NearNode, parents_per_node>> nearest;
  // [finer nodes] distance from the node whose cluster it belongs to.
  std::vector<double> from_own;
};

// finer: graph of the finer nodes. chosen: those that are nodes of the level. clusters: [finer nodes]. touching: pairs
// of clusters that touch, ascending. is_searched: [nodes] whether to search from a node, or empty to search from all.
// Without searches from both ends a link, and without those from all nodes around it a finer node, is not measured.
LevelDistances measure_level(const Graph& finer, const std::vector<uint32_t>& chosen,
                             const std::vector<uint32_t>& clusters, const std::vector<Pair>& touching,
                             const std::vector<bool>& is_searched = {});

}  // namespace clothc::cook
