// known_level.cpp - owns what counts as far from what changed. A node is as it was if it was kept and has the particles
// that it had. Links between such nodes are as they were, and so are particles of such a node that follow only kept nodes:
// what changed, and so any cut, lies in the clusters of other nodes. Beside these, a particle follows only nodes that its
// own one touches, because others may be beyond the cut.
#include "cook/hierarchy/known_level.h"

#include <algorithm>
#include <cstddef>

#include "cook/fabric_data.h"
#include "cook/hierarchy/levels.h"

namespace clothc::cook {
namespace {

class PartSearch {
 public:
  PartSearch(const KnownLevel& known, const std::vector<uint32_t>& chosen, const std::vector<uint32_t>& clusters,
             const std::vector<Pair>& touching)
      : known_(known), chosen_(chosen), clusters_(clusters), touching_(touching) {}

  KnownParts run(const std::vector<uint32_t>& kept) {
    number_known_nodes(kept);
    const std::vector<bool> is_changed = find_changed_nodes(), is_beside = with_neighbours(is_changed);
    // The nodes some of whose particles need parents, which are at most two neighbours away.
    std::vector<bool> needs_parents = is_changed;
    parts_.has_particle.assign(clusters_.size(), false);
    for (uint32_t p = 0; p < clusters_.size(); ++p) {
      if (clusters_[p] == no_index) continue;
      parts_.has_particle[p] = !is_changed[clusters_[p]] && has_parents(p, is_beside[clusters_[p]]);
      if (!parts_.has_particle[p]) needs_parents[clusters_[p]] = true;
    }
    parts_.is_searched = with_neighbours(with_neighbours(needs_parents));
    find_links(is_changed);
    return std::move(parts_);
  }

 private:
  void number_known_nodes(const std::vector<uint32_t>& kept) {
    parts_.node_of_known.assign(known_.particles.size(), no_index);
    for (size_t k = 0; k < known_.particles.size(); ++k) {
      if (!std::binary_search(kept.begin(), kept.end(), known_.particles[k])) continue;
      const auto found = std::lower_bound(chosen_.begin(), chosen_.end(), known_.particles[k]);
      parts_.node_of_known[k] = static_cast<uint32_t>(found - chosen_.begin());
    }
  }

  uint32_t node_of_known(uint32_t known) const { return known == no_index ? no_index : parts_.node_of_known[known]; }

  std::vector<bool> find_changed_nodes() const {
    std::vector<bool> is_changed(chosen_.size(), true);
    for (const uint32_t node : parts_.node_of_known) {
      if (node != no_index) is_changed[node] = false;
    }
    for (uint32_t p = 0; p < clusters_.size(); ++p) {
      const uint32_t before = node_of_known(known_.clusters[p]), now = clusters_[p];
      if (before == now) continue;
      for (const uint32_t node : {before, now}) {
        if (node != no_index) is_changed[node] = true;
      }
    }
    return is_changed;
  }

  std::vector<bool> with_neighbours(const std::vector<bool>& nodes) const {
    std::vector<bool> all = nodes;
    for (const Pair pair : touching_) {
      if (nodes[pair.first]) all[pair.second] = true;
      if (nodes[pair.second]) all[pair.first] = true;
    }
    return all;
  }

  bool has_parents(uint32_t particle, bool must_touch) const {
    for (size_t k = 0; k < parents_per_node; ++k) {
      const size_t at = k * clusters_.size() + particle;
      if (known_.weights[at] == 0) continue;
      const uint32_t own = clusters_[particle], parent = node_of_known(known_.parents[at]);
      if (parent == no_index) return false;
      const bool touches =
          parent == own || std::binary_search(touching_.begin(), touching_.end(), ordered(own, parent));
      if (must_touch && !touches) return false;
    }
    return true;
  }

  void find_links(const std::vector<bool>& is_changed) {
    parts_.links.assign(touching_.size(), no_index);
    for (uint32_t k = 0; k < known_.links.size(); ++k) {
      const uint32_t a = node_of_known(known_.links[k].nodes.first), b = node_of_known(known_.links[k].nodes.second);
      if (a == no_index || b == no_index || is_changed[a] || is_changed[b]) continue;
      const auto found = std::lower_bound(touching_.begin(), touching_.end(), ordered(a, b));
      if (found != touching_.end() && *found == ordered(a, b))
        parts_.links[static_cast<size_t>(found - touching_.begin())] = k;
    }
    for (size_t i = 0; i < touching_.size(); ++i) {
      if (parts_.links[i] == no_index)
        parts_.is_searched[touching_[i].first] = parts_.is_searched[touching_[i].second] = true;
    }
  }

  const KnownLevel& known_;
  const std::vector<uint32_t>& chosen_;
  const std::vector<uint32_t>& clusters_;
  const std::vector<Pair>& touching_;
  KnownParts parts_;
};

}  // namespace

std::vector<uint32_t> nodes_to_keep(const KnownLevel& known, const Graph& graph) {
  std::vector<bool> is_lost(known.particles.size(), false);
  const auto lose = [&](uint32_t particle) {
    if (known.clusters[particle] != no_index) is_lost[known.clusters[particle]] = true;
  };
  for (const uint32_t particle : known.changed) {
    lose(particle);
    for (uint32_t i = graph.begin[particle]; i < graph.begin[particle + 1]; ++i) lose(graph.neighbour[i]);
  }
  std::vector<uint32_t> kept;
  for (size_t k = 0; k < known.particles.size(); ++k) {
    if (!is_lost[k]) kept.push_back(known.particles[k]);
  }
  return kept;
}

KnownParts find_known_parts(const KnownLevel& known, const std::vector<uint32_t>& kept,
                            const std::vector<uint32_t>& chosen, const std::vector<uint32_t>& clusters,
                            const std::vector<Pair>& touching) {
  return PartSearch(known, chosen, clusters, touching).run(kept);
}

}  // namespace clothc::cook
