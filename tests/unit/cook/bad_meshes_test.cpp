// bad_meshes_test.cpp - malformed meshes: each is either cooked to a fabric that simulates or refused with a message
// that says why.
#include <clothc.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <string>

#include "support/calls.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::bad_meshes_test {
namespace {

class BadMeshes : public ::testing::Test {
 protected:
  void SetUp() override {
    auto desc = clothc_test::initialised<clothc_device_desc>();
    desc.backend = CLOTHC_BACKEND_CPU;
    desc.worker_count = 1;
    device_ = clothc_test::create_device(desc);
  }
  void TearDown() override { clothc_device_destroy(device_); }

  void expect_refused(const MeshData& mesh, const char* message) {
    clothc_fabric fabric = nullptr;
    const clothc_mesh_desc desc = test::desc_of(mesh);
    EXPECT_EQ(clothc_fabric_cook(device_, &desc, &fabric), CLOTHC_ERROR_INVALID_ARGUMENT);
    EXPECT_EQ(fabric, nullptr);
    EXPECT_EQ(std::string(clothc_last_error_message()).rfind(message, 0), 0u) << clothc_last_error_message();
  }

  // Cooks the mesh as it is, with masses from its area, and with triangles merged into quads, and simulates one second
  // of each.
  void expect_simulates(MeshData mesh) {
    test::pin(mesh, {0});
    for (const int variant : {0, 1, 2}) {
      mesh.areal_density = variant == 1 ? 0.2f : 0.0f;
      mesh.quadify = variant == 2;
      test::cook_checked(mesh);
      const clothc_fabric fabric = clothc_test::cook_fabric(device_, test::desc_of(mesh));
      expect_diagnostics_are_sentences(fabric);
      simulate(fabric);
      EXPECT_EQ(clothc_fabric_destroy(fabric), CLOTHC_SUCCESS);
    }
  }

  void expect_diagnostics_are_sentences(clothc_fabric fabric) {
    const uint32_t count = clothc_test::fabric_info(fabric).diagnostic_count;
    for (uint32_t i = 0; i < count; ++i) {
      auto diagnostic = clothc_test::initialised<clothc_diagnostic>();
      ASSERT_EQ(clothc_fabric_get_diagnostic(fabric, i, &diagnostic), CLOTHC_SUCCESS);
      EXPECT_GT(std::strlen(diagnostic.message), 20u);
      found_.insert(diagnostic.kind);
    }
  }

  void simulate(clothc_fabric fabric) {
    const clothc_solver solver = clothc_test::create_solver(device_, clothc_test::initialised<clothc_solver_desc>());
    auto cloth_desc = clothc_test::initialised<clothc_cloth_desc>();
    cloth_desc.fabric = fabric;
    const clothc_cloth_id cloth = clothc_test::add_cloth(solver, cloth_desc);
    for (int frame = 0; frame < 60; ++frame) clothc_test::update_solver(solver, 1.0f / 60);
    const clothc_cloth_status status = clothc_test::cloth_status(solver, cloth);
    EXPECT_EQ(status.non_finite_count, 0u);
    for (const float bound : status.bounds_minimum) EXPECT_TRUE(std::isfinite(bound));
    for (const float bound : status.bounds_maximum) EXPECT_TRUE(std::isfinite(bound));
    EXPECT_EQ(clothc_solver_destroy(solver), CLOTHC_SUCCESS);
  }

  bool was_found(uint32_t kind) const { return found_.count(kind) > 0; }

  clothc_device device_ = nullptr;
  std::set<uint32_t> found_;
};

MeshData scaled(MeshData mesh, float factor) {
  for (float& x : mesh.positions) x *= factor;
  return mesh;
}

TEST_F(BadMeshes, faces_without_area_among_good_ones) {
  MeshData mesh = test::make_quad_sheet(6, 6);
  mesh.triangles = {0, 1, 2, 0, 0, 7, 3, 9, 15};
  mesh.quads.insert(mesh.quads.end(), {5, 5, 5, 5, 0, 1, 1, 0, 6, 7, 8, 9});
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_FLAT_FACE) && was_found(CLOTHC_DIAGNOSTIC_REPEATED_VERTEX));
}

TEST_F(BadMeshes, every_face_three_times_and_turned) {
  MeshData mesh = test::make_triangle_sheet(6, 6);
  const std::vector<uint32_t> triangles = mesh.triangles;
  mesh.triangles.insert(mesh.triangles.end(), triangles.begin(), triangles.end());
  mesh.triangles.insert(mesh.triangles.end(), triangles.rbegin(), triangles.rend());
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_DUPLICATE_FACE));
}

TEST_F(BadMeshes, every_other_face_flipped) {
  MeshData mesh = test::make_triangle_sheet(7, 7);
  for (size_t i = 0; i < mesh.triangles.size(); i += 6) std::swap(mesh.triangles[i], mesh.triangles[i + 1]);
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_FLIPPED_FACE));
}

TEST_F(BadMeshes, isolated_vertices_and_no_faces_at_all) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  mesh.positions.insert(mesh.positions.end(), {9, 9, 9, -9, 0, 0});
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_ISOLATED_VERTEX));
  expect_simulates(test::make_points(3, 3));
}

TEST_F(BadMeshes, one_triangle_and_one_quad) {
  MeshData mesh = test::make_points(2, 2);
  mesh.triangles = {0, 1, 2};
  expect_simulates(mesh);
  expect_simulates(test::make_quad_sheet(2, 2));
}

TEST_F(BadMeshes, values_that_are_no_coordinates_are_refused) {
  MeshData mesh = test::make_quad_sheet(3, 3);
  mesh.positions[7] = std::numeric_limits<float>::quiet_NaN();
  expect_refused(mesh, "vertex 2 has a coordinate of ");
  mesh.positions[7] = std::numeric_limits<float>::infinity();
  mesh.positions[13] = -std::numeric_limits<float>::infinity();
  expect_refused(mesh, "vertex 2 (and 1 more) has a coordinate of inf; want finite values");
  expect_refused(scaled(test::make_quad_sheet(3, 3), 1e30f),
                 "vertex 1 (and 7 more) has a coordinate of 2.5e+29; want ");
}

TEST_F(BadMeshes, indices_beyond_the_vertices_are_refused) {
  MeshData mesh = test::make_quad_sheet(3, 3);
  mesh.quads[6] = 9;
  expect_refused(mesh, "quad 1 has vertex index 9; want below vertex_count 9");
}

TEST_F(BadMeshes, meshes_in_another_unit_are_refused_or_simulate) {
  expect_refused(scaled(test::make_quad_sheet(5, 5), 1e-30f), "the mesh is 1e-30 m large; want 1e-9 or more");
  for (const float scale : {1e-8f, 1e-6f, 1e-3f, 1e3f, 1e6f, 9e8f}) {
    SCOPED_TRACE(scale);
    expect_simulates(scaled(test::make_quad_sheet(5, 5), scale));
  }
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_MASS_LIMITED));
}

TEST_F(BadMeshes, far_from_the_origin) {
  MeshData mesh = test::make_quad_sheet(8, 8);
  for (float& x : mesh.positions) x += 1e5f;
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_LOW_PRECISION));
}

TEST_F(BadMeshes, three_thousand_triangles_around_one_vertex) {
  expect_simulates(test::make_fan(3000));
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_MANY_EDGES));
}

TEST_F(BadMeshes, forty_triangles_on_one_edge) {
  expect_simulates(test::make_book(40));
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_NON_MANIFOLD_EDGE));
}

TEST_F(BadMeshes, all_vertices_equal) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  for (float& x : mesh.positions) x = 1;
  expect_refused(mesh,
                 "none of the mesh's 9 faces can be simulated; the first: face 0 has two corners on one particle");
  mesh.weld_distance = -1;
  expect_refused(mesh,
                 "none of the mesh's 9 faces can be simulated; the first: face 0, 0 m long, has its corners on a line");
}

TEST_F(BadMeshes, all_vertices_on_a_line) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  for (size_t i = 0; i < mesh.positions.size(); i += 3) mesh.positions[i + 1] = mesh.positions[i];
  mesh.weld_distance = -1;
  expect_refused(mesh, "none of the mesh's 9 faces can be simulated; the first: face 0, 0.353553 m long");
}

TEST_F(BadMeshes, a_weld_distance_that_joins_everything_or_every_other_vertex) {
  MeshData mesh = test::make_quad_sheet(8, 8);
  mesh.weld_distance = 5;
  expect_refused(mesh,
                 "none of the mesh's 49 faces can be simulated; the first: face 0 has two corners on one particle");
  mesh.weld_distance = 0.26f;
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_REPEATED_VERTEX));
}

TEST_F(BadMeshes, vertices_left_apart_that_lie_on_each_other) {
  MeshData mesh = test::joined(test::make_quad_sheet(6, 6), test::make_quad_sheet(6, 6), 0);
  mesh.weld_distance = -1;
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_UNWELDED_VERTEX) && was_found(CLOTHC_DIAGNOSTIC_UNPINNED_PIECE) &&
              was_found(CLOTHC_DIAGNOSTIC_PIECES));
}

TEST_F(BadMeshes, a_sliver_among_large_faces) {
  MeshData mesh = test::make_quad_sheet(12, 6);
  mesh.positions[3] = 1e-6f;
  expect_simulates(mesh);
  EXPECT_TRUE(was_found(CLOTHC_DIAGNOSTIC_SHORT_EDGE));
}

TEST_F(BadMeshes, random_soup) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    MeshData mesh;
    for (uint64_t i = 0; i < 90; ++i) mesh.positions.push_back(test::noise(seed * 1000 + i));
    for (uint64_t i = 0; i < 200 * 7; ++i) {
      const float position = (test::noise(seed * 1000000 + i) + 1) * 15;
      const uint32_t vertex = std::min(static_cast<uint32_t>(position), 29u);
      (i < 600 ? mesh.triangles : mesh.quads).push_back(vertex);
    }
    expect_simulates(mesh);
  }
}

}  // namespace
}  // namespace clothc::bad_meshes_test
