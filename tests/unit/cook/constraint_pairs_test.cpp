// constraint_pairs_test.cpp - which pairs of particles stretch, shear and bend constraints connect.
#include "cook/constraints/pairs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::constraint_pairs_test {
namespace {

using test::cook_checked;
using test::pairs_of_type;

test::PairSet edges_of_faces(const MeshData& mesh) {
  test::PairSet edges;
  const auto add = [&](const std::vector<uint32_t>& faces, size_t size) {
    for (size_t i = 0; i < faces.size(); ++i) {
      const uint32_t a = faces[i], b = i % size == size - 1 ? faces[i + 1 - size] : faces[i + 1];
      edges.insert({std::min(a, b), std::max(a, b)});
    }
  };
  add(mesh.triangles, 3);
  add(mesh.quads, 4);
  return edges;
}

TEST(ConstraintPairs, every_mesh_edge_is_in_exactly_one_stretch_constraint) {
  for (const MeshData& mesh : {test::make_quad_sheet(7, 5), test::make_triangle_sheet(6, 9),
                               test::shuffled(test::make_quad_sheet(8, 8)), test::make_fan(50)}) {
    const auto stretch = pairs_of_type(cook_checked(mesh), 1);
    const auto edges = edges_of_faces(mesh);
    EXPECT_EQ(stretch.size(), edges.size());
    EXPECT_EQ(test::PairSet(stretch.begin(), stretch.end()), edges);
  }
}

TEST(ConstraintPairs, a_quad_sheet_has_two_of_each_kind_per_particle_less_the_borders) {
  const uint32_t n = 20;
  const FabricData fabric = cook_checked(test::make_quad_sheet(n, n));
  EXPECT_EQ(pairs_of_type(fabric, 1).size(), 2 * n * (n - 1));
  EXPECT_EQ(pairs_of_type(fabric, 2).size(), 2 * (n - 1) * (n - 1));
  EXPECT_EQ(pairs_of_type(fabric, 3).size(), 2 * n * (n - 2));
  for (const auto& pair : pairs_of_type(fabric, 3)) {
    const uint32_t step = pair.second - pair.first;
    EXPECT_TRUE(step == 2 || step == 2 * n) << "bend runs straight along rows and columns";
  }
}

TEST(ConstraintPairs, phases_are_bend_then_stretch_then_shear_and_may_be_left_out) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  EXPECT_EQ(cook_checked(mesh).phase_types, (std::vector<uint32_t>{3, 1, 2}));
  EXPECT_EQ(cook_checked(mesh).phase_sets, (std::vector<uint32_t>{0, 1, 2}));
  mesh.shear = false;
  EXPECT_EQ(cook_checked(mesh).phase_types, (std::vector<uint32_t>{3, 1}));
  EXPECT_EQ(cook_checked(mesh).phase_sets, (std::vector<uint32_t>{0, 1}));
  mesh.bend = false;
  EXPECT_EQ(cook_checked(mesh).phase_types, (std::vector<uint32_t>{1}));
}

TEST(ConstraintPairs, triangles_bend_across_every_inner_edge_and_have_no_shear) {
  const uint32_t n = 6, cells = (n - 1) * (n - 1);
  const FabricData fabric = cook_checked(test::make_triangle_sheet(n, n));
  EXPECT_TRUE(pairs_of_type(fabric, 2).empty());
  // The inner edges are every diagonal and all edges except the 4 (n - 1) of the border.
  EXPECT_EQ(pairs_of_type(fabric, 3).size(), cells + 2 * n * (n - 1) - 4 * (n - 1));
}

TEST(ConstraintPairs, a_closed_tube_of_quads_bends_all_around) {
  const uint32_t around = 8, rows = 5;
  MeshData mesh;
  for (uint32_t y = 0; y < rows; ++y) {
    for (uint32_t i = 0; i < around; ++i) {
      const float x[8] = {2, 1, 0, -1, -2, -1, 0, 1}, z[8] = {0, 1, 2, 1, 0, -1, -2, -1};
      mesh.positions.insert(mesh.positions.end(), {x[i], static_cast<float>(y), z[i]});
      const uint32_t a = y * around + i, b = y * around + (i + 1) % around;
      if (y + 1 < rows) mesh.quads.insert(mesh.quads.end(), {a, b, b + around, a + around});
    }
  }
  EXPECT_EQ(pairs_of_type(cook_checked(mesh), 3).size(), rows * around + (rows - 2) * around);
}

TEST(ConstraintPairs, the_corner_of_a_box_where_three_quads_meet_has_no_bend_through_it) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 1};
  mesh.quads = {0, 1, 4, 2, 0, 2, 5, 3, 0, 3, 6, 1};
  const auto bend = pairs_of_type(cook_checked(mesh), 3);
  for (const auto& pair : bend) EXPECT_TRUE(pair.first > 3 || pair.second > 3);
}

TEST(ConstraintPairs, a_tetrahedron_has_no_bend_since_opposite_vertices_share_an_edge) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  mesh.triangles = {0, 1, 2, 0, 1, 3, 0, 2, 3, 1, 2, 3};
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(pairs_of_type(fabric, 1).size(), 6u);
  EXPECT_EQ(fabric.phase_types, (std::vector<uint32_t>{1}));
}

TEST(ConstraintPairs, forty_triangles_on_an_edge_are_one_non_manifold_edge_and_do_not_bend_across_it) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 0, 0, 1};
  for (uint32_t i = 0; i < 40; ++i) {
    mesh.positions.insert(mesh.positions.end(), {1, static_cast<float>(i), 0});
    mesh.triangles.insert(mesh.triangles.end(), {0, 1, 2 + i});
  }
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.report.non_manifold_edge_count, 1u);
  EXPECT_EQ(fabric.report.component_count, 1u);
  EXPECT_EQ(pairs_of_type(fabric, 1).size(), 81u);
  EXPECT_TRUE(pairs_of_type(fabric, 3).empty());
}

// The mesh consists of three sheets of quads that meet along the line 0, 1, 2.
TEST(ConstraintPairs, where_three_sheets_of_quads_meet_only_the_line_itself_bends) {
  MeshData mesh;
  const float out[3][2] = {{1, 0}, {-1, 0}, {0, 1}};
  for (uint32_t i = 0; i < 3; ++i) mesh.positions.insert(mesh.positions.end(), {0, static_cast<float>(i), 0});
  for (uint32_t sheet = 0; sheet < 3; ++sheet) {
    const uint32_t first = 3 + sheet * 3;
    for (uint32_t i = 0; i < 3; ++i) {
      mesh.positions.insert(mesh.positions.end(), {out[sheet][0], static_cast<float>(i), out[sheet][1]});
      if (i < 2) mesh.quads.insert(mesh.quads.end(), {i, i + 1, first + i + 1, first + i});
    }
  }
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.report.non_manifold_edge_count, 2u);
  const auto bend = pairs_of_type(fabric, 3);
  EXPECT_EQ(test::PairSet(bend.begin(), bend.end()), (test::PairSet{{0, 2}, {3, 5}, {6, 8}, {9, 11}}));
}

TEST(ConstraintPairs, a_pole_of_three_thousand_quads_is_cooked_in_linear_size) {
  const uint32_t spokes = 3000;
  MeshData mesh = test::make_fan(spokes);
  mesh.triangles.clear();
  // A second rim turns each pair of spokes and rim corners into a quad.
  for (uint32_t i = 0; i < spokes; ++i) {
    mesh.positions.insert(mesh.positions.end(), {2 * mesh.positions[3 + i * 3], 2 * mesh.positions[4 + i * 3], 1.0f});
  }
  for (uint32_t i = 0; i < spokes; i += 2) {
    mesh.quads.insert(mesh.quads.end(), {0, 1 + i, 1 + spokes + i + 1, 1 + (i + 2) % spokes});
  }
  EXPECT_LT(cook_checked(mesh).rest_lengths.size(), 10 * spokes);
}

TEST(ConstraintPairs, rest_lengths_are_the_distances_in_the_mesh) {
  const FabricData fabric = cook_checked(test::shuffled(test::make_quad_sheet(9, 9)));
  for (size_t i = 0; i < fabric.rest_lengths.size(); ++i) {
    const float* a = &fabric.positions[fabric.indices[i * 2] * 4];
    const float* b = &fabric.positions[fabric.indices[i * 2 + 1] * 4];
    const double length =
        std::sqrt(std::pow(double{a[0]} - double{b[0]}, 2) + std::pow(double{a[1]} - double{b[1]}, 2));
    EXPECT_EQ(fabric.rest_lengths[i], static_cast<float>(length));
  }
}

TEST(ConstraintPairs, pieces_without_a_common_edge_are_counted_as_components) {
  MeshData mesh = test::make_quad_sheet(5, 2);
  // This leaves columns 0-1 and 2-4.
  mesh.quads.erase(mesh.quads.begin() + 4, mesh.quads.begin() + 8);
  EXPECT_EQ(cook_checked(mesh).report.component_count, 2u);
}

}  // namespace
}  // namespace clothc::constraint_pairs_test
