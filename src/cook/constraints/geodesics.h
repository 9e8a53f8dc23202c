// geodesics.h - finds the nearest sources of every particle, by distance along a surface.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/incidence.h"

namespace clothc::cook {

// A path from a source to a particle. Distances are along the surface, in m.
struct PathState {
  // From the source to the particle; infinite if there is no path.
  double distance;
  // From the source to the root.
  double root_distance;
  // no_index if there is no path.
  uint32_t source;
  // The last particle at which the path bends, or the source. From there on the path is straight.
  uint32_t root;
  // 1 once the path has been extended to the neighbours of the particle.
  uint32_t expanded;
  // How often a shorter distance was found after that.
  uint32_t reopen_count;
};

// Dijkstra's search from all sources at once. Each particle keeps only the paths from its nearest sources.
class GeodesicSearch {
 public:
  // edges: pairs of neighbours. positions: [particles][4]. triangles: [][3]. The search finds the nearest `wanted`
  // sources of each particle, and keeps up to `width` >= wanted paths per particle; more where paths may bend, see
  // width().
  GeodesicSearch(const std::vector<float>& positions, const std::vector<Pair>& edges,
                 const std::vector<uint32_t>& triangles, uint32_t wanted, uint32_t width);

  // Returns [particles][width()] paths. Those of a particle are in no order, and several may come from the same source
  // by different roots.
  std::vector<PathState> run(const std::vector<uint32_t>& sources);

  // Number of paths per particle in the result of run.
  uint32_t width() const { return width_; }

 private:
  struct Visit {
    double distance;
    uint32_t particle;
    uint32_t source;
    uint32_t root;
  };
  struct Later {
    bool operator()(const Visit& a, const Visit& b) const;
  };

  // The side of a triangle opposite a particle.
  struct Base {
    uint32_t first;
    uint32_t second;
  };

  void find_bends();
  bool is_on_border(uint32_t particle) const;
  bool is_wide(uint32_t particle) const;
  Base base_of(uint32_t triangle, uint32_t particle) const;
  void expand(uint32_t particle, const PathState& state);
  void offer(uint32_t particle, const PathState& from, double distance);
  PathState* find(uint32_t particle, uint32_t source, uint32_t root);
  bool is_too_far(uint32_t particle, uint32_t source, double distance) const;
  PathState* slot_for(uint32_t particle, uint32_t source);
  bool is_nearly_straight(uint32_t particle, const PathState& state) const;
  const PathState* find_nearest(uint32_t particle, uint32_t source) const;
  const PathState* find_nearly_straight(uint32_t particle, const PathState& state) const;
  void cross_triangles(uint32_t particle, const PathState& state);
  void cross(uint32_t particle, const PathState& state, uint32_t base, uint32_t apex);

  const std::vector<float>& positions_;
  const std::vector<uint32_t>& triangles_;
  uint32_t wanted_;
  uint32_t width_;
  // [particles] length of the longest edge at each particle, in m.
  std::vector<float> longest_edge_;
  // The items are the neighbouring particles, not edges.
  Incidence neighbours_;
  Incidence triangles_at_;
  // [particles] whether paths may bend at the particle, as at the corner of a hole.
  std::vector<bool> bends_;
  // [particles][width].
  std::vector<PathState> states_;
  // A heap.
  std::vector<Visit> queue_;
};

}  // namespace clothc::cook
