// nearest_triangle_test.cpp - compares the distance to a triangle with the distances to points all over it, and the BVH
// with a search through all triangles.
#include "cook/sdf/nearest_triangle.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "unit/cook/mesh_list.h"

namespace clothc::cook_nearest_triangle_test {
namespace {

using cook::NearestTriangle;
using cook::squared_distance;
using cook::Triangle;
using cook::Vector;

Vector random_point(uint64_t seed) {
  return {double{test::noise(seed * 3)}, double{test::noise(seed * 3 + 1)}, double{test::noise(seed * 3 + 2)}};
}

// The nearest sample point is within a hundredth of the sides of the nearest point.
TEST(NearestTriangle, no_point_of_a_triangle_is_nearer_than_its_distance) {
  for (uint64_t i = 0; i < 200; ++i) {
    const Vector a = random_point(i * 4), b = random_point(i * 4 + 1), c = random_point(i * 4 + 2);
    const Vector p = random_point(i * 4 + 3);
    const double distance = std::sqrt(squared_distance(p, {{a, b, c}}));
    double least = 1e9;
    for (int u = 0; u <= 100; ++u) {
      for (int v = 0; u + v <= 100; ++v) {
        least = std::min(least, length(p - (a + 0.01 * u * (b - a) + 0.01 * v * (c - a))));
      }
    }
    EXPECT_LE(distance, least + 1e-12);
    EXPECT_GE(distance, least - 0.01 * (length(b - a) + length(c - a)));
  }
}

TEST(NearestTriangle, corners_edges_and_inside_are_told_apart) {
  const Triangle triangle = {{{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}};
  EXPECT_EQ(squared_distance({1, 1, 3}, triangle), 9);
  EXPECT_EQ(squared_distance({1, 1, 0}, triangle), 0);
  EXPECT_EQ(squared_distance({2, -3, 1}, triangle), 10);
  EXPECT_EQ(squared_distance({4, 4, 0}, triangle), 8);
  EXPECT_EQ(squared_distance({-1, -2, 3}, triangle), 14);
  EXPECT_EQ(squared_distance({7, -4, 0}, triangle), 25);
}

TEST(NearestTriangle, one_without_area_is_its_edges) {
  EXPECT_EQ(squared_distance({1, 2, 0}, {{{0, 0, 0}, {4, 0, 0}, {2, 0, 0}}}), 4);
  EXPECT_EQ(squared_distance({7, 4, 0}, {{{0, 0, 0}, {4, 0, 0}, {4, 0, 0}}}), 25);
  EXPECT_EQ(squared_distance({1, 2, 3}, {{{1, 2, 1}, {1, 2, 1}, {1, 2, 1}}}), 4);
}

TEST(NearestTriangle, the_bvh_finds_what_looking_at_all_finds) {
  for (const double size : {0.01, 0.3, 2.0}) {
    std::vector<Vector> corners;
    for (uint64_t t = 0; t < 1000; ++t) {
      for (uint64_t i = 0; i < 3; ++i) corners.push_back(random_point(t) + size * random_point(5000 + t * 3 + i));
    }
    const cook::Bvh bvh = cook::build_bvh(corners);
    NearestTriangle nearest(bvh);
    for (uint64_t i = 0; i < 300; ++i) {
      const Vector p = 1.5 * random_point(90000 + i);
      double expected = 1e9;
      for (const Triangle& triangle : bvh.triangles) expected = std::min(expected, squared_distance(p, triangle));
      EXPECT_EQ(nearest.squared_distance_to(p), expected);
    }
  }
}

}  // namespace
}  // namespace clothc::cook_nearest_triangle_test
