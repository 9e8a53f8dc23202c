// quadify_test.cpp - which quads are recovered from triangles.
#include "cook/topology/quadify.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::quadify_test {
namespace {

using test::cook_checked;
using test::pairs_of_type;

// Cuts every quad of the mesh in two. alternate: every second one is cut along the other diagonal.
MeshData triangulated(const MeshData& quads, bool alternate) {
  MeshData mesh = quads;
  mesh.quads.clear();
  for (size_t i = 0; i < quads.quads.size(); i += 4) {
    const uint32_t* q = &quads.quads[i];
    if (alternate && i / 4 % 2 == 1) {
      mesh.triangles.insert(mesh.triangles.end(), {q[0], q[1], q[3], q[1], q[2], q[3]});
    } else {
      mesh.triangles.insert(mesh.triangles.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
    }
  }
  mesh.quadify = true;
  return mesh;
}

std::vector<MeshData> sheets() {
  const MeshData regular = test::make_quad_sheet(12, 9);
  MeshData sheared = regular, stretched = regular, noisy = regular, curved = regular;
  for (size_t i = 0; i < regular.positions.size(); i += 3) {
    sheared.positions[i] += 0.35f * regular.positions[i + 1];
    stretched.positions[i] *= 4;
    curved.positions[i + 2] = 0.2f * regular.positions[i] * regular.positions[i];
    for (size_t axis = 0; axis < 3; ++axis) {
      noisy.positions[i + axis] += 0.02f * static_cast<float>((i * 37 + axis * 61) % 17 - 8.0f) / 8;
    }
  }
  return {regular, sheared, stretched, noisy, curved, test::shuffled(noisy)};
}

using Sorted = std::vector<std::vector<std::pair<uint32_t, uint32_t>>>;

Sorted sorted_phases(const FabricData& fabric) {
  Sorted phases;
  for (size_t set = 0; set < fabric.set_ends.size(); ++set) {
    phases.push_back(test::pairs_of_set(fabric, set));
    std::sort(phases.back().begin(), phases.back().end());
  }
  return phases;
}

TEST(Quadify, the_quads_of_a_triangulated_grid_come_back_whichever_way_they_were_cut) {
  for (const MeshData& sheet : sheets()) {
    for (const bool alternate : {false, true}) {
      const FabricData quads = cook_checked(sheet);
      const FabricData merged = cook_checked(triangulated(sheet, alternate));
      EXPECT_EQ(merged.report.merged_triangle_count, sheet.quads.size() / 4);
      EXPECT_EQ(merged.phase_types, quads.phase_types);
      EXPECT_EQ(sorted_phases(merged), sorted_phases(quads));
    }
  }
}

TEST(Quadify, the_triangles_of_the_surface_stay_as_they_were) {
  MeshData mesh = triangulated(test::make_quad_sheet(6, 5), true);
  const FabricData merged = cook_checked(mesh);
  mesh.quadify = false;
  const FabricData plain = cook_checked(mesh);
  EXPECT_EQ(merged.triangles, plain.triangles);
  EXPECT_EQ(plain.report.merged_triangle_count, 0u);
}

TEST(Quadify, without_shear_a_merged_diagonal_holds_nothing) {
  MeshData mesh = triangulated(test::make_quad_sheet(6, 5), false);
  mesh.shear = false;
  EXPECT_EQ(cook_checked(mesh).phase_types, (std::vector<uint32_t>{3, 1}));
}

TEST(Quadify, real_quads_are_kept_beside_merged_ones) {
  MeshData mesh = test::make_quad_sheet(8, 2);
  const MeshData all = mesh;
  MeshData half = triangulated(mesh, false);
  half.quads.assign(all.quads.begin(), all.quads.begin() + 12);
  half.triangles.erase(half.triangles.begin(), half.triangles.begin() + 18);
  const FabricData fabric = cook_checked(half);
  EXPECT_EQ(fabric.report.merged_triangle_count, 4u);
  EXPECT_EQ(sorted_phases(fabric), sorted_phases(cook_checked(all)));
}

TEST(Quadify, an_equilateral_mesh_stays_mostly_triangles) {
  const uint32_t n = 20;
  MeshData mesh = test::make_triangle_sheet(n, n);
  for (uint32_t i = 0; i < n * n; ++i) {
    const float row = static_cast<float>(i / n), column = static_cast<float>(i % n);
    mesh.positions[i * 3] = column - row * 0.5f + 0.01f * static_cast<float>(i * 37 % 11);
    mesh.positions[i * 3 + 1] = row * 0.8660254f + 0.01f * static_cast<float>(i * 61 % 13);
  }
  mesh.quadify = true;
  EXPECT_LT(cook_checked(mesh).report.merged_triangle_count, (n - 1) * (n - 1) / 10);
}

TEST(Quadify, bent_concave_narrow_and_flipped_pairs_are_left_alone) {
  MeshData mesh;
  mesh.quadify = true;
  mesh.triangles = {0, 1, 2, 0, 2, 3};
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  EXPECT_EQ(cook_checked(mesh).report.merged_triangle_count, 1u);
  // Bent along the diagonal, concave, and with corners of 27 degrees.
  const std::vector<std::vector<float>> bad = {{0, 0, 0, 1, 0, 0, 1, 1, 0, 0.3f, 0.3f, 0.8f},
                                               {0, 0, 0, 1, 0, 0, 1, 1, 0, 0.6f, 0.7f, 0},
                                               {0, 0, 0, 1, 0, 0, 1.2f, 0.1f, 0, 0.2f, 0.1f, 0}};
  for (const auto& positions : bad) {
    MeshData other = mesh;
    other.positions = positions;
    EXPECT_EQ(cook_checked(other).report.merged_triangle_count, 0u);
  }
  mesh.triangles = {0, 1, 2, 0, 3, 2};
  EXPECT_EQ(cook_checked(mesh).report.merged_triangle_count, 0u) << "they wind opposite ways";
}

TEST(Quadify, a_non_manifold_edge_is_never_a_diagonal) {
  MeshData mesh;
  mesh.quadify = true;
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5f, 0.5f, 1};
  mesh.triangles = {0, 1, 2, 0, 2, 3, 0, 2, 4};
  EXPECT_EQ(cook_checked(mesh).report.merged_triangle_count, 0u);
}

}  // namespace
}  // namespace clothc::quadify_test
