// surface_test.cpp - every triangle is in the fans of its corners, once and in order, whatever the storage order.
// Texture coordinates reach the triangles that remain of the mesh.
#include "cook/layout/surface.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cook/cook.h"
#include "unit/cook/fabric_checks.h"
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

void expect_surface(const FabricData& fabric, const LaidOutFabric& laid_out) {
  const FabricLayout& layout = laid_out.layout;
  const uint32_t count = static_cast<uint32_t>(fabric.triangle_count());
  const std::vector<uint32_t> corners = test::array_at(laid_out, layout.triangle_corners);
  ASSERT_EQ(layout.triangle_count, count);
  ASSERT_EQ(layout.triangle_stride, padded(count + 1));
  ASSERT_EQ(corners.size(), size_t{layout.triangle_stride} * 3);
  std::vector<uint32_t> stored_corners;
  for (uint32_t t = 0; t < layout.triangle_stride; ++t) {
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t stored = corners[k * layout.triangle_stride + t];
      ASSERT_EQ(stored, t < count ? fabric.storage_index(fabric.triangles[t * 3 + k]) : padding_particle);
      if (t < count) stored_corners.push_back(stored);
    }
  }
  const Lists fans = expected_fans(stored_corners, padded(fabric.particle_count));
  expect_fans(test::array_at(laid_out, layout.particle_fans), fans, count);
  size_t widest = 0;
  for (const auto& fan : fans) widest = std::max(widest, fan.size());
  EXPECT_EQ(layout.widest_fan, widest);
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
      const FabricData fabric = cook_mesh(mesh);
      const LaidOutFabric laid_out = lay_out(fabric);
      reordered += !fabric.storage_order.empty();
      expect_surface(fabric, laid_out);
      EXPECT_TRUE(fabric.triangle_vertices.empty() && fabric.texture_coordinates.empty());
      const FabricLayout& layout = laid_out.layout;
      EXPECT_TRUE(layout.tangent_weights == 0 && layout.vertex_fans == 0 && layout.particle_handedness == 0);
    }
  }
  EXPECT_EQ(reordered, 2u) << "meshes that are stored in another order";
}

TEST(Surface, triangles_keep_the_vertices_of_the_mesh) {
  for (const test::NamedMesh& named : test::all_meshes()) {
    SCOPED_TRACE(named.name);
    const MeshData whole = textured(named.mesh), seams = textured(split(named.mesh));
    for (const MeshData* mesh : {&whole, &seams}) {
      const FabricData fabric = cook_mesh(*mesh);
      const LaidOutFabric laid_out = lay_out(fabric);
      const FabricLayout& layout = laid_out.layout;
      expect_surface(fabric, laid_out);
      ASSERT_EQ(fabric.texture_coordinates, mesh->texture_coordinates);
      ASSERT_EQ(fabric.triangle_vertices.size(), fabric.triangles.size());
      for (size_t k = 0; k < fabric.triangles.size(); ++k)
        ASSERT_EQ(fabric.vertex_map[fabric.triangle_vertices[k]], fabric.triangles[k]);
      const bool has_seams = fabric.vertex_count > fabric.particle_count;
      EXPECT_EQ(has_seams, mesh == &seams && named.mesh.triangles.size() + named.mesh.quads.size() / 4 * 3 > 4);
      EXPECT_EQ(layout.vertex_fans == 0, !has_seams);
      if (has_seams) {
        const uint32_t items = padded(fabric.vertex_count);
        expect_fans(test::array_at(laid_out, layout.vertex_fans), expected_fans(fabric.triangle_vertices, items),
                    static_cast<uint32_t>(fabric.triangle_count()));
        EXPECT_EQ(test::array_at(laid_out, layout.vertex_handedness).size(), items);
      }
      EXPECT_EQ(test::array_at(laid_out, layout.particle_handedness).size(), padded(fabric.particle_count));
      EXPECT_EQ(test::array_at(laid_out, layout.tangent_weights).size(), layout.triangle_stride * size_t{2});
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
  const FabricData fabric = cook_mesh(with_texture);
  expect_surface(fabric, lay_out(fabric));
  const std::vector<uint32_t> vertices = fabric.triangle_vertices;
  ASSERT_EQ(vertices.size(), fabric.triangles.size());
  EXPECT_EQ(std::vector<uint32_t>(vertices.begin(), vertices.begin() + 3), (std::vector<uint32_t>{4, 2, 3}))
      << "of two vertices of one particle, the face's own";
  EXPECT_EQ(std::vector<uint32_t>(vertices.begin() + 3, vertices.begin() + 6), (std::vector<uint32_t>{0, 1, 3}));
}

std::vector<float> tangent_weights(const LaidOutFabric& laid_out) {
  return test::floats_of(test::array_at(laid_out, laid_out.layout.tangent_weights));
}

std::vector<float> particle_handedness(const LaidOutFabric& laid_out) {
  return test::floats_of(test::array_at(laid_out, laid_out.layout.particle_handedness));
}

// The weights of a triangle give the direction in which u grows: t . grad u = 1 and t . grad v = 0, here in the plane.
TEST(Surface, tangent_weights_point_along_u_with_its_rate) {
  const FabricData fabric = cook_mesh(textured(test::noisy(test::make_triangle_sheet(10, 8), 0.05f, true)));
  const LaidOutFabric laid_out = lay_out(fabric);
  const uint32_t stride = laid_out.layout.triangle_stride;
  const std::vector<float> weights = tangent_weights(laid_out);
  for (size_t t = 0; t < fabric.triangle_count(); ++t) {
    double tangent[2] = {0, 0};
    for (size_t k = 0; k < 2; ++k) {
      const double weight = double{weights[k * stride + t]};
      const size_t from = fabric.triangles[t * 3] * size_t{4}, to = fabric.triangles[t * 3 + 1 + k] * size_t{4};
      for (size_t axis = 0; axis < 2; ++axis)
        tangent[axis] += weight * (double{fabric.positions[to + axis]} - double{fabric.positions[from + axis]});
    }
    EXPECT_NEAR(0.5 * tangent[0] + 0.25 * tangent[1], 1, 1e-4);
    EXPECT_NEAR(0.5 * tangent[1] - 0.25 * tangent[0], 0, 1e-4);
  }
  for (size_t t = fabric.triangle_count(); t < stride; ++t) EXPECT_EQ(weights[t] + weights[stride + t], 0.0f);
}

LaidOutFabric one_triangle(std::vector<float> texture_coordinates) {
  FabricData fabric;
  fabric.particle_count = fabric.vertex_count = 3;
  fabric.vertex_map = fabric.triangles = fabric.triangle_vertices = {0, 1, 2};
  fabric.texture_coordinates = std::move(texture_coordinates);
  return lay_out(fabric);
}

TEST(Surface, tangent_weights_are_zero_or_of_a_size_that_kernels_can_add) {
  const auto weights = [](std::vector<float> texture_coordinates) {
    const LaidOutFabric laid_out = one_triangle(std::move(texture_coordinates));
    const std::vector<float> rows = tangent_weights(laid_out);
    return std::vector<float>{rows[0], rows[laid_out.layout.triangle_stride]};
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
  EXPECT_EQ(particle_handedness(one_triangle({0, 0, 1, 0, 0, 1})), std::vector<float>(16, 1.0f));
  std::vector<float> mirrored(16, 1.0f);
  std::fill_n(mirrored.begin(), 3, -1.0f);
  EXPECT_EQ(particle_handedness(one_triangle({0, 0, -1, 0, 0, 1})), mirrored);
  EXPECT_EQ(particle_handedness(one_triangle({0, 0, 0, 0, 0, 0})), std::vector<float>(16, 1.0f));
}

TEST(Surface, a_corner_named_twice_is_in_the_fan_once) {
  FabricData fabric;
  fabric.particle_count = fabric.vertex_count = 4;
  fabric.vertex_map = {0, 1, 2, 3};
  fabric.triangles = {0, 0, 0, 1, 2, 1, 3, 1, 1, 2, 2, 0};
  const LaidOutFabric laid_out = lay_out(fabric);
  expect_surface(fabric, laid_out);
  EXPECT_EQ(laid_out.layout.widest_fan, 2u);
}

TEST(Surface, without_triangles_is_empty_and_layout_may_be_repeated) {
  FabricData fabric = cook_mesh(textured(split(test::make_quad_sheet(5, 5))));
  const LaidOutFabric once = lay_out(fabric), again = lay_out(fabric);
  for (uint32_t FabricLayout::*array : {&FabricLayout::triangle_corners, &FabricLayout::particle_fans,
                                        &FabricLayout::vertex_fans, &FabricLayout::tangent_weights})
    EXPECT_EQ(test::array_at(again, again.layout.*array), test::array_at(once, once.layout.*array));
  fabric.triangles.clear();
  fabric.triangle_vertices.clear();
  const FabricLayout layout = lay_out(fabric).layout;
  EXPECT_EQ(layout.triangle_stride + layout.widest_fan, 0u);
  EXPECT_TRUE(layout.triangle_corners == 0 && layout.particle_fans == 0 && layout.vertex_fans == 0);
  EXPECT_TRUE(layout.tangent_weights == 0 && layout.particle_handedness == 0 && layout.vertex_handedness == 0);
}

TEST(Surface, texture_coordinates_do_not_change_the_content_hash) {
  MeshData mesh = test::make_quad_sheet(6, 6);
  mesh.gravity_hint[1] = -1;
  const FabricData plain = cook_mesh(mesh);
  FabricData other = plain;
  other.triangle_vertices = other.triangles;
  other.texture_coordinates.assign(other.vertex_count * size_t{2}, 0.5f);
  EXPECT_EQ(lay_out(plain).layout.content_hash, lay_out(other).layout.content_hash);
}

}  // namespace
}  // namespace clothc::cook_surface_test
