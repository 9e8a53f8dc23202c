// clusters.cpp - owns the search for the nearest chosen node of every node (Dijkstra 1959, from all chosen nodes at
// once) and for the clusters that meet.
#include "cook/hierarchy/clusters.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "cook/fabric_data.h"

namespace clothc::cook {
namespace {

// A path to a node, from the chosen node of a cluster.
struct Arrival {
  double distance;
  uint32_t cluster;
  uint32_t node;
};

// The nearest comes first. Ties are broken by cluster, then node.
struct LaterArrival {
  bool operator()(const Arrival& a, const Arrival& b) const {
    if (a.distance != b.distance) return a.distance > b.distance;
    return a.cluster != b.cluster ? a.cluster > b.cluster : a.node > b.node;
  }
};

template <class Item>
void keep_once(std::vector<Item>& items) {
  std::sort(items.begin(), items.end());
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

}  // namespace

std::vector<uint32_t> find_clusters(const Graph& graph, const std::vector<uint32_t>& chosen) {
  std::vector<uint32_t> clusters(graph.node_count, no_index);
  std::vector<double> nearest(graph.node_count, std::numeric_limits<double>::infinity());
  std::vector<Arrival> queue;
  const auto offer = [&](Arrival arrival) {
    if (arrival.distance > nearest[arrival.node]) return;
    nearest[arrival.node] = arrival.distance;
    queue.push_back(arrival);
    std::push_heap(queue.begin(), queue.end(), LaterArrival());
  };
  const auto add = [&](Arrival arrival) {
    clusters[arrival.node] = arrival.cluster;
    for (uint32_t i = graph.begin[arrival.node]; i < graph.begin[arrival.node + 1]; ++i) {
      const uint32_t to = graph.neighbour[i];
      if (clusters[to] == no_index) offer({arrival.distance + graph.length[i], arrival.cluster, to});
    }
  };
  // A chosen node is in its own cluster, also where another one is at the same place.
  for (uint32_t c = 0; c < chosen.size(); ++c) clusters[chosen[c]] = c;
  for (uint32_t c = 0; c < chosen.size(); ++c) add({0, c, chosen[c]});
  while (!queue.empty()) {
    std::pop_heap(queue.begin(), queue.end(), LaterArrival());
    const Arrival arrival = queue.back();
    queue.pop_back();
    if (clusters[arrival.node] == no_index) add(arrival);
  }
  return clusters;
}

std::vector<Pair> find_touching(const Graph& graph, const std::vector<uint32_t>& clusters) {
  std::vector<Pair> touching;
  for (uint32_t node = 0; node < graph.node_count; ++node) {
    for (uint32_t i = graph.begin[node]; i < graph.begin[node + 1]; ++i) {
      const uint32_t a = clusters[node], b = clusters[graph.neighbour[i]];
      if (a < b) touching.push_back({a, b});
    }
  }
  keep_once(touching);
  return touching;
}

std::vector<std::array<uint32_t, 3>> find_meeting(const Graph& graph, const std::vector<uint32_t>& clusters) {
  std::vector<std::array<uint32_t, 3>> meeting;
  for (const auto& corners : graph.triangles) {
    std::array<uint32_t, 3> at = {clusters[corners[0]], clusters[corners[1]], clusters[corners[2]]};
    std::sort(at.begin(), at.end());
    if (at[0] != at[1] && at[1] != at[2]) meeting.push_back(at);
  }
  keep_once(meeting);
  return meeting;
}

}  // namespace clothc::cook
