// geodesics.h - the nearest sources of every particle, by distance along a surface.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"
#include "cook/topology/incidence.h"

namespace clothc::cook {

// A source that a particle has been reached from.
struct PathState {
  double distance;
  double root_distance;   // of the root from the source
  uint32_t source;        // no_index = none, at infinite distance
  uint32_t root;          // the particle where the path bends last, or the source: from there it is straight
  uint32_t settled;       // the distance has been handed on
  uint32_t reopen_count;  // how often it was found shorter after that
};

// Dijkstra's search from all sources at once, in which each particle keeps only its nearest sources.
class GeodesicSearch {
 public:
  // edges: pairs of neighbours. positions: [particles][4]. triangles: [][3]. The nearest `wanted` sources are found;
  // a particle has room for `width` >= wanted.
  GeodesicSearch(const std::vector<float>& positions, const std::vector<Pair>& edges,
                 const std::vector<uint32_t>& triangles, uint32_t wanted, uint32_t width);

  // Returns [particles][width], unordered within a particle, which may have a source more than once, by several roots.
  std::vector<PathState> run(const std::vector<uint32_t>& sources);

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

  struct Base {
    uint32_t first;
    uint32_t second;
  };

  void find_bends();
  bool is_on_border(uint32_t particle) const;
  bool is_wide(uint32_t particle) const;
  Base base_of(uint32_t triangle, uint32_t particle) const;  // the side opposite the particle
  void hand_on(uint32_t particle, const PathState& state);
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
  std::vector<float> longest_edge_;  // [particles]
  Incidence neighbours_;             // particles, not edges
  Incidence triangles_at_;
  std::vector<bool> bends_;        // [particles] paths may bend there: a hole's corner
  std::vector<PathState> states_;  // [particles][width]
  std::vector<Visit> queue_;       // heap
};

}  // namespace clothc::cook
