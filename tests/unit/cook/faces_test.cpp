// faces_test.cpp - which faces are kept, and how quads are split.
#include "cook/topology/faces.h"

#include <gtest/gtest.h>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::faces_test {
namespace {

using Indices = std::vector<uint32_t>;

MeshData unit_square() {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  return mesh;
}

TEST(Faces, a_triangle_with_a_repeated_vertex_or_no_area_is_dropped_and_the_first_is_named) {
  MeshData mesh = unit_square();
  mesh.positions.insert(mesh.positions.end(), {2, 0, 0});
  // Good, repeated corner, corners on a line, good.
  mesh.triangles = {0, 1, 2, 0, 0, 1, 0, 1, 4, 0, 2, 3};
  const FabricData fabric = test::cook_checked(mesh);
  EXPECT_EQ(fabric.triangles, (Indices{0, 1, 2, 0, 2, 3}));
  EXPECT_EQ(fabric.report.dropped_triangle_count, 2u);
  EXPECT_EQ(fabric.report.first_dropped_triangle, 1u);
  EXPECT_EQ(fabric.report.isolated_particle_count, 1u);
  EXPECT_EQ(fabric.report.first_isolated_particle, 4u);
}

TEST(Faces, quads_are_counted_after_triangles) {
  MeshData mesh = unit_square();
  mesh.triangles = {0, 1, 2};
  mesh.quads = {0, 0, 1, 1, 0, 1, 2, 3};
  const FabricData fabric = test::cook_checked(mesh);
  EXPECT_EQ(fabric.report.dropped_triangle_count, 1u);
  EXPECT_EQ(fabric.report.first_dropped_triangle, 1u);
}

TEST(Faces, a_clean_mesh_drops_nothing) {
  const FabricData fabric = test::cook_checked(test::make_quad_sheet(4, 3));
  EXPECT_EQ(fabric.report.dropped_triangle_count, 0u);
  EXPECT_EQ(fabric.report.first_dropped_triangle, no_index);
  EXPECT_EQ(fabric.report.first_isolated_particle, no_index);
  EXPECT_EQ(fabric.triangle_count(), 12u);
}

TEST(Faces, duplicates_are_dropped_even_if_turned_or_flipped) {
  MeshData mesh = unit_square();
  mesh.triangles = {0, 1, 2, 1, 2, 0, 0, 2, 1};
  EXPECT_EQ(test::cook_checked(mesh).report.dropped_triangle_count, 2u);
  mesh.triangles.clear();
  mesh.quads = {0, 1, 2, 3, 2, 3, 0, 1, 3, 2, 1, 0};
  const FabricData fabric = test::cook_checked(mesh);
  EXPECT_EQ(fabric.report.dropped_triangle_count, 2u);
  EXPECT_EQ(fabric.triangles, (Indices{0, 1, 2, 0, 2, 3}));
}

TEST(Faces, a_quad_with_two_neighbouring_corners_welded_becomes_a_triangle) {
  for (uint32_t turn = 0; turn < 4; ++turn) {
    MeshData mesh = unit_square();
    const uint32_t around[4] = {0, 1, 1, 3};
    for (uint32_t i = 0; i < 4; ++i) mesh.quads.push_back(around[(i + turn) % 4]);
    const FabricData fabric = test::cook_checked(mesh);
    EXPECT_EQ(fabric.report.dropped_triangle_count, 0u);
    EXPECT_EQ(fabric.triangle_count(), 1u);
    EXPECT_EQ(test::pairs_of_type(fabric, 1).size(), 3u);
    EXPECT_TRUE(test::pairs_of_type(fabric, 2).empty()) << "a triangle has no shear";
  }
}

TEST(Faces, a_quad_folded_onto_its_diagonal_is_dropped) {
  MeshData mesh = unit_square();
  mesh.quads = {0, 1, 0, 3};
  EXPECT_EQ(test::cook_checked(mesh).report.dropped_triangle_count, 1u);
}

TEST(Faces, a_quad_is_split_along_its_shorter_diagonal_and_keeps_its_winding) {
  MeshData mesh;
  // The diagonal 0-2 is longer than 1-3.
  mesh.positions = {0, 0, 0, 2, 0, 0, 3, 1, 0, 0, 1, 0};
  mesh.quads = {0, 1, 2, 3};
  EXPECT_EQ(test::cook_checked(mesh).triangles, (Indices{1, 2, 3, 1, 3, 0}));
  EXPECT_EQ(test::cook_checked(test::make_quad_sheet(2, 2)).triangles, (Indices{0, 1, 3, 0, 3, 2})) << "a tie";
}

TEST(Faces, a_quad_with_a_corner_on_its_side_is_split_into_two_triangles_with_area) {
  MeshData mesh;
  // 0, 1 and 2 lie on a line: the diagonal 0-2 is shorter, but gives a triangle without area.
  mesh.positions = {0, 0, 0, 1, 0, 0, 2, 0, 0, 1, 5, 0};
  mesh.quads = {0, 1, 2, 3};
  EXPECT_EQ(test::cook_checked(mesh).triangles, (Indices{1, 2, 3, 1, 3, 0}));
}

TEST(Faces, all_vertices_equal_leave_no_constraints) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  for (float& x : mesh.positions) x = 1;
  const FabricData welded = test::cook_checked(mesh);
  EXPECT_EQ(welded.particle_count, 1u);
  EXPECT_TRUE(welded.rest_lengths.empty());
  EXPECT_TRUE(welded.phase_sets.empty());
  EXPECT_EQ(welded.report.dropped_triangle_count, 9u);
  EXPECT_EQ(welded.report.component_count, 0u);
  mesh.weld_distance = -1;
  const FabricData kept = test::cook_checked(mesh);
  EXPECT_EQ(kept.particle_count, 16u);
  EXPECT_EQ(kept.report.isolated_particle_count, 16u);
}

TEST(Faces, a_mesh_without_faces_is_a_cloud_of_particles) {
  const FabricData fabric = test::cook_checked(test::make_points(3, 3));
  EXPECT_EQ(fabric.particle_count, 9u);
  EXPECT_EQ(fabric.report.isolated_particle_count, 9u);
  EXPECT_TRUE(lay_out(fabric).layout.colours.empty());
}

}  // namespace
}  // namespace clothc::faces_test
