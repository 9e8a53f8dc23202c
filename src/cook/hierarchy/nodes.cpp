// nodes.cpp - owns the choice of nodes: a greedy search for a maximal set of nodes that are no neighbours and have no
// common neighbour. It proceeds along a front, because nodes that are exactly as far apart as they must be make a
// regular lattice, while a search in the order of a badly numbered mesh leaves gaps.
#include "cook/hierarchy/nodes.h"

#include <algorithm>
#include <cstddef>

namespace clothc::cook {
namespace {

// Number of links between chosen nodes. An odd number gives clusters that are centred at their nodes.
constexpr uint32_t spacing = 3;

class NodeChoice {
 public:
  NodeChoice(const Graph& graph, const std::vector<Place>& places)
      : graph_(graph), places_(places), blocked_(graph.node_count, false), reached_(graph.node_count, no_index) {}

  std::vector<uint32_t> run(bool alone, const std::vector<uint32_t>& kept) {
    for (const uint32_t node : kept) choose(node);
    for (uint32_t node = 0; node < graph_.node_count; ++node) {
      if (places_[node] == Place::corner && !blocked_[node]) choose(node);
    }
    follow(at_border_);
    for (uint32_t node = 0; node < graph_.node_count; ++node) {
      if (places_[node] == Place::inside || blocked_[node]) continue;
      choose(node);
      follow(at_border_);
    }
    follow(inside_);
    for (uint32_t node = 0; node < graph_.node_count; ++node) {
      if (blocked_[node] || (graph_.neighbour_count(node) == 0 && !alone)) continue;
      choose(node);
      follow(inside_);
    }
    std::sort(chosen_.begin(), chosen_.end());
    return std::move(chosen_);
  }

 private:
  // Candidates for the next node, in the order in which the front reached them.
  struct Front {
    std::vector<uint32_t> nodes;
    size_t next = 0;
  };

  // Chooses the nodes of a front that are still free; each of them adds further ones.
  void follow(Front& front) {
    for (; front.next < front.nodes.size(); ++front.next) {
      const uint32_t node = front.nodes[front.next];
      if (!blocked_[node]) choose(node);
    }
  }

  // Blocks the nodes around the chosen one, and adds the nearest others to the fronts.
  void choose(uint32_t node) {
    chosen_.push_back(node);
    blocked_[node] = true;
    reached_[node] = node;
    ring_.assign(1, node);
    for (uint32_t distance = 1; distance <= spacing; ++distance) {
      next_ring_.clear();
      for (const uint32_t from : ring_) {
        for (uint32_t i = graph_.begin[from]; i < graph_.begin[from + 1]; ++i)
          reach(graph_.neighbour[i], node, distance);
      }
      ring_.swap(next_ring_);
    }
  }

  void reach(uint32_t node, uint32_t source, uint32_t distance) {
    if (reached_[node] == source) return;
    reached_[node] = source;
    next_ring_.push_back(node);
    if (distance < spacing) {
      blocked_[node] = true;
    } else if (!blocked_[node]) {
      (places_[node] == Place::inside ? inside_ : at_border_).nodes.push_back(node);
    }
  }

  const Graph& graph_;
  const std::vector<Place>& places_;
  // [nodes] whether a chosen node is too near.
  std::vector<bool> blocked_;
  // [nodes] the last chosen node that reached it.
  std::vector<uint32_t> reached_;
  std::vector<uint32_t> chosen_;
  std::vector<uint32_t> ring_;
  std::vector<uint32_t> next_ring_;
  Front at_border_;
  Front inside_;
};

}  // namespace

std::vector<uint32_t> choose_nodes(const Graph& graph, const std::vector<Place>& places, bool alone,
                                   const std::vector<uint32_t>& kept) {
  return NodeChoice(graph, places).run(alone, kept);
}

}  // namespace clothc::cook
