// neighbours.cpp - owns the choice of links that act, and their layout.
#include "cook/hierarchy/neighbours.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "cook/constraint_types.h"

namespace clothc::cook {
namespace {

// A node of a lattice has eight neighbours.
constexpr uint32_t most_neighbours = 10;

// Returns whether each link is among the shortest ones of both of its nodes.
std::vector<bool> find_kept(const std::vector<Link>& links, const std::vector<bool>& is_soft, uint32_t node_count) {
  std::vector<uint32_t> by_length;
  for (uint32_t i = 0; i < links.size(); ++i) {
    if (!is_soft[links[i].nodes.first] && !is_soft[links[i].nodes.second]) by_length.push_back(i);
  }
  std::sort(by_length.begin(), by_length.end(), [&](uint32_t a, uint32_t b) {
    return links[a].length != links[b].length ? links[a].length < links[b].length : a < b;
  });
  std::vector<uint32_t> count(node_count, 0);
  std::vector<bool> is_kept(links.size(), false);
  for (const uint32_t i : by_length) {
    const Pair nodes = links[i].nodes;
    if (count[nodes.first] >= most_neighbours || count[nodes.second] >= most_neighbours) continue;
    ++count[nodes.first];
    ++count[nodes.second];
    is_kept[i] = true;
  }
  return is_kept;
}

float as_length(double length) { return static_cast<float>(std::min(length, double{longest_length})); }

}  // namespace

void add_neighbours(const std::vector<Link>& links, const std::vector<bool>& is_soft, HierarchyLevel& level) {
  const std::vector<bool> is_kept = find_kept(links, is_soft, level.node_count);
  std::vector<uint32_t> count(level.node_count, 0);
  for (size_t i = 0; i < links.size(); ++i) {
    count[links[i].nodes.first] += is_kept[i];
    count[links[i].nodes.second] += is_kept[i];
  }
  level.neighbours_per_node = *std::max_element(count.begin(), count.end());
  const size_t size = size_t{level.neighbours_per_node} * level.node_count;
  level.neighbours.resize(size);
  for (size_t i = 0; i < size; ++i) level.neighbours[i] = static_cast<uint32_t>(i % level.node_count);
  level.lengths.assign(size, longest_length);
  level.edge_lengths.assign(size, longest_length);
  level.edge_ratios.assign(level.node_count, 1.0f);
  std::fill(count.begin(), count.end(), 0u);
  const auto add = [&](uint32_t node, const Link& link) {
    const size_t at = size_t{count[node]++} * level.node_count + node;
    level.neighbours[at] = link.nodes.other(node);
    level.lengths[at] = as_length(link.length);
    level.edge_lengths[at] = as_length(link.edge_length);
    const float ratio = level.lengths[at] > 0 ? level.edge_lengths[at] / level.lengths[at] : 1.0f;
    level.edge_ratios[node] = std::max(level.edge_ratios[node], ratio);
  };
  // The lower neighbours of every node come first, so the neighbours in a column are ascending.
  for (size_t i = 0; i < links.size(); ++i) {
    if (is_kept[i]) add(links[i].nodes.second, links[i]);
  }
  for (size_t i = 0; i < links.size(); ++i) {
    if (is_kept[i]) add(links[i].nodes.first, links[i]);
  }
}

}  // namespace clothc::cook
