// nearest_triangle.h - the distance from points to the nearest of many triangles.
#pragma once

#include <cstdint>

#include "cook/sdf/bounding_tree.h"

namespace clothc::cook {

// To the nearest point of the triangle, corners, edges and inside; one without area is its edges.
double squared_distance(Vector point, const Triangle& triangle);

class NearestTriangle {
 public:
  // The tree has a triangle and outlives this.
  explicit NearestTriangle(const BoundingTree& tree) : tree_(tree) {}

  // m². Quickest where the point asked for before was near: its triangle bounds the search.
  double squared_distance_to(Vector point);

 private:
  const BoundingTree& tree_;
  uint32_t latest_ = 0;
};

}  // namespace clothc::cook
