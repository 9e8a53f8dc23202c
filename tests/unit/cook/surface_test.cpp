// surface_test.cpp - every triangle is in the fans of its corners, once and in order, whatever the storage order.
// Texture coordinates reach the triangles that remain of the mesh.
#include "cook/layout/surface.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cook/cook.h"
#include "unit/cook/mesh_list.h"

namespace clothc::cook_surface_test {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

// Sets texture coordinates in the x-y plane that are turned so that neither axis runs along an edge.
MeshData textured(MeshData mesh) {
  for (size_t v = 0; v < mesh.positions.size() / 3; ++v) {
    const float x = mesh.positions[v * 3], y = mesh.positions[v * 3 + 1];
    mesh.texture_coordinates.insert(mesh.texture_coordinates.end(), {0.5f * x + 0.25f * y, 0.5f * y - 0.25f * x});
  }
  return mesh;
}

// Gives every face vertices of its own, as exporters write meshes with seams everywhere.
MeshData split(const MeshData& mesh) {
  MeshData result = mesh;
  result.positions.clear();
  result.inverse_masses.clear();
  result.stiffness.clear();
  for (std::vector<uint32_t>* corners : {&result.triangles, &result.quads}) {
    for (uint32_t& corner : *corners) {
      const float* p = &mesh.positions[corner * size_t{3}];
      corner = static_cast<uint32_t>(result.positions.size() / 3);
      result.positions.insert(result.positions.end(), p, p + 3);
    }
  }
  return result;
}

// Returns for each item the triangles that have it as a corner, in ascending order.
Lists expected_fans(const std::vector<uint32_t>& corners, size_t item_count) {
  Lists fans(item_count);
  for (uint32_t k = 0; k < corners.size(); ++k) {
    std::vector<uint32_t>& fan = fans[corners[k]];
    if (fan.empty() || fan.back() != k / 3) fan.push_back(k / 3);
  }
  return fans;
}

// Reads all entries of each item's fan as kernels do, and checks the surrounding padding.
void expect_fans(const std::vector<uint32_t>& words, const Lists& expected, uint32_t triangle_count) {
  ASSERT_EQ(expected.size() % lane_padding, 0u);
  const size_t slices = expected.size() / lane_padding;
  ASSERT_GT(words.size(), slices);
  EXPECT_EQ(words[slices], words.size());
  for (size_t item = 0; item < expected.size(); ++item) {
    const uint32_t begin = words[item / lane_padding], end = words[item / lane_padding + 1];
    ASSERT_GT(begin, slices);
    ASSERT_EQ(begin % lane_padding, 0u);
    ASSERT_LE(end, words.size());
    size_t widest = 0;
    for (size_t lane = 0; lane < lane_padding; ++lane)
      widest = std::max(widest, expected[item / lane_padding * lane_padding + lane].size());
    ASSERT_EQ(end - begin, widest * lane_padding) << "no wider than needed";
    std::vector<uint32_t> entries, wanted = expected[item];
    for (uint32_t k = begin; k < end; k += lane_padding) entries.push_back(words[k + item % lane_padding]);
    wanted.resize(widest, triangle_count);
    ASSERT_EQ(entries, wanted) << "item " << item;
  }
}

uint32_t padded(uint32_t count) { return (count / lane_padding + 1) * lane_padding; }

void expect_surface(const FabricData& fabric) {
  const uint32_t count = static_cast<uint32_t>(fabric.triangle_count());
  ASSERT_EQ(fabric.triangle_stride, padded(count));
  ASSERT_EQ(fabric.laid_out_corners.size(), size_t{fabric.triangle_stride} * 3);
  std::vector<uint32_t> stored_corners;
  for (uint32_t t = 0; t < fabric.triangle_stride; ++t) {
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t stored = fabric.laid_out_corners[k * fabric.triangle_stride + t];
      ASSERT_EQ(stored, t < count ? fabric.storage_index(fabric.triangles[t * 3 + k]) : fabric.particle_count);
      if (t < count) stored_corners.push_back(stored);
    }
  }
  const Lists fans = expected_fans(stored_corners, padded(fabric.particle_count));
  expect_fans(fabric.particle_fans, fans, count);
  size_t widest = 0;
  for (const auto& fan : fans) widest = std::max(widest, fan.size());
  EXPECT_EQ(fabric.widest_fan, widest);
}

TEST(Surface, each_triangle_is_in_the_fans_of_its_corners_in_ascending_order) {
  size_t reordered = 0;
  std::vector<test::NamedMesh> meshes = test::all_meshes();
  meshes.push_back({"many shuffled quads", test::shuffled(test::make_quad_sheet(40, 30))});
  meshes.push_back({"many shuffled triangles", test::shuffled(test::make_triangle_sheet(30, 40))});
  for (const test::NamedMesh& named : meshes) {
    SCOPED_TRACE(named.name);
    for (const bool reorder : {true, false}) {
      MeshData mesh = named.mesh;
      mesh.reorder = reorder;
      FabricData fabric = cook_mesh(mesh);
      lay_out(fabric);
      reordered += !fabric.storage_order.empty();
      expect_surface(fabric);
      EXPECT_TRUE(fabric.triangle_vertices.empty() && fabric.texture_coordinates.empty());
      EXPECT_TRUE(fabric.tangent_weights.empty() && fabric.vertex_fans.empty() && fabric.particle_handedness.empty());
    }
  }
  EXPECT_EQ(reordered, 2u) << "meshes that are stored in another order";
}

TEST(Surface, triangles_keep_the_vertices_of_the_mesh) {
  for (const test::NamedMesh& named : test::all_meshes()) {
    SCOPED_TRACE(named.name);
    const MeshData whole = textured(named.mesh), seams = textured(split(named.mesh));
    for (const MeshData* mesh : {&whole, &seams}) {
      FabricData fabric = cook_mesh(*mesh);
      lay_out(fabric);
      expect_surface(fabric);
      ASSERT_EQ(fabric.texture_coordinates, mesh->texture_coordinates);
      ASSERT_EQ(fabric.triangle_vertices.size(), fabric.triangles.size());
      for (size_t k = 0; k < fabric.triangles.size(); ++k)
        ASSERT_EQ(fabric.vertex_map[fabric.triangle_vertices[k]], fabric.triangles[k]);
      const bool has_seams = fabric.vertex_count > fabric.particle_count;
      EXPECT_EQ(has_seams, mesh == &seams && named.mesh.triangles.size() + named.mesh.quads.size() / 4 * 3 > 4);
      EXPECT_EQ(fabric.vertex_fans.empty(), !has_seams);
      if (has_seams) {
        const uint32_t items = padded(fabric.vertex_count);
        expect_fans(fabric.vertex_fans, expected_fans(fabric.triangle_vertices, items),
                    static_cast<uint32_t>(fabric.triangle_count()));
        EXPECT_EQ(fabric.vertex_handedness.size(), items);
      }
      EXPECT_EQ(fabric.particle_handedness.size(), padded(fabric.particle_count));
      EXPECT_EQ(fabric.tangent_weights.size(), fabric.triangle_stride * size_t{2});
    }
  }
}

// The mesh has a quad that loses a corner, a quad that loses one of its halves, and faces that are left out. The
// remaining triangles must keep their vertices.
TEST(Surface, triangles_of_mended_faces_keep_their_own_vertices) {
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 2, 1, 0};
  // Vertex 4 coincides with vertex 1.
  mesh.quads = {0, 1, 4, 3, 0, 0, 1, 2, 1, 5, 6, 7};
  mesh.triangles = {3, 3, 2, 4, 2, 3};
  const MeshData with_texture = textured(mesh);
  FabricData fabric = cook_mesh(with_texture);
  lay_out(fabric);
  expect_surface(fabric);
  const std::vector<uint32_t> vertices = fabric.triangle_vertices;
  ASSERT_EQ(vertices.size(), fabric.triangles.size());
  EXPECT_EQ(std::vector<uint32_t>(vertices.begin(), vertices.begin() + 3), (std::vector<uint32_t>{4, 2, 3}))
      << "of two vertices of one particle, the face's own";
  EXPECT_EQ(std::vector<uint32_t>(vertices.begin() + 3, vertices.begin() + 6), (std::vector<uint32_t>{0, 1, 3}));
}

// The weights of a triangle give the direction in which u grows: t . grad u = 1 and t . grad v = 0, here in the plane.
TEST(Surface, tangent_weights_point_along_u_with_its_rate) {
  FabricData fabric = cook_mesh(textured(test::noisy(test::make_triangle_sheet(10, 8), 0.05f, true)));
  lay_out(fabric);
  for (size_t t = 0; t < fabric.triangle_count(); ++t) {
    double tangent[2] = {0, 0};
    for (size_t k = 0; k < 2; ++k) {
      const double weight = fabric.tangent_weights[k * fabric.triangle_stride + t];
      const size_t from = fabric.triangles[t * 3] * size_t{4}, to = fabric.triangles[t * 3 + 1 + k] * size_t{4};
      for (size_t axis = 0; axis < 2; ++axis)
        tangent[axis] += weight * (double{fabric.positions[to + axis]} - double{fabric.positions[from + axis]});
    }
    EXPECT_NEAR(0.5 * tangent[0] + 0.25 * tangent[1], 1, 1e-4);
    EXPECT_NEAR(0.5 * tangent[1] - 0.25 * tangent[0], 0, 1e-4);
  }
  for (size_t t = fabric.triangle_count(); t < fabric.triangle_stride; ++t)
    EXPECT_EQ(fabric.tangent_weights[t] + fabric.tangent_weights[fabric.triangle_stride + t], 0.0f);
}

FabricData one_triangle(std::vector<float> texture_coordinates) {
  FabricData fabric;
  fabric.particle_count = fabric.vertex_count = 3;
  fabric.vertex_map = fabric.triangles = fabric.triangle_vertices = {0, 1, 2};
  fabric.texture_coordinates = std::move(texture_coordinates);
  lay_out(fabric);
  return fabric;
}

TEST(Surface, tangent_weights_are_zero_or_of_a_size_that_kernels_can_add) {
  const auto weights = [](std::vector<float> texture_coordinates) {
    const FabricData fabric = one_triangle(std::move(texture_coordinates));
    return std::vector<float>{fabric.tangent_weights[0], fabric.tangent_weights[fabric.triangle_stride]};
  };
  const std::vector<float> none = {0, 0};
  EXPECT_EQ(weights({0, 0, 1, 0, 0, 1}), (std::vector<float>{1, 0}));
  EXPECT_EQ(weights({0, 0, 0, 2, 4, 0}), (std::vector<float>{0, 0.25f}));
  EXPECT_EQ(weights({0, 0, 0, 0, 0, 0}), none);
  EXPECT_EQ(weights({1, 1, 2, 2, 3, 3}), none);
  EXPECT_EQ(weights({0, 0, 1, 1, 2, 2.0000002f}), none) << "a line that rounding has bent";
  EXPECT_EQ(weights({0, 0, 1e-30f, 0, 0, 1e-30f}), none) << "1e30 is too much";
  EXPECT_EQ(weights({0, 0, 1e-45f, 0, 0, 1e-45f}), none);
  EXPECT_EQ(weights({-1e9f, -1e9f, 1e9f, -1e9f, -1e9f, 1e9f}), (std::vector<float>{5e-10f, 0}));
  EXPECT_EQ(weights({0, 0, 1e-3f, 1e-16f, 0, 1e3f})[1], 0.0f) << "1e-16 is too little";
}

TEST(Surface, handedness_is_the_sign_of_the_area_in_the_texture) {
  EXPECT_EQ(one_triangle({0, 0, 1, 0, 0, 1}).particle_handedness, std::vector<float>(16, 1.0f));
  std::vector<float> mirrored(16, 1.0f);
  std::fill_n(mirrored.begin(), 3, -1.0f);
  EXPECT_EQ(one_triangle({0, 0, -1, 0, 0, 1}).particle_handedness, mirrored);
  EXPECT_EQ(one_triangle({0, 0, 0, 0, 0, 0}).particle_handedness, std::vector<float>(16, 1.0f));
}

TEST(Surface, a_corner_named_twice_is_in_the_fan_once) {
  FabricData fabric;
  fabric.particle_count = fabric.vertex_count = 4;
  fabric.vertex_map = {0, 1, 2, 3};
  fabric.triangles = {0, 0, 0, 1, 2, 1, 3, 1, 1, 2, 2, 0};
  lay_out(fabric);
  expect_surface(fabric);
  EXPECT_EQ(fabric.widest_fan, 2u);
}

TEST(Surface, without_triangles_is_empty_and_layout_may_be_repeated) {
  FabricData fabric = cook_mesh(textured(split(test::make_quad_sheet(5, 5))));
  lay_out(fabric);
  const FabricData once = fabric;
  lay_out(fabric);
  EXPECT_EQ(fabric.laid_out_corners, once.laid_out_corners);
  EXPECT_EQ(fabric.particle_fans, once.particle_fans);
  EXPECT_EQ(fabric.vertex_fans, once.vertex_fans);
  EXPECT_EQ(fabric.tangent_weights, once.tangent_weights);
  fabric.triangles.clear();
  fabric.triangle_vertices.clear();
  lay_out(fabric);
  EXPECT_EQ(fabric.triangle_stride + fabric.widest_fan, 0u);
  EXPECT_TRUE(fabric.laid_out_corners.empty() && fabric.particle_fans.empty() && fabric.vertex_fans.empty());
  EXPECT_TRUE(fabric.tangent_weights.empty() && fabric.particle_handedness.empty() && fabric.vertex_handedness.empty());
}

TEST(Surface, texture_coordinates_do_not_change_the_content_hash) {
  MeshData mesh = test::make_quad_sheet(6, 6);
  mesh.gravity_hint[1] = -1;
  FabricData plain = cook_mesh(mesh);
  FabricData other = plain;
  other.triangle_vertices = other.triangles;
  other.texture_coordinates.assign(other.vertex_count * size_t{2}, 0.5f);
  lay_out(plain);
  lay_out(other);
  EXPECT_EQ(plain.content_hash, other.content_hash);
}

}  // namespace
}  // namespace clothc::cook_surface_test
