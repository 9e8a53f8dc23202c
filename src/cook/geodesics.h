// geodesics.h - the nearest sources of every particle, by distance along a surface.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/edges.h"
#include "cook/incidence.h"

namespace clothc::cook {

// A source that a particle has been reached from.
struct Reach {
  double distance;
  uint32_t source;  // no_index = none, at infinite distance
  uint32_t settled;
  uint32_t reopened;
};

// Dijkstra's search from all sources at once, in which each particle keeps only its nearest sources.
class GeodesicSearch {
 public:
  // edges: pairs of neighbours. positions: [particles][4]. triangles: [][3]. The nearest `wanted` sources are found;
  // a particle has room for `width` >= wanted.
  GeodesicSearch(const std::vector<float>& positions, const std::vector<Pair>& edges,
                 const std::vector<uint32_t>& triangles, uint32_t wanted, uint32_t width);

  // Returns [particles][width], unordered within a particle.
  std::vector<Reach> run(const std::vector<uint32_t>& sources);

 private:
  struct Visit {
    double distance;
    uint32_t particle;
    uint32_t source;
  };
  struct Later {
    bool operator()(const Visit& a, const Visit& b) const;
  };

  void offer(uint32_t particle, uint32_t source, double distance);
  Reach* find(uint32_t particle, uint32_t source);
  bool is_settled(uint32_t particle, uint32_t source);
  bool is_too_far(uint32_t particle, double distance) const;
  Reach* furthest(uint32_t particle);
  void cross_triangles(const Visit& visit);
  void cross(const Visit& visit, uint32_t base, uint32_t apex);

  const std::vector<float>& positions_;
  const std::vector<uint32_t>& triangles_;
  uint32_t wanted_;
  uint32_t width_;
  std::vector<float> longest_edge_;  // [particles]
  Incidence neighbours_;             // particles, not edges
  Incidence triangles_at_;
  std::vector<Reach> reaches_;  // [particles][width]
  std::vector<Visit> queue_;    // heap
};

}  // namespace clothc::cook
