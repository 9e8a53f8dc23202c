// interpolation.cpp - owns the weights of parents. Weights v by the inverse square of the distance are corrected to
//   w = v (1 + a + b x + c y),   sum of w = 1,   sum of w x = sum of w y = 0,
// where x and y are the parents' coordinates in a plane, with the point at the origin. Of all weights that reproduce
// linear functions these have the least sum of (w - v)^2 / v. Source: Shepard 1968, "A two-dimensional interpolation
// function for irregularly-spaced data"; moving least squares of first order (Lancaster and Salkauskas 1981).
#include "cook/hierarchy/interpolation.h"

#include <algorithm>
#include <cstddef>

namespace clothc::cook {
namespace {

// Pivots below this fraction of the sum of weights count as zero: the parents are on a line or at one point.
constexpr double least_pivot = 1e-9;

struct Plane {
  Vector x, y;
};

Vector scaled_to(Vector a, double size) {
  const double current = length(a);
  return current > 0 ? size / current * a : Vector{0, 0, 0};
}

// Returns the axes of a plane through the parents: x towards the farthest of them from the first one. Normals of all
// pairs are added up, turned to the side of the first one.
Plane find_plane(const std::vector<Parent>& parents) {
  Vector normal = {0, 0, 0}, farthest = {0, 0, 0};
  for (size_t i = 1; i < parents.size(); ++i) {
    const Vector a = parents[i].offset - parents[0].offset;
    if (dot(a, a) > dot(farthest, farthest)) farthest = a;
    for (size_t j = i + 1; j < parents.size(); ++j) {
      const Vector n = cross(a, parents[j].offset - parents[0].offset);
      normal = dot(n, normal) < 0 ? normal - n : normal + n;
    }
  }
  normal = scaled_to(normal, 1);
  const Vector x = scaled_to(farthest - dot(farthest, normal) * normal, 1);
  return {x, cross(normal, x)};
}

// Solves the symmetric system A k = r by elimination. A is the sum of v (1 x y) (1 x y)^T, so no pivot is negative, and
// where one is zero its unknown is free and becomes 0.
std::array<double, 3> solve(std::array<std::array<double, 3>, 3> a, std::array<double, 3> r) {
  std::array<bool, 3> used;
  for (size_t i = 0; i < 3; ++i) {
    used[i] = a[i][i] > least_pivot;
    if (!used[i]) continue;
    for (size_t j = i + 1; j < 3; ++j) {
      const double factor = a[j][i] / a[i][i];
      for (size_t k = i; k < 3; ++k) a[j][k] -= factor * a[i][k];
      r[j] -= factor * r[i];
    }
  }
  std::array<double, 3> result = {0, 0, 0};
  for (size_t i = 3; i-- > 0;) {
    if (!used[i]) continue;
    double sum = r[i];
    for (size_t k = i + 1; k < 3; ++k) sum -= a[i][k] * result[k];
    result[i] = sum / a[i][i];
  }
  return result;
}

}  // namespace

std::array<double, parents_per_node> find_weights(const std::vector<Parent>& parents) {
  std::array<double, parents_per_node> weights = {};
  double farthest = 0, sum = 0;
  for (size_t i = 0; i < parents.size(); ++i) {
    // The point is at this node.
    if (!(parents[i].distance > 0)) {
      weights = {};
      weights[i] = 1;
      return weights;
    }
    farthest = std::max(farthest, parents[i].distance);
  }
  for (size_t i = 0; i < parents.size(); ++i) {
    const double near = farthest / parents[i].distance;
    sum += weights[i] = near * near;
  }
  const Plane plane = find_plane(parents);
  std::array<std::array<double, 3>, parents_per_node> terms;
  std::array<std::array<double, 3>, 3> moments = {};
  for (size_t i = 0; i < parents.size(); ++i) {
    weights[i] /= sum;
    terms[i] = {1, dot(parents[i].offset, plane.x) / farthest, dot(parents[i].offset, plane.y) / farthest};
    for (size_t j = 0; j < 3; ++j) {
      for (size_t k = 0; k < 3; ++k) moments[j][k] += weights[i] * terms[i][j] * terms[i][k];
    }
  }
  // The sum of v is 1 already.
  const std::array<double, 3> factors = solve(moments, {0, -moments[1][0], -moments[2][0]});
  sum = 0;
  for (size_t i = 0; i < parents.size(); ++i) {
    const double correction = 1 + factors[0] + factors[1] * terms[i][1] + factors[2] * terms[i][2];
    sum += weights[i] = std::max(weights[i] * correction, 0.0);
  }
  for (size_t i = 0; i < parents.size(); ++i) weights[i] /= sum;
  return weights;
}

}  // namespace clothc::cook
