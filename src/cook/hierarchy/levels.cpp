// levels.cpp - owns the sequence of steps that makes one level after the other: choose nodes, divide the finer nodes into
// clusters, measure distances, move their ends to the centres of the clusters, find the parents of the finer nodes.
#include "cook/hierarchy/levels.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "cook/constraint_types.h"
#include "cook/fabric_data.h"
#include "cook/geometry.h"
#include "cook/hierarchy/border.h"
#include "cook/hierarchy/clusters.h"
#include "cook/hierarchy/graph.h"
#include "cook/hierarchy/interpolation.h"
#include "cook/hierarchy/level_search.h"
#include "cook/hierarchy/neighbours.h"
#include "cook/hierarchy/nodes.h"
#include "cook/hierarchy/particle_graph.h"

namespace clothc::cook {
namespace {

// A point that a distance ends at, and the point that it is moved to.
struct Move {
  Vector from, to;
};

// Returns a distance along the surface after both of its ends have moved. It grows in proportion to the straight
// distance, but by no more than the ends have moved by, and is not shorter than the straight distance.
double moved_length(double length, Move a, Move b) {
  const double before = cook::length(a.from - b.from), after = cook::length(a.to - b.to);
  const double moved = cook::length(a.to - a.from) + cook::length(b.to - b.from);
  const double scaled = before > 0 ? length * (after / before) : length;
  return std::max(after, std::min(std::max(scaled, length - moved), length + moved));
}

// What the next level is made from: the nodes of the last level, or the particles.
struct Nodes {
  Graph graph;
  std::vector<uint32_t> particles;
  std::vector<Vector> centres;
  std::vector<uint32_t> sizes;
  // Mean squares of the distances from the centre.
  std::vector<double> squares;
  std::vector<double> shares;
  std::vector<bool> is_soft;
  std::vector<Place> places;
};

class HierarchyBuilder {
 public:
  explicit HierarchyBuilder(const HierarchySource& source) : source_(source) {
    const uint32_t particle_count = static_cast<uint32_t>(source.positions.size() / 4);
    finer_.graph = make_particle_graph(source);
    for (uint32_t p = 0; p < particle_count; ++p) {
      finer_.particles.push_back(p);
      finer_.centres.push_back(position_of(source.positions, p));
    }
    finer_.sizes.assign(particle_count, 1);
    finer_.squares.assign(particle_count, 0.0);
    finer_.shares.assign(particle_count, 1.0);
    finer_.is_soft = source.is_soft;
    finer_.is_soft.resize(particle_count, false);
    finer_.places = find_places(finer_.graph);
    node_of_ = finer_.particles;
    length_to_.assign(particle_count, 0.0);
  }

  Hierarchy run() {
    Hierarchy hierarchy;
    while (add_level(hierarchy)) {
    }
    return hierarchy;
  }

 private:
  bool add_level(Hierarchy& hierarchy) {
    const KnownLevel* known = hierarchy.empty() ? source_.known : nullptr;
    std::vector<uint32_t> kept;
    if (known != nullptr) kept = nodes_to_keep(*known, finer_.graph);
    const std::vector<uint32_t> chosen = choose_nodes(finer_.graph, finer_.places, !hierarchy.empty(), kept);
    const std::vector<uint32_t> clusters = find_clusters(finer_.graph, chosen);
    const std::vector<Pair> touching = find_touching(finer_.graph, clusters);
    if (touching.empty()) return false;
    parts_ = known != nullptr ? find_known_parts(*known, kept, chosen, clusters, touching) : KnownParts{};
    LevelDistances distances = measure_level(finer_.graph, chosen, clusters, touching, parts_.is_searched);

    HierarchyLevel level;
    level.node_count = static_cast<uint32_t>(chosen.size());
    level.finer_count = finer_.graph.node_count;
    level.clusters = clusters;
    Nodes nodes = gather(chosen, clusters);
    add_members(level);
    add_parents(chosen, distances, level, nodes);
    measure_particles(chosen, distances, nodes, level);
    if (known != nullptr) move_known_from_centres(chosen, nodes, distances.links);
    nodes.graph = make_graph(level.node_count, distances.links, find_meeting(finer_.graph, clusters));
    move_to_centres(chosen, nodes, distances.links);
    add_neighbours(distances.links, nodes.is_soft, level);
    finish(nodes, level);
    finer_ = std::move(nodes);
    hierarchy.push_back(std::move(level));
    return true;
  }

  // Gathers from the finer nodes what each node is.
  Nodes gather(const std::vector<uint32_t>& chosen, const std::vector<uint32_t>& clusters) const {
    Nodes nodes;
    const size_t node_count = chosen.size();
    nodes.centres.assign(node_count, {0, 0, 0});
    nodes.sizes.assign(node_count, 0);
    nodes.squares.assign(node_count, 0.0);
    nodes.shares.assign(node_count, 0.0);
    nodes.is_soft.assign(node_count, false);
    for (const uint32_t node : chosen) {
      nodes.particles.push_back(finer_.particles[node]);
      nodes.places.push_back(finer_.places[node]);
    }
    for (size_t i = 0; i < clusters.size(); ++i) {
      const uint32_t node = clusters[i];
      if (node == no_index) continue;
      nodes.centres[node] = nodes.centres[node] + static_cast<double>(finer_.sizes[i]) * finer_.centres[i];
      nodes.sizes[node] += finer_.sizes[i];
      if (finer_.is_soft[i]) nodes.is_soft[node] = true;
    }
    for (size_t i = 0; i < node_count; ++i) nodes.centres[i] = 1.0 / nodes.sizes[i] * nodes.centres[i];
    for (size_t i = 0; i < clusters.size(); ++i) {
      const uint32_t node = clusters[i];
      if (node == no_index) continue;
      const Vector off = finer_.centres[i] - nodes.centres[node];
      nodes.squares[node] += (dot(off, off) + finer_.squares[i]) * finer_.sizes[i] / nodes.sizes[node];
    }
    return nodes;
  }

  static void add_members(HierarchyLevel& level) {
    level.member_begin.assign(size_t{level.node_count} + 1, 0);
    for (const uint32_t node : level.clusters) {
      if (node != no_index) ++level.member_begin[size_t{node} + 1];
    }
    for (uint32_t i = 0; i < level.node_count; ++i) level.member_begin[i + 1] += level.member_begin[i];
    level.members.resize(level.member_begin[level.node_count]);
    std::vector<uint32_t> next(level.member_begin.begin(), level.member_begin.end() - 1);
    for (uint32_t i = 0; i < level.finer_count; ++i) {
      if (level.clusters[i] != no_index) level.members[next[level.clusters[i]]++] = i;
    }
  }

  // Parents are where the nodes were chosen, not at the centres of clusters: at the border, centres lie inside.
  void add_parents(const std::vector<uint32_t>& chosen, const LevelDistances& distances, HierarchyLevel& level,
                   Nodes& nodes) const {
    level.parents.assign(size_t{parents_per_node} * level.finer_count, 0);
    level.weights.assign(level.parents.size(), 0.0f);
    std::vector<Parent> parents;
    for (uint32_t i = 0; i < level.finer_count; ++i) {
      if (level.clusters[i] == no_index) continue;
      if (has_known(i)) {
        copy_known_parents(i, level, nodes);
        continue;
      }
      parents.clear();
      const Vector at = position(finer_.particles[i]);
      // A node follows itself, also where another one is at the same place.
      const bool is_node = chosen[level.clusters[i]] == i;
      if (is_node) parents.push_back({level.clusters[i], {0, 0, 0}, 0});
      for (const NearNode& near : distances.nearest[i]) {
        if (is_node || near.node == no_index) continue;
        parents.push_back({near.node, position(finer_.particles[chosen[near.node]]) - at, near.distance});
      }
      const auto weights = find_weights(parents);
      for (size_t k = 0; k < parents_per_node; ++k) {
        const size_t row = k * level.finer_count + i;
        level.parents[row] = k < parents.size() ? parents[k].node : level.clusters[i];
        level.weights[row] = static_cast<float>(weights[k]);
        nodes.shares[level.parents[row]] += weights[k] * finer_.shares[i];
      }
    }
  }

  // Finds how far each particle may be from the centre of its node. The path leads past the centre of its finer node,
  // around whose corner the triangle of the three is closed.
  void measure_particles(const std::vector<uint32_t>& chosen, const LevelDistances& distances, const Nodes& nodes,
                         HierarchyLevel& level) {
    const size_t particle_count = node_of_.size();
    level.particle_lengths.assign(particle_count, longest_length);
    for (uint32_t p = 0; p < particle_count; ++p) {
      if (node_of_[p] == no_index || level.clusters[node_of_[p]] == no_index) {
        node_of_[p] = no_index;
        continue;
      }
      const uint32_t finer = node_of_[p], node = level.clusters[finer];
      if (has_known(finer)) {
        level.particle_lengths[p] = source_.known->particle_lengths[p];
        length_to_[p] = double{level.particle_lengths[p]};
        node_of_[p] = node;
        continue;
      }
      const Vector at = position(p), corner = finer_.centres[finer], centre = nodes.centres[node];
      const double along = moved_length(distances.from_own[finer], {position(finer_.particles[finer]), corner},
                                        {position(finer_.particles[chosen[node]]), centre});
      const double length = third_side(length_to_[p], along, cosine(at - corner, centre - corner));
      length_to_[p] = std::max(length, cook::length(at - centre));
      node_of_[p] = node;
      if (nodes.is_soft[node]) continue;
      level.particle_lengths[p] = static_cast<float>(std::min(length_to_[p], double{longest_length}));
    }
  }

  // Whether parts_ has a finer node. Only the first level has known parts.
  bool has_known(uint32_t finer) const { return !parts_.has_particle.empty() && parts_.has_particle[finer]; }

  void copy_known_parents(uint32_t particle, HierarchyLevel& level, Nodes& nodes) const {
    for (size_t k = 0; k < parents_per_node; ++k) {
      const size_t at = k * level.finer_count + particle;
      const float weight = source_.known->weights[at];
      level.parents[at] = weight == 0 ? level.clusters[particle] : parts_.node_of_known[source_.known->parents[at]];
      level.weights[at] = weight;
      nodes.shares[level.parents[at]] += double{weight};
    }
  }

  Move move_of(uint32_t node, const std::vector<uint32_t>& chosen, const Nodes& nodes) const {
    return {position(finer_.particles[chosen[node]]), nodes.centres[node]};
  }

  // Known lengths are those between centres. The next level needs those between the nodes themselves.
  void move_known_from_centres(const std::vector<uint32_t>& chosen, const Nodes& nodes,
                               std::vector<Link>& links) const {
    for (size_t i = 0; i < links.size(); ++i) {
      if (parts_.links[i] == no_index) continue;
      const Link& known = source_.known->links[parts_.links[i]];
      const Move first = move_of(links[i].nodes.first, chosen, nodes);
      const Move second = move_of(links[i].nodes.second, chosen, nodes);
      const Move first_back = {first.to, first.from}, second_back = {second.to, second.from};
      links[i].length = moved_length(known.length, first_back, second_back);
      links[i].edge_length = std::max(links[i].length, moved_length(known.edge_length, first_back, second_back));
    }
  }

  void move_to_centres(const std::vector<uint32_t>& chosen, const Nodes& nodes, std::vector<Link>& links) const {
    for (size_t i = 0; i < links.size(); ++i) {
      Link& link = links[i];
      if (!parts_.links.empty() && parts_.links[i] != no_index) {
        link.length = source_.known->links[parts_.links[i]].length;
        link.edge_length = source_.known->links[parts_.links[i]].edge_length;
        continue;
      }
      const Move first = move_of(link.nodes.first, chosen, nodes), second = move_of(link.nodes.second, chosen, nodes);
      link.length = moved_length(link.length, first, second);
      link.edge_length = std::max(link.length, moved_length(link.edge_length, first, second));
    }
  }

  static void finish(const Nodes& nodes, HierarchyLevel& level) {
    level.particles = nodes.particles;
    level.sizes = nodes.sizes;
    for (uint32_t i = 0; i < level.node_count; ++i) {
      level.shares.push_back(static_cast<float>(nodes.shares[i]));
      level.spreads.push_back(static_cast<float>(std::sqrt(nodes.squares[i])));
      for (const double axis : {nodes.centres[i].x, nodes.centres[i].y, nodes.centres[i].z}) {
        level.centres.push_back(static_cast<float>(axis));
      }
    }
  }

  // Returns the side of a triangle that is opposite the corner between the sides a and b.
  static double third_side(double a, double b, double cosine) {
    return std::sqrt(std::max(a * a + b * b - 2 * a * b * cosine, 0.0));
  }

  static double cosine(Vector a, Vector b) {
    const double size = length(a) * length(b);
    return size > 0 ? dot(a, b) / size : 0;
  }

  Vector position(uint32_t particle) const { return position_of(source_.positions, particle); }

  const HierarchySource& source_;
  Nodes finer_;
  // What is known of the level that is being made.
  KnownParts parts_;
  // [particles] the node of the last level that each particle belongs to, and how far it may be from its centre.
  std::vector<uint32_t> node_of_;
  std::vector<double> length_to_;
};

}  // namespace

Hierarchy find_hierarchy(const HierarchySource& source) { return HierarchyBuilder(source).run(); }

}  // namespace clothc::cook
