// solid.h - the depth of a point inside a closed mesh, computed in double precision and independently of the library:
// by the intersections of a ray with the surface, and by the nearest of all triangles.
#pragma once

#include <array>

#include "support/world.h"

namespace physics {

class Solid {
 public:
  // triangles: three vertices each, counter-clockwise when seen from outside.
  Solid(const std::vector<Vertex>& vertices, const std::vector<uint32_t>& triangles);

  // Returns how often the surface winds around the point: 0 outside, 1 inside, 2 where the body overlaps itself.
  int winding(const Point& p) const;
  // Returns the distance to the nearest point of the surface.
  double distance(const Point& p) const;

 private:
  using Position = std::array<double, 3>;

  size_t column(double x, double y) const;
  std::array<Position, 3> corners(size_t triangle, const Point& origin) const;

  std::vector<Vertex> vertices_;
  std::vector<uint32_t> triangles_;
  // Triangles by the squares of a grid in x and y that their boxes overlap, so that a ray along z is tested against
  // few.
  double begin_[2], cell_;
  size_t size_[2];
  std::vector<std::vector<size_t>> columns_;
};

}  // namespace physics
