// stretch_phases_test.cpp - which edges are vertical or warp, and stiffness per vertex.
#include "cook/constraints/stretch_phases.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::stretch_phases_test {
namespace {

using test::cook_checked;
using test::pairs_of_type;
using Types = std::vector<uint32_t>;

// Sets texture coordinates that are turned by 90 degrees relative to x and y: v runs along x.
void lay_texture(MeshData& mesh) {
  for (size_t i = 0; i < mesh.positions.size(); i += 3) {
    mesh.texture_coordinates.push_back(mesh.positions[i + 1]);
    mesh.texture_coordinates.push_back(mesh.positions[i] * 2);
  }
}

TEST(StretchPhases, with_a_gravity_hint_edges_within_45_degrees_of_it_are_vertical) {
  MeshData mesh = test::make_triangle_sheet(5, 4);
  mesh.gravity_hint[1] = -9.81f;
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.phase_types, (Types{3, 4, 5}));
  EXPECT_EQ(pairs_of_type(fabric, 4).size(), 5u * 3 + 4 * 3) << "columns, and the diagonals, which are at 45 degrees";
  EXPECT_EQ(pairs_of_type(fabric, 5).size(), 4u * 4) << "rows";
  for (const auto& pair : pairs_of_type(fabric, 5)) EXPECT_EQ(pair.second - pair.first, 1u);
}

TEST(StretchPhases, a_hint_along_no_edge_leaves_out_the_empty_phase) {
  MeshData mesh = test::make_quad_sheet(5, 4);
  mesh.gravity_hint[2] = 1e-20f;
  EXPECT_EQ(cook_checked(mesh).phase_types, (Types{3, 5, 2}));
}

TEST(StretchPhases, without_hint_and_texture_there_is_one_phase) {
  EXPECT_EQ(cook_checked(test::make_quad_sheet(5, 4)).phase_types, (Types{3, 1, 2}));
}

TEST(StretchPhases, with_texture_coordinates_edges_along_v_are_warp_whatever_the_hint) {
  MeshData mesh = test::make_quad_sheet(5, 4);
  mesh.gravity_hint[1] = -1;
  lay_texture(mesh);
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.phase_types, (Types{3, 6, 7, 2}));
  EXPECT_EQ(pairs_of_type(fabric, 6).size(), 4u * 4) << "rows, along x";
  for (const auto& pair : pairs_of_type(fabric, 6)) EXPECT_EQ(pair.second - pair.first, 1u);
  EXPECT_EQ(pairs_of_type(fabric, 7).size(), 5u * 3);
}

// Two panels lie side by side with a welded seam. The texture of the right one is turned.
TEST(StretchPhases, an_edge_on_a_seam_has_the_direction_of_its_first_face) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0};
  mesh.texture_coordinates = {0, 0, 1, 0, 1, 1, 0, 1, 8, 5, 8, 6, 7, 6, 7, 5};
  mesh.quads = {0, 1, 2, 3, 4, 5, 6, 7};
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.particle_count, 6u);
  const auto warp = pairs_of_type(fabric, 6);
  EXPECT_EQ(test::PairSet(warp.begin(), warp.end()), (test::PairSet{{0, 3}, {1, 2}, {1, 4}, {2, 5}}));
}

TEST(StretchPhases, an_edge_without_length_in_its_first_face_takes_the_next_and_else_is_weft) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0};
  mesh.texture_coordinates = {3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 1, 0, 1, 1, 0, 1};
  mesh.quads = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto warp = pairs_of_type(cook_checked(mesh), 6);
  EXPECT_EQ(test::PairSet(warp.begin(), warp.end()), (test::PairSet{{1, 2}, {4, 5}}));
}

TEST(StretchPhases, merged_diagonals_are_in_no_stretch_phase) {
  MeshData mesh = test::make_triangle_sheet(5, 4);
  mesh.quadify = true;
  mesh.gravity_hint[1] = 1;
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.phase_types, (Types{3, 4, 5, 2}));
  EXPECT_EQ(pairs_of_type(fabric, 4).size(), 5u * 3);
}

TEST(StretchPhases, a_constraint_has_the_mean_stiffness_of_its_particles) {
  MeshData mesh = test::make_quad_sheet(5, 4);
  for (uint32_t v = 0; v < 20; ++v) mesh.stiffness.push_back(static_cast<float>(v) / 20);
  const FabricData fabric = cook_checked(mesh);
  ASSERT_EQ(fabric.stiffness.size(), fabric.rest_lengths.size());
  for (size_t i = 0; i < fabric.stiffness.size(); ++i) {
    const double sum =
        double{mesh.stiffness[fabric.indices[i * 2]]} + double{mesh.stiffness[fabric.indices[i * 2 + 1]]};
    EXPECT_EQ(fabric.stiffness[i], static_cast<float>(sum / 2));
  }
}

TEST(StretchPhases, a_welded_particle_has_the_stiffness_of_the_vertex_that_founded_it) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0};
  mesh.triangles = {3, 1, 2};
  mesh.stiffness = {1, 1, 1, 0};
  EXPECT_EQ(cook_checked(mesh).stiffness, (std::vector<float>{1, 1, 1}));
}

}  // namespace
}  // namespace clothc::stretch_phases_test
