// nearest_triangle.cpp - owns exact distances. The search goes through the boxes depth-first, the nearer child first,
// and skips boxes that are farther away than the nearest triangle found so far.
#include "cook/sdf/nearest_triangle.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace clothc::cook {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// from: the vector from the start of the segment to the point. along: the segment.
double squared_distance_to_segment(Vector from, Vector along) {
  const double size = dot(along, along);
  const double t = size > 0 ? std::min(std::max(dot(from, along) / size, 0.0), 1.0) : 0;
  const Vector rest = from - t * along;
  return dot(rest, rest);
}

double outside(double low, double x, double high) { return std::max(std::max(low - x, x - high), 0.0); }

double squared_distance_to_box(Vector point, const BoundingBox& box) {
  const double x = outside(box.low.x, point.x, box.high.x);
  const double y = outside(box.low.y, point.y, box.high.y);
  const double z = outside(box.low.z, point.z, box.high.z);
  return x * x + y * y + z * z;
}

}  // namespace

// If the point projects into the triangle, the nearest point is that projection. Otherwise it is on an edge that has
// the point on its outer side.
double squared_distance(Vector point, const Triangle& triangle) {
  const Vector* c = triangle.corner;
  const Vector sides[3] = {c[1] - c[0], c[2] - c[1], c[0] - c[2]};
  const Vector normal = cross(sides[0], sides[1]);
  const double longest = std::max(std::max(dot(sides[0], sides[0]), dot(sides[1], sides[1])), dot(sides[2], sides[2]));
  const bool is_flat = dot(normal, normal) <= flatness * flatness * longest * longest;
  double nearest = infinity;
  for (size_t i = 0; i < 3; ++i) {
    const Vector from = point - c[i];
    if (!is_flat && dot(cross(normal, sides[i]), from) >= 0) continue;
    nearest = std::min(nearest, squared_distance_to_segment(from, sides[i]));
  }
  if (nearest < infinity) return nearest;
  const double height = dot(normal, point - c[0]);
  return height * height / dot(normal, normal);
}

double NearestTriangle::squared_distance_to(Vector point) {
  struct Visit {
    uint32_t node;
    double squared_distance;
  };
  Visit stack[Bvh::greatest_depth + 1];
  uint32_t size = 0;
  double nearest = squared_distance(point, bvh_.triangles[latest_]);
  stack[size++] = {0, 0};
  while (size > 0) {
    const Visit visit = stack[--size];
    if (visit.squared_distance >= nearest) continue;
    const BvhNode& node = bvh_.nodes[visit.node];
    if (!node.is_leaf()) {
      Visit near = {visit.node + 1, squared_distance_to_box(point, bvh_.nodes[visit.node + 1].box)};
      Visit far = {node.right, squared_distance_to_box(point, bvh_.nodes[node.right].box)};
      if (far.squared_distance < near.squared_distance) std::swap(near, far);
      if (far.squared_distance < nearest) stack[size++] = far;
      if (near.squared_distance < nearest) stack[size++] = near;
      continue;
    }
    for (uint32_t t = node.begin; t < node.end; ++t) {
      const double found = squared_distance(point, bvh_.triangles[t]);
      if (found >= nearest) continue;
      nearest = found;
      latest_ = t;
    }
  }
  return nearest;
}

}  // namespace clothc::cook
