// level_search.cpp - owns the searches from every node of a level over the finer nodes around it.
#include "cook/hierarchy/level_search.h"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "cook/fabric_data.h"
#include "cook/hierarchy/surface_search.h"
#include "cook/topology/incidence.h"

namespace clothc::cook {
namespace {

constexpr double not_reached = std::numeric_limits<double>::infinity();

class LevelSearch {
 public:
  LevelSearch(const Graph& finer, const std::vector<uint32_t>& chosen, const std::vector<uint32_t>& clusters,
              const std::vector<Pair>& touching)
      : chosen_(chosen), clusters_(clusters), touching_(touching), search_(finer) {
    const uint32_t node_count = static_cast<uint32_t>(chosen.size());
    pairs_of_ = find_incidence(node_count, static_cast<uint32_t>(touching.size()), 2, [&](uint32_t i, uint32_t end) {
      return end == 0 ? touching[i].first : touching[i].second;
    });
    for (uint32_t i = 0; i < clusters.size(); ++i) {
      if (clusters[i] != no_index) clustered_.push_back(i);
    }
    members_of_ = find_incidence(node_count, static_cast<uint32_t>(clustered_.size()), 1,
                                 [&](uint32_t i, uint32_t) { return clusters[clustered_[i]]; });
    for (size_t i = 0; i < finer.length.size(); ++i) {
      has_diagonals_ = has_diagonals_ || !is_along_edges(finer.length[i], finer.edge_length[i]);
    }
  }

  LevelDistances run(const std::vector<bool>& is_searched) {
    for (const Pair pair : touching_) found_.links.push_back({pair, not_reached, not_reached});
    found_.nearest.assign(clusters_.size(), {});
    for (auto& nearest : found_.nearest) nearest.fill({no_index, not_reached});
    found_.from_own.assign(clusters_.size(), not_reached);
    for (uint32_t node = 0; node < chosen_.size(); ++node) {
      if (is_searched.empty() || is_searched[node]) search_from(node);
    }
    for (Link& link : found_.links) link.edge_length = std::max(link.edge_length, link.length);
    return std::move(found_);
  }

 private:
  void search_from(uint32_t node) {
    wanted_.clear();
    for_each_pair(node, [&](Link& link) { wanted_.push_back(chosen_[link.nodes.other(node)]); });
    const size_t neighbour_count = wanted_.size();
    for (uint32_t i = members_of_.begin[node]; i < members_of_.begin[node + 1]; ++i) {
      wanted_.push_back(clustered_[members_of_.item[i]]);
    }
    search_.run(chosen_[node], wanted_, Paths::surface);
    // The shorter one of the distances there and back, which differ where one of the searches has missed a path.
    for_each_pair(node, [&](Link& link) {
      link.length = std::min(link.length, search_.distance(chosen_[link.nodes.other(node)]));
      if (!has_diagonals_) link.edge_length = link.length;
    });
    for (const uint32_t reached : search_.reached()) {
      const double distance = search_.distance(reached);
      if (clusters_[reached] == node) found_.from_own[reached] = distance;
      insert({node, distance}, found_.nearest[reached]);
    }
    if (!has_diagonals_) return;
    wanted_.resize(neighbour_count);
    search_.run(chosen_[node], wanted_, Paths::edges);
    for_each_pair(node, [&](Link& link) {
      link.edge_length = std::min(link.edge_length, search_.distance(chosen_[link.nodes.other(node)]));
    });
  }

  template <class Function>
  void for_each_pair(uint32_t node, Function function) {
    for (uint32_t i = pairs_of_.begin[node]; i < pairs_of_.begin[node + 1]; ++i) {
      function(found_.links[pairs_of_.item[i]]);
    }
  }

  // Keeps the nearest nodes; those of lower index where several are equally near, because they are searched first.
  static void insert(NearNode found, std::array<NearNode, parents_per_node>& nearest) {
    for (NearNode& one : nearest) {
      if (found.distance < one.distance) std::swap(found, one);
    }
  }

  const std::vector<uint32_t>& chosen_;
  const std::vector<uint32_t>& clusters_;
  const std::vector<Pair>& touching_;
  SurfaceSearch search_;
  Incidence pairs_of_;
  // The finer nodes that are in a cluster, and the indices of each cluster's ones.
  std::vector<uint32_t> clustered_;
  Incidence members_of_;
  bool has_diagonals_ = false;
  std::vector<uint32_t> wanted_;
  LevelDistances found_;
};

}  // namespace

LevelDistances measure_level(const Graph& finer, const std::vector<uint32_t>& chosen,
                             const std::vector<uint32_t>& clusters, const std::vector<Pair>& touching,
                             const std::vector<bool>& is_searched) {
  return LevelSearch(finer, chosen, clusters, touching).run(is_searched);
}

}  // namespace clothc::cook
