// signed_distance_test.cpp - compares distances and signs with closed forms, and tests meshes that have every kind of
// defect for which there is a sensible result.
#include "cook/sdf/signed_distance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <functional>

#include "cook/geometry.h"
#include "unit/cook/mesh_list.h"
#include "unit/cook/solids.h"

namespace clothc::signed_distance_test {
namespace {

using cook::cook_signed_distance;
using cook::DistanceGrid;
using cook::grid_around;
using cook::length;
using cook::Vector;
using test::Solid;

std::vector<float> cook_distances(const Solid& solid, const DistanceGrid& grid) {
  return cook_signed_distance(solid.vertices.data(), solid.vertex_count(), solid.triangles.data(),
                              solid.triangle_count(), grid);
}

DistanceGrid grid_of(const Solid& solid, uint32_t longest_side, float padding) {
  return grid_around(solid.vertices.data(), solid.vertex_count(), longest_side, padding);
}

void for_each_node(const DistanceGrid& grid, const std::function<void(size_t, Vector)>& visit) {
  size_t at = 0;
  const double h = double{grid.spacing};
  for (uint32_t k = 0; k < grid.counts[2]; ++k) {
    for (uint32_t j = 0; j < grid.counts[1]; ++j) {
      for (uint32_t i = 0; i < grid.counts[0]; ++i) {
        visit(at++, {double{grid.origin[0]} + i * h, double{grid.origin[1]} + j * h, double{grid.origin[2]} + k * h});
      }
    }
  }
}

// Expects every node's distance to be within expected - below .. expected + above.
void expect_distances(const Solid& solid, const DistanceGrid& grid, double below, double above,
                      const std::function<double(Vector)>& expected) {
  const std::vector<float> distances = cook_distances(solid, grid);
  ASSERT_EQ(distances.size(), size_t{grid.counts[0]} * grid.counts[1] * grid.counts[2]);
  for_each_node(grid, [&](size_t at, Vector node) {
    const double error = double{distances[at]} - expected(node);
    if (error < -below || error > above) {
      ADD_FAILURE() << "at (" << node.x << ", " << node.y << ", " << node.z << ") " << distances[at] << " is off by "
                    << error;
    }
  });
}

double box_distance(Vector p, Vector half) {
  const Vector q = {std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
  const double most = std::max(std::max(q.x, q.y), q.z);
  if (most <= 0) return most;
  return length({std::max(q.x, 0.0), std::max(q.y, 0.0), std::max(q.z, 0.0)});
}

bool have_equal_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

TEST(SignedDistance, of_a_box_is_exact_inside_and_beyond_faces_edges_and_corners) {
  const Solid box = test::make_box(0.5f, 0.75f, 0.25f);
  const auto expected = [](Vector p) { return box_distance(p, {0.5, 0.75, 0.25}); };
  expect_distances(box, {{25, 29, 21}, {-1.2f, -1.3f, -0.9f}, 0.1f}, 1e-7, 1e-7, expected);
  // Many nodes lie on faces, edges and corners.
  expect_distances(box, {{17, 17, 17}, {-1, -1, -1}, 0.125f}, 1e-7, 1e-7, expected);
}

TEST(SignedDistance, of_nodes_on_the_surface_is_plus_zero) {
  const Solid box = test::make_box(0.5f, 0.5f, 0.5f);
  const std::vector<float> distances = cook_distances(box, {{2, 2, 2}, {-0.5f, -0.5f, -0.5f}, 1.0f});
  EXPECT_TRUE(have_equal_bits(distances, std::vector<float>(8, 0.0f)));
}

// The mesh lies between its sphere and the largest sphere inside it, so its distances lie between theirs.
TEST(SignedDistance, of_a_sphere_is_analytic_but_for_its_tessellation) {
  const Solid sphere = test::make_sphere(0.4f, 4, 0.1f, -0.2f, 0.3f);
  double sag = 0;
  for (size_t t = 0; t < sphere.triangles.size(); t += 3) {
    Vector sum = {-0.1 * 3, 0.2 * 3, -0.3 * 3};
    for (size_t i = 0; i < 3; ++i) {
      const float* p = &sphere.vertices[sphere.triangles[t + i] * 3];
      sum = sum + Vector{double{p[0]}, double{p[1]}, double{p[2]}};
    }
    sag = std::max(sag, 0.4 - length(sum) / 3);
  }
  EXPECT_LT(sag, 2e-3);
  expect_distances(sphere, grid_of(sphere, 24, 0.2f), 1e-6, sag + 1e-6, [](Vector p) {
    return length(p - Vector{double{0.1f}, double{-0.2f}, double{0.3f}}) - double{0.4f};
  });
}

TEST(SignedDistance, of_a_torus_is_positive_in_its_hole) {
  const Solid torus = test::make_torus(0.5, 0.2, 96, 48);
  const double sag = 0.7 * (1 - std::cos(3.1416 / 96)) + 0.2 * (1 - std::cos(3.1416 / 48));
  expect_distances(torus, grid_of(torus, 32, 0.15f), sag, sag, [](Vector p) {
    const double ring = length({p.x, p.y, 0}) - 0.5;
    return length({ring, p.z, 0}) - 0.2;
  });
}

TEST(SignedDistance, of_a_mesh_turned_inside_out_is_the_same_to_the_bit) {
  const Solid sphere = test::make_sphere(0.4f, 3);
  const DistanceGrid grid = grid_of(sphere, 16, 0.1f);
  EXPECT_TRUE(have_equal_bits(cook_distances(sphere, grid), cook_distances(test::turned_inside_out(sphere), grid)));
}

TEST(SignedDistance, triangles_that_wind_the_wrong_way_are_turned) {
  const Solid sphere = test::make_sphere(0.4f, 3);
  const DistanceGrid grid = grid_of(sphere, 16, 0.1f);
  Solid mixed = sphere;
  for (size_t t = 0; t < mixed.triangles.size(); t += 3) {
    if (test::noise(t) > 0) std::swap(mixed.triangles[t], mixed.triangles[t + 1]);
  }
  EXPECT_TRUE(have_equal_bits(cook_distances(sphere, grid), cook_distances(mixed, grid)));
}

TEST(SignedDistance, of_overlapping_spheres_is_negative_in_either_though_one_is_inside_out) {
  const Solid left = test::make_sphere(0.3f, 3, -0.2f, 0, 0), right = test::make_sphere(0.3f, 3, 0.2f, 0, 0);
  const Solid both = test::joined(left, test::turned_inside_out(right));
  const DistanceGrid grid = grid_of(both, 24, 0.1f);
  const std::vector<float> distances = cook_distances(both, grid);
  const std::vector<float> lefts = cook_distances(left, grid), rights = cook_distances(right, grid);
  for (size_t i = 0; i < distances.size(); ++i) {
    EXPECT_EQ(distances[i] < 0, lefts[i] < 0 || rights[i] < 0);
    EXPECT_EQ(std::abs(distances[i]), std::min(std::abs(lefts[i]), std::abs(rights[i])));
  }
}

TEST(SignedDistance, an_enclosed_cavity_is_filled) {
  const Solid shell = test::joined(test::make_sphere(0.4f, 3), test::turned_inside_out(test::make_sphere(0.2f, 3)));
  const std::vector<float> distances = cook_distances(shell, {{3, 3, 3}, {-0.1f, -0.1f, -0.1f}, 0.1f});
  EXPECT_LT(*std::max_element(distances.begin(), distances.end()), 0.0f);
}

// At a distance from the hole larger than its width, all values must be as without the hole.
TEST(SignedDistance, a_missing_triangle_spoils_only_its_own_surroundings) {
  const Solid whole = test::make_sphere(0.4f, 2);
  Solid open = whole;
  const uint32_t missing[3] = {whole.triangles[0], whole.triangles[1], whole.triangles[2]};
  open.triangles.erase(open.triangles.begin(), open.triangles.begin() + 3);
  const DistanceGrid grid = grid_of(whole, 32, 0.2f);
  const std::vector<float> expected = cook_distances(whole, grid), distances = cook_distances(open, grid);
  const auto corner = [&](size_t i) {
    const float* p = &whole.vertices[missing[i] * 3];
    return Vector{double{p[0]}, double{p[1]}, double{p[2]}};
  };
  const double width = length(corner(1) - corner(0));
  const Vector middle = (1.0 / 3) * (corner(0) + corner(1) + corner(2));
  for_each_node(grid, [&](size_t at, Vector node) {
    if (length(node - middle) < width || std::abs(expected[at]) < 1e-6f) return;
    EXPECT_EQ(distances[at] < 0, expected[at] < 0) << node.x << " " << node.y << " " << node.z;
  });
}

TEST(SignedDistance, an_open_bowl_is_filled_about_to_its_rim) {
  Solid bowl = test::make_sphere(0.5f, 4);
  std::vector<uint32_t> lower;
  for (size_t t = 0; t < bowl.triangles.size(); t += 3) {
    float height = 0;
    for (size_t i = 0; i < 3; ++i) height += bowl.vertices[bowl.triangles[t + i] * 3 + 2];
    if (height < 0) lower.insert(lower.end(), &bowl.triangles[t], &bowl.triangles[t] + 3);
  }
  bowl.triangles = lower;
  for (const Solid& solid : {bowl, test::turned_inside_out(bowl)}) {
    const std::vector<float> distances = cook_distances(solid, {{2, 2, 11}, {0, 0, -0.75f}, 0.1f});
    EXPECT_GT(distances[4 * 2], 0.0f) << "below";
    EXPECT_LT(distances[4 * 4], 0.0f) << "in it";
    EXPECT_LT(distances[4 * 6], 0.0f) << "just below the rim";
    EXPECT_GT(distances[4 * 9], 0.0f) << "above";
  }
}

TEST(SignedDistance, of_a_sheet_is_positive_on_both_sides) {
  const MeshData sheet = test::make_triangle_sheet(21, 21);
  const Solid solid = {sheet.positions, sheet.triangles};
  for (const Solid& either : {solid, test::turned_inside_out(solid)}) {
    expect_distances(either, {{13, 13, 21}, {-0.37f, -0.37f, -1.0f}, 0.1f}, 2e-7, 2e-7, [](Vector p) {
      return length({std::max(-p.x, 0.0), std::max(-p.y, 0.0), p.z});
    });
  }
}

TEST(SignedDistance, flat_and_duplicate_triangles_and_both_sides_of_one_do_not_matter) {
  const Solid box = test::make_box(0.5f, 0.75f, 0.25f);
  Solid odd = box;
  odd.triangles.insert(odd.triangles.end(), {0, 0, 0, 1, 1, 5, 3, 2, 3});
  odd.triangles.insert(odd.triangles.end(), box.triangles.begin(), box.triangles.begin() + 9);
  const Solid inner = test::turned_inside_out(box);
  // The inner box has other vertices at the same positions.
  odd = test::joined(odd, inner);
  odd.vertices.insert(odd.vertices.end(), {0, 0.75f, 0.25f});
  // This triangle lies along an edge.
  odd.triangles.insert(odd.triangles.end(), {6, 7, static_cast<uint32_t>(odd.vertex_count() - 1)});
  const DistanceGrid grid = grid_of(box, 20, 0.3f);
  EXPECT_TRUE(have_equal_bits(cook_distances(box, grid), cook_distances(odd, grid)));
}

TEST(SignedDistance, without_a_triangle_is_the_greatest_number) {
  const DistanceGrid grid = {{2, 2, 2}, {0, 0, 0}, 1};
  const float vertices[] = {0, 0, 0, 1, 0, 0};
  const uint32_t flat[] = {0, 1, 1};
  EXPECT_EQ(cook_signed_distance(nullptr, 0, nullptr, 0, grid), std::vector<float>(8, FLT_MAX));
  EXPECT_EQ(cook_signed_distance(vertices, 2, flat, 1, grid), std::vector<float>(8, FLT_MAX));
}

// Tests a needle with a normal that consists of rounding errors, and triangles with three corners on a line.
TEST(SignedDistance, of_slivers_is_that_of_their_edges) {
  for (const float height : {0.0f, 1e-9f, 1e-7f}) {
    const Solid sliver = {{0, 0, 0, 2, 0, 0, 1, height, 0}, {0, 1, 2}};
    expect_distances(sliver, {{9, 9, 9}, {-0.9f, -0.8f, -0.7f}, 0.4f}, 4e-7, 4e-7, [](Vector p) {
      return length({std::max(std::max(-p.x, p.x - 2), 0.0), p.y, p.z});
    });
  }
}

TEST(SignedDistance, scales_with_the_mesh) {
  const Solid small = test::make_torus(0.5, 0.2, 24, 12);
  const DistanceGrid grid = grid_of(small, 16, 0.125f);
  const std::vector<float> distances = cook_distances(small, grid);
  // Scaling by powers of two is exact.
  for (const float scale : {0x1p-20f, 0x1p20f}) {
    Solid solid = small;
    for (float& x : solid.vertices) x *= scale;
    DistanceGrid scaled = grid;
    scaled.spacing *= scale;
    for (float& x : scaled.origin) x *= scale;
    std::vector<float> expected = distances;
    for (float& d : expected) d *= scale;
    EXPECT_TRUE(have_equal_bits(cook_distances(solid, scaled), expected)) << scale;
  }
}

TEST(SignedDistance, has_the_same_bits_everywhere) {
  const Solid solid = test::joined(test::make_sphere(0.4f, 3), test::make_sphere(0.3f, 3, 0.3f, 0.2f, 0.1f));
  const std::vector<float> distances = cook_distances(solid, grid_of(solid, 24, 0.1f));
  uint64_t hash = 0xcbf29ce484222325u;
  for (const float d : distances) {
    uint32_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  EXPECT_EQ(hash, 9214467756249968112u);
}

TEST(SignedDistance, a_grid_covers_its_mesh_and_padding_with_as_few_nodes_as_do) {
  const Solid box = test::make_box(0.35f, 1.0f, 0.1f);
  for (const float offset : {0.0f, 1000.3f}) {
    Solid moved = box;
    for (float& x : moved.vertices) x += offset;
    const DistanceGrid grid = grid_of(moved, 23, 0.1f);
    EXPECT_EQ(grid.counts[1], 23u);
    EXPECT_NEAR(grid.spacing, 0.1f, 1e-4f);
    for (size_t axis = 0; axis < 3; ++axis) {
      const double half = double{box.vertices[7 * 3 + axis]} + 0.1, rounding = 1e-7 * (1 + double{offset});
      const double low = double{grid.origin[axis]} - double{offset};
      const double high = low + (grid.counts[axis] - 1) * double{grid.spacing};
      EXPECT_LE(low, -half + rounding);
      EXPECT_GE(high, half - rounding);
      EXPECT_NEAR(low, -high, 2 * rounding);
      EXPECT_LT(high - low - double{grid.spacing}, 2 * half + rounding);
    }
  }
}

TEST(SignedDistance, a_grid_of_a_point_or_a_sheet_is_still_a_grid) {
  const float point[] = {1, 2, 3}, sheet[] = {0, 0, 5, 1, 0, 5, 0, 2, 5};
  const DistanceGrid around_point = grid_around(point, 1, 16, 0);
  EXPECT_EQ(around_point.spacing, 1.0f);
  for (size_t axis = 0; axis < 3; ++axis) EXPECT_EQ(around_point.counts[axis], 2u);
  const DistanceGrid around_sheet = grid_around(sheet, 3, 9, 0);
  EXPECT_EQ(around_sheet.spacing, 0.25f);
  EXPECT_EQ(around_sheet.counts[0], 5u);
  EXPECT_EQ(around_sheet.counts[1], 9u);
  EXPECT_EQ(around_sheet.counts[2], 2u);
  EXPECT_EQ(around_sheet.origin[2], 4.875f);
}

}  // namespace
}  // namespace clothc::signed_distance_test
