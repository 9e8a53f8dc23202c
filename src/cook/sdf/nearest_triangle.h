// nearest_triangle.h - computes exact distances from points to the nearest of many triangles.
#pragma once

#include <cstdint>

#include "cook/sdf/bvh.h"

namespace clothc::cook {

// Returns the squared distance to the nearest point of the triangle, which may be inside it, on an edge or a corner. A
// triangle without area consists of its edges.
double squared_distance(Vector point, const Triangle& triangle);

class NearestTriangle {
 public:
  // The BVH must have a triangle and outlive this object.
  explicit NearestTriangle(const Bvh& bvh) : bvh_(bvh) {}

  // Returns the squared distance in m². It is quickest if the point of the previous call was near, because the triangle
  // nearest to that point bounds the search.
  double squared_distance_to(Vector point);

 private:
  const Bvh& bvh_;
  // The triangle found by the previous call.
  uint32_t latest_ = 0;
};

}  // namespace clothc::cook
