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

// A point is on the line between two parents if the sine of the angle that they make there is at most this.
constexpr double most_sine = 1e-3;

// Other parents than the two nearest ones are at least as many times as far away.
constexpr double least_ratio = 1.1;

double squared(double a) { return a * a; }

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

// Coordinates of a parent in the plane, in units of the farthest parent's distance, and the weight v.
struct PlanarParent {
  double x, y, v;
};

using Weights = std::array<double, parents_per_node>;

// Returns the corrected weights of those parents whose v is not 0. They may be negative.
Weights correct(const std::array<PlanarParent, parents_per_node>& parents) {
  double sum = 0;
  for (const PlanarParent& parent : parents) sum += parent.v;
  std::array<std::array<double, 3>, 3> moments = {};
  for (const PlanarParent& parent : parents) {
    const double terms[3] = {1, parent.x, parent.y};
    for (size_t j = 0; j < 3; ++j) {
      for (size_t k = 0; k < 3; ++k) moments[j][k] += parent.v / sum * terms[j] * terms[k];
    }
  }
  // The sum of v is 1 already, once it is divided by the sum.
  const std::array<double, 3> factors = solve(moments, {0, -moments[1][0], -moments[2][0]});
  Weights weights = {};
  for (size_t i = 0; i < parents_per_node; ++i) {
    const double correction = factors[0] + factors[1] * parents[i].x + factors[2] * parents[i].y;
    weights[i] = parents[i].v / sum * (1 + correction);
  }
  return weights;
}

// Returns whether the point is on the line between two parents.
bool is_between(const Parent& a, const Parent& b) {
  const double product = dot(a.offset, b.offset);
  const Vector normal = cross(a.offset, b.offset);
  return product < 0 && dot(normal, normal) <= squared(most_sine * product);
}

// Returns whether the parents i and j have the point between them, and are nearer to it than all others.
bool are_next_to_point(const std::vector<Parent>& parents, size_t i, size_t j) {
  const double farther = std::max(parents[i].distance, parents[j].distance);
  for (size_t k = 0; k < parents.size(); ++k) {
    if (k != i && k != j && parents[k].distance < least_ratio * farther) return false;
  }
  return is_between(parents[i], parents[j]);
}

// Gives weights to two parents that have the point between them, if they are the nearest ones.
bool find_weights_on_line(const std::vector<Parent>& parents, Weights& weights) {
  for (size_t i = 0; i < parents.size(); ++i) {
    for (size_t j = i + 1; j < parents.size(); ++j) {
      if (!are_next_to_point(parents, i, j)) continue;
      const double sum = parents[i].distance + parents[j].distance;
      weights[i] = parents[j].distance / sum;
      weights[j] = parents[i].distance / sum;
      return true;
    }
  }
  return false;
}

}  // namespace

Weights find_weights(const std::vector<Parent>& parents) {
  Weights weights = {};
  double farthest = 0;
  for (size_t i = 0; i < parents.size(); ++i) {
    // The point is at this node.
    if (!(parents[i].distance > 0)) {
      weights[i] = 1;
      return weights;
    }
    farthest = std::max(farthest, parents[i].distance);
  }
  if (find_weights_on_line(parents, weights)) return weights;
  const Plane plane = find_plane(parents);
  std::array<PlanarParent, parents_per_node> planar = {};
  for (size_t i = 0; i < parents.size(); ++i) {
    const double near = farthest / parents[i].distance;
    planar[i] = {dot(parents[i].offset, plane.x) / farthest, dot(parents[i].offset, plane.y) / farthest, near * near};
  }
  // Beyond the outermost nodes some weights are negative. The parents that have them are left out, one after the other.
  for (size_t left = parents.size(); left > 0; --left) {
    weights = correct(planar);
    const size_t least = static_cast<size_t>(std::min_element(weights.begin(), weights.end()) - weights.begin());
    if (weights[least] >= 0) break;
    planar[least].v = 0;
  }
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace clothc::cook
