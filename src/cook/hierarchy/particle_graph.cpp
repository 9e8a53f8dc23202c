// particle_graph.cpp - see particle_graph.h.
#include "cook/hierarchy/particle_graph.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>

#include "cook/geometry.h"

namespace clothc::cook {

Graph make_particle_graph(const HierarchySource& source) {
  std::vector<Link> edges, diagonals, links;
  const auto length = [&](Pair pair) { return distance(source.positions, pair.first, pair.second); };
  edges.reserve(source.edges.size());
  for (const Pair pair : source.edges) edges.push_back({pair, length(pair), length(pair)});
  diagonals.reserve(source.diagonals.size());
  for (const Pair pair : source.diagonals) {
    diagonals.push_back({pair, length(pair), std::numeric_limits<double>::infinity()});
  }
  // An edge comes before the same pair as a diagonal.
  links.reserve(edges.size() + diagonals.size());
  std::merge(edges.begin(), edges.end(), diagonals.begin(), diagonals.end(), std::back_inserter(links),
             [](const Link& a, const Link& b) { return a.nodes < b.nodes; });
  links.erase(std::unique(links.begin(), links.end(), [](const Link& a, const Link& b) { return a.nodes == b.nodes; }),
              links.end());
  std::vector<std::array<uint32_t, 3>> triangles;
  triangles.reserve(source.triangles.size() / 3);
  for (size_t i = 0; i + 2 < source.triangles.size(); i += 3) {
    triangles.push_back({source.triangles[i], source.triangles[i + 1], source.triangles[i + 2]});
  }
  return make_graph(static_cast<uint32_t>(source.positions.size() / 4), links, triangles);
}

}  // namespace clothc::cook
