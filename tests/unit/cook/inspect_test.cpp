// inspect_test.cpp - what the cooker diagnoses in a mesh, kind by kind: elements, values and counts.
#include "cook/topology/inspect.h"

#include <gtest/gtest.h>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::inspect_test {
namespace {

using test::cook_checked;

struct Named {
  uint32_t first, second;
  float value;
};
bool operator==(const Named& a, const Named& b) {
  return a.first == b.first && a.second == b.second && a.value == b.value;
}
std::ostream& operator<<(std::ostream& out, const Named& named) {
  return out << named.first << ", " << named.second << ", " << named.value;
}

using Diagnostics = std::vector<Named>;

Diagnostics diagnostics_of(const FabricData& fabric, uint32_t kind) {
  Diagnostics found;
  for (const Diagnostic& diagnostic : fabric.diagnostics) {
    if (diagnostic.kind == kind) found.push_back({diagnostic.first, diagnostic.second, diagnostic.value});
  }
  return found;
}

MeshData unit_square() {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  return mesh;
}

// Makes a sheet with an additional triangle that has one vertex at the given position.
MeshData sheet_with_vertex_at(float x, float y) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  mesh.positions.insert(mesh.positions.end(), {x, y, 0, 2, 2, 0, 2, 3, 0});
  mesh.triangles = {16, 17, 18};
  return mesh;
}

TEST(Inspect, a_clean_sheet_has_no_diagnostics) {
  for (MeshData mesh : {test::make_quad_sheet(9, 7), test::make_triangle_sheet(9, 7), test::make_fan(20)}) {
    test::pin(mesh, {0});
    mesh.areal_density = 0.2f;
    EXPECT_TRUE(cook_checked(mesh).diagnostics.empty());
  }
}

TEST(Inspect, faces_with_a_repeated_vertex_are_named_and_say_whether_a_triangle_was_left) {
  MeshData mesh = unit_square();
  mesh.triangles = {0, 1, 2, 0, 0, 1};
  mesh.quads = {0, 2, 2, 3, 1, 1, 2, 2};
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(diagnostics_of(fabric, 1), (Diagnostics{{1, no_index, 0}, {2, no_index, 1}, {3, no_index, 0}}));
  EXPECT_EQ(fabric.report.dropped_triangle_count, 2u);
}

TEST(Inspect, a_flat_face_is_named_with_its_longest_side) {
  MeshData mesh = unit_square();
  mesh.positions.insert(mesh.positions.end(), {3, 0, 0});
  mesh.triangles = {0, 1, 2, 0, 1, 4, 0, 2, 3};
  EXPECT_EQ(diagnostics_of(cook_checked(mesh), 2), (Diagnostics{{1, no_index, 3}}));
}

TEST(Inspect, a_duplicate_face_is_named_with_the_earlier_one) {
  MeshData mesh = unit_square();
  mesh.triangles = {0, 0, 1, 0, 1, 2, 2, 1, 0, 0, 2, 3, 3, 0, 2};
  EXPECT_EQ(diagnostics_of(cook_checked(mesh), 3), (Diagnostics{{2, 1, 0}, {4, 3, 0}}));
}

TEST(Inspect, a_non_manifold_edge_is_named_with_its_number_of_faces) {
  MeshData mesh = unit_square();
  mesh.positions.insert(mesh.positions.end(), {0, 0, 1});
  mesh.triangles = {0, 1, 2, 0, 2, 3, 0, 2, 4};
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(diagnostics_of(fabric, 4), (Diagnostics{{0, 2, 3}}));
  EXPECT_EQ(fabric.report.non_manifold_edge_count, 1u);
}

TEST(Inspect, a_face_that_winds_against_its_neighbour_is_named_by_their_edge) {
  MeshData mesh = unit_square();
  mesh.triangles = {0, 1, 2, 0, 3, 2};
  EXPECT_EQ(diagnostics_of(cook_checked(mesh), 5), (Diagnostics{{0, 2, 0}}));
}

TEST(Inspect, vertices_in_no_face_are_named_but_not_those_welded_to_one_that_is) {
  MeshData mesh = unit_square();
  mesh.positions.insert(mesh.positions.end(), {5, 0, 0, 1, 1, 0, 6, 0, 0});
  mesh.triangles = {0, 1, 2, 0, 2, 3};
  EXPECT_EQ(diagnostics_of(cook_checked(mesh), 6), (Diagnostics{{4, no_index, 0}, {6, no_index, 0}}));
}

TEST(Inspect, further_pieces_are_named_and_those_without_a_pin_if_others_have_one) {
  MeshData mesh = test::make_quad_sheet(6, 2);
  mesh.quads = {0, 1, 7, 6, 2, 3, 9, 8, 4, 5, 11, 10};
  const FabricData loose = cook_checked(mesh);
  EXPECT_EQ(diagnostics_of(loose, 13), (Diagnostics{{2, no_index, 0}, {4, no_index, 0}}));
  EXPECT_TRUE(diagnostics_of(loose, 7).empty());
  test::pin(mesh, {3});
  EXPECT_EQ(diagnostics_of(cook_checked(mesh), 7), (Diagnostics{{0, no_index, 0}, {4, no_index, 0}}));
}

TEST(Inspect, a_border_vertex_hardly_apart_from_another_is_named_with_the_gap) {
  // Edges of the sheet are 0.25 m long, those at the additional vertex 2 m and more.
  const Diagnostics near = diagnostics_of(cook_checked(sheet_with_vertex_at(0.75f, 0.75f + 1.0f / 8192)), 8);
  EXPECT_EQ(near, (Diagnostics{{15, 16, 1.0f / 8192}}));
  EXPECT_TRUE(diagnostics_of(cook_checked(sheet_with_vertex_at(0.75f, 0.75f + 1.0f / 2048)), 8).empty());
  EXPECT_EQ(diagnostics_of(cook_checked(sheet_with_vertex_at(0.5f, 0.5f + 1.0f / 8192)), 8).size(), 1u) << "inside";
}

TEST(Inspect, an_open_seam_is_found_all_along) {
  MeshData mesh = test::make_quad_sheet(2, 40);
  mesh.weld_distance = -1;
  const size_t vertex_count = mesh.positions.size() / 3;
  for (size_t v = 0; v < vertex_count; ++v) {
    for (size_t axis = 0; axis < 3; ++axis)
      mesh.positions.push_back(mesh.positions[v * 3 + axis] + (axis == 0 ? 0.25f : 0));
  }
  const std::vector<uint32_t> quads = mesh.quads;
  for (const uint32_t corner : quads) mesh.quads.push_back(corner + static_cast<uint32_t>(vertex_count));
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.diagnostic_counts[8], 40u);
  EXPECT_EQ(diagnostics_of(fabric, 8)[0], (Named{1, 80, 0}));
  EXPECT_EQ(diagnostics_of(fabric, 8)[15], (Named{31, 110, 0}));
  mesh.weld_distance = 0;
  EXPECT_EQ(cook_checked(mesh).diagnostic_counts[8], 0u);
}

TEST(Inspect, layers_closer_than_their_edges_are_no_seam_inside) {
  MeshData mesh = test::make_quad_sheet(10, 10);
  const size_t vertex_count = mesh.positions.size() / 3;
  for (size_t v = 0; v < vertex_count; ++v) {
    mesh.positions.insert(mesh.positions.end(), {mesh.positions[v * 3], mesh.positions[v * 3 + 1], 0.001f});
  }
  const std::vector<uint32_t> quads = mesh.quads;
  for (const uint32_t corner : quads) mesh.quads.push_back(corner + static_cast<uint32_t>(vertex_count));
  EXPECT_EQ(cook_checked(mesh).diagnostic_counts[8], 0u);
}

TEST(Inspect, a_vertex_with_more_than_32_edges_is_named_with_their_number) {
  EXPECT_TRUE(diagnostics_of(cook_checked(test::make_fan(32)), 9).empty());
  EXPECT_EQ(diagnostics_of(cook_checked(test::make_fan(33)), 9), (Diagnostics{{0, no_index, 33}}));
}

TEST(Inspect, an_edge_below_a_thousandth_of_the_mean_is_named_with_its_length) {
  MeshData mesh = test::make_quad_sheet(20, 2);
  mesh.positions[3] = 1.0f / 8192;
  mesh.positions[63] = 1.0f / 8192;
  EXPECT_EQ(diagnostics_of(cook_checked(mesh), 10), (Diagnostics{{0, 1, 1.0f / 8192}, {20, 21, 1.0f / 8192}}));
  mesh.positions[3] = mesh.positions[63] = 1.0f / 2048;
  EXPECT_TRUE(diagnostics_of(cook_checked(mesh), 10).empty());
}

TEST(Inspect, edges_too_short_for_their_distance_from_the_origin_are_named) {
  // Edges of 0.25 m are too short from 16384 m on.
  MeshData mesh = test::make_quad_sheet(3, 2);
  for (size_t i = 0; i < mesh.positions.size(); i += 3) mesh.positions[i] += 16000;
  EXPECT_TRUE(diagnostics_of(cook_checked(mesh), 11).empty());
  for (size_t i = 0; i < mesh.positions.size(); i += 3) mesh.positions[i] += 1000;
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.diagnostic_counts[11], 7u);
  EXPECT_EQ(diagnostics_of(fabric, 11)[0], (Named{0, 1, 0.25f}));
}

TEST(Inspect, vertices_lighter_than_the_limit_are_named_but_not_pinned_ones) {
  MeshData mesh = unit_square();
  mesh.quads = {0, 1, 2, 3};
  mesh.areal_density = 1e-8f;
  EXPECT_TRUE(diagnostics_of(cook_checked(mesh), 12).empty());
  // Two of the corners get a third of 2e-9 kg.
  mesh.areal_density = 4e-9f;
  test::pin(mesh, {1});
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(diagnostics_of(fabric, 12), (Diagnostics{{3, no_index, 0}}));
  EXPECT_EQ(fabric.positions[15], 1e9f);
}

TEST(Inspect, of_each_kind_sixteen_are_kept_in_order_and_all_are_counted) {
  MeshData mesh = test::make_points(10, 10);
  for (uint32_t i = 0; i < 50; ++i) mesh.triangles.insert(mesh.triangles.end(), {i, i, i + 1, i, i + 1, i + 2});
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(diagnostics_of(fabric, 1).size(), 16u);
  EXPECT_EQ(fabric.diagnostic_counts[1], 50u);
  for (size_t i = 1; i < fabric.diagnostics.size(); ++i) {
    const Diagnostic &before = fabric.diagnostics[i - 1], &here = fabric.diagnostics[i];
    EXPECT_TRUE(before.kind < here.kind || (before.kind == here.kind && before.first <= here.first));
  }
}

TEST(Inspect, diagnostics_name_vertices_of_the_mesh_not_particles) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 9, 9, 9};
  mesh.triangles = {3, 2, 4};
  EXPECT_EQ(diagnostics_of(cook_checked(mesh), 6), (Diagnostics{{5, no_index, 0}}));
}

}  // namespace
}  // namespace clothc::inspect_test
