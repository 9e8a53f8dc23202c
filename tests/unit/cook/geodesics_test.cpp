// geodesics_test.cpp - compares tether lengths with exact geodesics around a rectangular hole in a flat sheet and on a
// prism, whose side unrolls into a plane. Both meshes have irregular triangles.
#include "cook/constraints/geodesics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include "cook/geometry.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::geodesics_test {
namespace {

struct Point {
  double x, y;
};

double length(Point a, Point b) { return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y)); }

// Cuts quads into triangles along randomly chosen diagonals.
MeshData cut_at_random(MeshData mesh) {
  for (size_t i = 0; i < mesh.quads.size(); i += 4) {
    const uint32_t* q = &mesh.quads[i];
    if (test::noise(i + 77) > 0) {
      mesh.triangles.insert(mesh.triangles.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
    } else {
      mesh.triangles.insert(mesh.triangles.end(), {q[0], q[1], q[3], q[1], q[2], q[3]});
    }
  }
  mesh.quads.clear();
  return mesh;
}

struct Rectangle {
  double low, high;

  // Returns whether the segment passes through the inside.
  bool cuts(Point a, Point b) const {
    double first = 0, last = 1;
    const double from[2] = {a.x, a.y}, along[2] = {b.x - a.x, b.y - a.y};
    for (int axis = 0; axis < 2; ++axis) {
      const double margin = 1e-7;
      if (along[axis] == 0) {
        if (from[axis] <= low + margin || from[axis] >= high - margin) return false;
        continue;
      }
      double enter = (low + margin - from[axis]) / along[axis], leave = (high - margin - from[axis]) / along[axis];
      if (enter > leave) std::swap(enter, leave);
      first = std::max(first, enter);
      last = std::min(last, leave);
    }
    return first < last;
  }
};

// Returns the length of the shortest path around the rectangle. It bends only at the rectangle's corners, so the
// Floyd-Warshall algorithm runs over these and the two ends.
double around(const Rectangle& hole, Point from, Point to) {
  const Point node[6] = {
      from, to, {hole.low, hole.low}, {hole.high, hole.low}, {hole.low, hole.high}, {hole.high, hole.high}};
  double path[6][6];
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      path[i][j] = hole.cuts(node[i], node[j]) ? std::numeric_limits<double>::infinity() : length(node[i], node[j]);
    }
  }
  for (int k = 0; k < 6; ++k) {
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < 6; ++j) path[i][j] = std::min(path[i][j], path[i][k] + path[k][j]);
    }
  }
  return path[0][1];
}

// Makes a square of 10 m with a hole of 4 m. Inner vertices are moved by up to `irregularity` of an edge; more than a
// quarter could turn triangles over.
MeshData make_holed_square(uint32_t n, float irregularity, Rectangle& hole) {
  MeshData mesh = test::make_points(n + 1, n + 1);
  const uint32_t low = n * 3 / 10, high = n * 7 / 10;
  hole = {low * 10.0 / n, high * 10.0 / n};
  for (uint32_t v = 0; v < (n + 1) * (n + 1); ++v) {
    const uint32_t x = v % (n + 1), y = v / (n + 1);
    const bool near_hole = x >= low && x <= high && y >= low && y <= high;
    const float move = x == 0 || y == 0 || x == n || y == n || near_hole ? 0 : irregularity;
    mesh.positions[v * 3] = (static_cast<float>(x) + move * test::noise(v)) * 10 / static_cast<float>(n);
    mesh.positions[v * 3 + 1] = (static_cast<float>(y) + move * test::noise(v + 1000000)) * 10 / static_cast<float>(n);
    if (x == n || y == n || (x >= low && x < high && y >= low && y < high)) continue;
    mesh.quads.insert(mesh.quads.end(), {v, v + 1, v + n + 2, v + n + 1});
  }
  return cut_at_random(mesh);
}

struct Errors {
  double mean = 0, largest = 0;
};

// Computes relative errors of the tether lengths and prints a line of the table.
Errors measure(const char* name, const FabricData& fabric, const std::function<double(uint32_t, uint32_t)>& exact) {
  Errors errors;
  uint32_t count = 0;
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    const uint32_t anchor = fabric.tether_anchors[p];
    if (anchor == p) continue;
    const double wanted = exact(anchor, p);

    const double error = std::fabs(double{fabric.tether_lengths[p]} - wanted) / wanted;
    errors.mean += error;
    errors.largest = std::max(errors.largest, error);
    ++count;
  }
  errors.mean /= std::max(count, 1u);
  std::printf("  %-28s %6u tethers: error %8.5f %% on average, %8.5f %% at most\n", name, count, errors.mean * 100,
              errors.largest * 100);
  return errors;
}

TEST(Geodesics, around_a_hole_in_a_flat_sheet_of_irregular_triangles_are_within_one_per_cent) {
  for (const uint32_t n : {10u, 20u, 40u, 80u}) {
    for (const float irregularity : {0.0f, 0.15f, 0.25f}) {
      Rectangle hole;
      MeshData mesh = make_holed_square(n, irregularity, hole);
      test::pin(mesh, {n / 5 * (n + 1)});
      const FabricData fabric = test::cook_checked(mesh);
      const auto at = [&](uint32_t p) {
        return Point{double{fabric.positions[p * 4]}, double{fabric.positions[p * 4 + 1]}};
      };
      char name[64];
      std::snprintf(name, sizeof name, "hole, %u x %u, moved by %.2f", n, n, double{irregularity});
      const Errors errors =
          measure(name, fabric, [&](uint32_t anchor, uint32_t p) { return around(hole, at(anchor), at(p)); });
      EXPECT_LT(errors.largest, 0.01);
    }
  }
}

TEST(Geodesics, on_a_prism_are_those_of_the_unrolled_plane_within_one_per_cent) {
  for (const uint32_t sides : {8u, 24u, 64u}) {
    for (const float irregularity : {0.0f, 0.4f}) {
      const uint32_t rows = sides * 3 / 4;
      MeshData mesh = test::make_tube(sides, rows);
      // Position of each edge of the prism in the unrolled plane.
      std::vector<double> side_at(sides + 1, 0.0);
      for (uint32_t i = 0; i < sides; ++i) {
        const float* a = &mesh.positions[i * 3];
        const float* b = &mesh.positions[(i + 1) % sides * 3];
        side_at[i + 1] = side_at[i] + length({double{a[0]}, double{a[2]}}, {double{b[0]}, double{b[2]}});
      }
      const double edge = side_at[sides] / sides;
      for (uint32_t v = 0; v < sides * rows; ++v) {
        // The rims are straight, so that no path would leave the side.
        const bool on_rim = v / sides == 0 || v / sides == rows - 1;
        const double row = v / sides + (on_rim ? 0.0 : double{irregularity} * double{test::noise(v)});
        mesh.positions[v * 3 + 1] = static_cast<float>(row * edge);
      }
      mesh = cut_at_random(mesh);
      test::pin(mesh, {0});
      const FabricData fabric = test::cook_checked(mesh);
      char name[64];
      std::snprintf(name, sizeof name, "prism of %u, moved by %.1f", sides, double{irregularity});
      const Errors errors = measure(name, fabric, [&](uint32_t anchor, uint32_t p) {
        const double across = side_at[p % sides] - side_at[anchor % sides];
        const double up = double{fabric.positions[p * 4 + 1]} - double{fabric.positions[anchor * 4 + 1]};
        return length({0, 0}, {std::min(across, side_at[sides] - across), up});
      });
      EXPECT_LT(errors.largest, 0.01);
    }
  }
}

// Three flaps share one spine. A path over the spine unfolds two of them into a plane, whichever flap it enters.
TEST(Geodesics, cross_a_non_manifold_edge_into_every_flap) {
  const uint32_t n = 16;
  MeshData mesh;
  const float out[3][2] = {{1, 0}, {-0.6f, 0.8f}, {0, -1}};
  const uint32_t spine = (n + 1) * n * 3;
  for (uint32_t flap = 0; flap < 3; ++flap) {
    for (uint32_t i = 0; i < n; ++i) {
      for (uint32_t j = 0; j <= n; ++j) {
        const float x = static_cast<float>(i + 1) / n, y = static_cast<float>(j) / n;
        mesh.positions.insert(mesh.positions.end(), {x * out[flap][0], y, x * out[flap][1]});
        const uint32_t at = (flap * n + i) * (n + 1) + j, inner = i == 0 ? spine + j : at - n - 1;
        if (j < n) mesh.quads.insert(mesh.quads.end(), {inner, inner + 1, at + 1, at});
      }
    }
  }
  for (uint32_t j = 0; j <= n; ++j) mesh.positions.insert(mesh.positions.end(), {0, static_cast<float>(j) / n, 0});
  mesh = cut_at_random(mesh);
  const uint32_t pinned = (n / 2) * (n + 1) + 3;
  test::pin(mesh, {pinned});
  const FabricData fabric = test::cook_checked(mesh);
  const auto at = [&](uint32_t p) {
    const float* x = &fabric.positions[p * 4];
    return Point{std::sqrt(double{x[0]} * double{x[0]} + double{x[2]} * double{x[2]}), double{x[1]}};
  };
  const Errors errors = measure("three flaps", fabric, [&](uint32_t anchor, uint32_t p) {
    const bool same_flap = p / ((n + 1) * n) == 0;
    return length({-at(anchor).x, at(anchor).y}, {same_flap ? -at(p).x : at(p).x, at(p).y});
  });
  EXPECT_LT(errors.largest, 0.01);
}

TEST(Geodesics, several_tethers_around_a_hole_each_have_their_own_path) {
  Rectangle hole;
  const uint32_t n = 30;
  MeshData mesh = make_holed_square(n, 0.25f, hole);
  test::pin(mesh, {0, n, n * (n + 1)});
  mesh.tethers_per_particle = 3;
  const FabricData fabric = test::cook_checked(mesh);
  const auto at = [&](uint32_t p) {
    return Point{double{fabric.positions[p * 4]}, double{fabric.positions[p * 4 + 1]}};
  };
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    if (fabric.tether_anchors[p] == p) continue;
    std::vector<double> wanted;
    for (const uint32_t pin : {0u, n, n * (n + 1)}) wanted.push_back(around(hole, at(pin), at(p)));
    std::sort(wanted.begin(), wanted.end());
    for (uint32_t t = 0; t < 3; ++t) {
      EXPECT_NEAR(fabric.tether_lengths[t * fabric.particle_count + p], wanted[t], 0.01 * wanted[t]) << p;
    }
  }
}

// On a frayed border every vertex is a corner and hides a little of the sheet from the next one.
TEST(Geodesics, along_frayed_borders_and_over_small_bumps_are_hardly_longer_than_straight_ones) {
  const uint32_t columns = 33;
  MeshData mesh = test::make_quad_sheet(columns, 25);
  uint32_t state = 1;
  for (float& x : mesh.positions) {
    state = state * 1664525u + 1013904223u;
    x += 0.03125f * static_cast<float>(state >> 16) / 65536.0f;
  }
  test::pin(mesh, {0, columns - 1});
  const FabricData fabric = test::cook_checked(mesh);
  const Errors errors = measure("frayed and bumpy", fabric, [&](uint32_t anchor, uint32_t p) {
    return cook::distance(fabric.positions, anchor, p);
  });
  EXPECT_LT(errors.largest, 0.01);
}

}  // namespace
}  // namespace clothc::geodesics_test
