// edge_paths.h - the lengths of shortest paths along a mesh's edges, computed by a simple implementation of Dijkstra's
// algorithm.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

#include "cook/geometry.h"

namespace clothc::test {

// Returns the length from one particle to every particle; infinity where there is no path. edges: pairs with the
// members first and second.
template <class Edges>
std::vector<double> edge_paths(const std::vector<float>& positions, const Edges& edges, uint32_t from) {
  const size_t particle_count = positions.size() / 4;
  std::vector<std::vector<uint32_t>> neighbours(particle_count);
  for (const auto& edge : edges) {
    neighbours[edge.first].push_back(edge.second);
    neighbours[edge.second].push_back(edge.first);
  }
  std::vector<double> path(particle_count, std::numeric_limits<double>::infinity());
  std::priority_queue<std::pair<double, uint32_t>> queue;
  path[from] = 0;
  queue.push({-0.0, from});
  while (!queue.empty()) {
    const auto [negative, p] = queue.top();
    queue.pop();
    if (-negative > path[p]) continue;
    for (const uint32_t q : neighbours[p]) {
      const double through = path[p] + cook::distance(positions, p, q);
      if (through >= path[q]) continue;
      path[q] = through;
      queue.push({-through, q});
    }
  }
  return path;
}

}  // namespace clothc::test
