// solid.cpp - see solid.h.
#include "physics/solid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace physics {
namespace {

using Position = std::array<double, 3>;

Position operator-(const Position& a, const Position& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Position& a, const Position& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Position mix(const Position& a, const Position& b, double t) {
  return {a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t};
}
double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

// Returns the distance from the origin. Source: Ericson, Real-Time Collision Detection, 2005, section 5.1.5.
double distance_to_triangle(const Position& a, const Position& b, const Position& c) {
  const Position ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a), d3 = -dot(ab, b), d4 = -dot(ac, b), d5 = -dot(ab, c),
               d6 = -dot(ac, c);
  const double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
  Position nearest;
  if (d1 <= 0 && d2 <= 0) {
    nearest = a;
  } else if (d3 >= 0 && d4 <= d3) {
    nearest = b;
  } else if (vc <= 0 && d1 >= 0 && d3 <= 0) {
    nearest = mix(a, b, ratio(d1, d1 - d3));
  } else if (d6 >= 0 && d5 <= d6) {
    nearest = c;
  } else if (vb <= 0 && d2 >= 0 && d6 <= 0) {
    nearest = mix(a, c, ratio(d2, d2 - d6));
  } else if (va <= 0 && d4 >= d3 && d5 >= d6) {
    nearest = mix(b, c, ratio(d4 - d3, (d4 - d3) + (d5 - d6)));
  } else {
    const double sum = va + vb + vc, v = vb / sum, w = vc / sum;
    for (size_t axis = 0; axis < 3; ++axis) nearest[axis] = a[axis] + ab[axis] * v + ac[axis] * w;
  }
  return std::sqrt(dot(nearest, nearest));
}

// Returns on which side of an edge from a to b, seen from above, the z axis passes. If it meets the edge, the axis
// counts as moved by an infinitesimal length along x and by a far smaller one along y, so that all adjacent triangles
// agree.
bool passes_left(const Position& a, const Position& b) {
  const double area = a[0] * b[1] - a[1] * b[0];
  if (area != 0) return area > 0;
  return a[1] != b[1] ? a[1] > b[1] : b[0] > a[0];
}

}  // namespace

Solid::Solid(const std::vector<Vertex>& vertices, const std::vector<uint32_t>& triangles)
    : vertices_(vertices), triangles_(triangles) {
  double end[2];
  for (const size_t axis : {0, 1}) {
    const auto coordinate = [axis](const Vertex& v) { return static_cast<double>(axis == 0 ? v.x : v.y); };
    const auto less = [&](const Vertex& a, const Vertex& b) { return coordinate(a) < coordinate(b); };
    const auto ends = std::minmax_element(vertices.begin(), vertices.end(), less);
    begin_[axis] = coordinate(*ends.first);
    end[axis] = coordinate(*ends.second);
  }
  cell_ = std::max({end[0] - begin_[0], end[1] - begin_[1], 1e-9}) / 200;
  for (const size_t axis : {0, 1}) size_[axis] = static_cast<size_t>((end[axis] - begin_[axis]) / cell_) + 1;
  columns_.resize(size_[0] * size_[1]);
  for (size_t k = 0; k < triangles.size() / 3; ++k) {
    const std::array<Position, 3> c = corners(k, {0, 0, 0, 0});
    const auto x = std::minmax({c[0][0], c[1][0], c[2][0]}), y = std::minmax({c[0][1], c[1][1], c[2][1]});
    const size_t first = column(x.first, y.first), last = column(x.second, y.second);
    for (size_t row = first / size_[0]; row <= last / size_[0]; ++row) {
      for (size_t i = first % size_[0]; i <= last % size_[0]; ++i) columns_[row * size_[0] + i].push_back(k);
    }
  }
}

size_t Solid::column(double x, double y) const {
  const auto along = [&](double value, size_t axis) {
    return std::min(static_cast<size_t>(std::max((value - begin_[axis]) / cell_, 0.0)), size_[axis] - 1);
  };
  return along(y, 1) * size_[0] + along(x, 0);
}

std::array<Position, 3> Solid::corners(size_t triangle, const Point& origin) const {
  std::array<Position, 3> found;
  for (size_t k = 0; k < 3; ++k) {
    const Vertex& v = vertices_[triangles_[3 * triangle + k]];
    found[k] = {static_cast<double>(v.x) - static_cast<double>(origin.x),
                static_cast<double>(v.y) - static_cast<double>(origin.y),
                static_cast<double>(v.z) - static_cast<double>(origin.z)};
  }
  return found;
}

// Uses a ray upwards along z.
int Solid::winding(const Point& p) const {
  int windings = 0;
  for (const size_t k : columns_[column(static_cast<double>(p.x), static_cast<double>(p.y))]) {
    const std::array<Position, 3> c = corners(k, p);
    double areas[3];
    int lefts = 0;
    for (size_t e = 0; e < 3; ++e) {
      const size_t f = (e + 1) % 3;
      areas[e] = c[e][0] * c[f][1] - c[e][1] * c[f][0];
      lefts += passes_left(c[e], c[f]) ? 1 : 0;
    }
    if (lefts != 0 && lefts != 3) continue;
    const double height = areas[1] * c[0][2] + areas[2] * c[1][2] + areas[0] * c[2][2];
    if (lefts == 3 && height > 0) ++windings;
    if (lefts == 0 && height < 0) --windings;
  }
  return windings;
}

double Solid::distance(const Point& p) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (size_t k = 0; k < triangles_.size() / 3; ++k) {
    const std::array<Position, 3> c = corners(k, p);
    nearest = std::min(nearest, distance_to_triangle(c[0], c[1], c[2]));
  }
  return nearest;
}

}  // namespace physics
