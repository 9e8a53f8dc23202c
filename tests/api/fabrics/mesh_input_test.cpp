// mesh_input_test.cpp - the arrays of a mesh give the same fabric in every layout. Impossible values and strides are
// refused with a message that names them.
#include <algorithm>
#include <cmath>

#include "support/scene.h"

using namespace clothc_test;

namespace mesh_input_test {
namespace {

struct MeshInput : testing::Test {
  Scene scene{options()};
  Sheet sheet{6, 5};

  static SceneOptions options() {
    SceneOptions options(CLOTHC_BACKEND_CPU);
    options.has_cloth = false;
    return options;
  }
  clothc_fabric_info cook(const clothc_mesh_desc& mesh) const {
    const clothc_fabric fabric = cook_fabric(scene.device, mesh);
    const clothc_fabric_info info = fabric_info(fabric);
    EXPECT_OK(clothc_fabric_destroy(fabric));
    return info;
  }
  clothc_result refuse(const clothc_mesh_desc& mesh) const {
    clothc_fabric fabric = nullptr;
    const clothc_result result = clothc_fabric_cook(scene.device, &mesh, &fabric);
    EXPECT_EQ(fabric, nullptr);
    return result;
  }
};

// A vertex in a layout that is typical of engines.
struct Vertex {
  float before[3];
  float position[3];
  float inverse_mass;
  float uv[2];
  float stiffness;
};

TEST_F(MeshInput, interleaved_vertices_and_padded_faces_of_either_index_size_give_the_same_fabric) {
  const size_t count = sheet.inverse_masses.size();
  std::vector<float> uvs, stiffness;
  for (size_t v = 0; v < count; ++v) {
    uvs.insert(uvs.end(), {sheet.positions[v * 3], sheet.positions[v * 3 + 2]});
    stiffness.push_back(0.25f + 0.5f * static_cast<float>(v) / static_cast<float>(count));
  }
  clothc_mesh_desc mesh = sheet.desc();
  mesh.texture_coordinates = uvs.data();
  mesh.stiffness = stiffness.data();
  const uint64_t expected = cook(mesh).content_hash;

  std::vector<Vertex> vertices(count);
  for (size_t v = 0; v < count; ++v) {
    std::fill_n(vertices[v].before, 3, not_a_number);
    std::copy_n(&sheet.positions[v * 3], 3, vertices[v].position);
    std::copy_n(&uvs[v * 2], 2, vertices[v].uv);
    vertices[v].inverse_mass = sheet.inverse_masses[v];
    vertices[v].stiffness = stiffness[v];
  }
  mesh.positions = vertices[0].position;
  mesh.inverse_masses = &vertices[0].inverse_mass;
  mesh.texture_coordinates = vertices[0].uv;
  mesh.stiffness = &vertices[0].stiffness;
  mesh.position_stride = mesh.inverse_mass_stride = sizeof(Vertex);
  mesh.texture_coordinate_stride = mesh.stiffness_stride = sizeof(Vertex);
  EXPECT_EQ(cook(mesh).content_hash, expected);

  // The stride from face to face is 7 and 5 indices.
  std::vector<uint32_t> wide;
  std::vector<uint16_t> narrow;
  for (size_t k = 0; k < sheet.quads.size(); ++k) {
    wide.push_back(sheet.quads[k]);
    narrow.push_back(static_cast<uint16_t>(sheet.quads[k]));
    if (k % 4 != 3) continue;
    wide.insert(wide.end(), 3, 0xffffffffu);
    narrow.push_back(0xffff);
  }
  mesh.quads = wide.data();
  mesh.quad_stride = 7 * 4;
  EXPECT_EQ(cook(mesh).content_hash, expected);
  mesh.quads = narrow.data();
  mesh.quad_stride = 5 * 2;
  mesh.index_size = 2;
  EXPECT_EQ(cook(mesh).content_hash, expected);

  const std::vector<uint16_t> triangle = {0, 1, 7, 0xffff, 7, 6, 0, 0xffff};
  const uint32_t plain[] = {0, 1, 7, 7, 6, 0};
  clothc_mesh_desc padded = sheet.desc(), tight = sheet.desc();
  padded.quad_count = tight.quad_count = 0;
  padded.triangle_count = tight.triangle_count = 2;
  padded.triangles = triangle.data();
  padded.triangle_stride = 8;
  padded.index_size = 2;
  tight.triangles = plain;
  EXPECT_EQ(cook(padded).content_hash, cook(tight).content_hash);
}

TEST_F(MeshInput, stiffness_of_vertices_becomes_the_mean_of_each_constraints_ends) {
  const std::vector<float> stiffness(sheet.inverse_masses.size(), 0.75f);
  clothc_mesh_desc mesh = sheet.desc();
  mesh.stiffness = stiffness.data();
  clothc_fabric fabric = nullptr;
  ASSERT_OK(clothc_fabric_cook(scene.device, &mesh, &fabric));
  const std::vector<float> values = read_fabric<float>(fabric, CLOTHC_FABRIC_STIFFNESS_VALUES);
  EXPECT_GT(values.size(), 50u);
  for (const float value : values) EXPECT_EQ(value, 0.75f);
}

TEST_F(MeshInput, strides_and_values_out_of_range_are_refused_by_name) {
  const size_t count = sheet.inverse_masses.size();
  std::vector<float> uvs(count * 2, 0.5f), stiffness(count, 0.5f);
  clothc_mesh_desc good = sheet.desc();
  good.texture_coordinates = uvs.data();
  good.stiffness = stiffness.data();
  const auto with = [&](auto change) {
    clothc_mesh_desc mesh = good;
    change(mesh);
    return refuse(mesh);
  };
  const auto bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  EXPECT_FAILS(bad, with([](auto& m) { m.quad_stride = 15; }), "quad_stride is 15", "multiple of 4");
  EXPECT_FAILS(bad, with([](auto& m) { m.quad_stride = 12; }), "quad_stride is 12", "from 16");
  EXPECT_FAILS(bad, with([](auto& m) { m.triangle_stride = 8; }), "triangle_stride is 8");
  EXPECT_FAILS(bad, with([](auto& m) { m.stiffness_stride = 2; }), "stiffness_stride is 2");
  EXPECT_FAILS(bad, with([](auto& m) { m.texture_coordinate_stride = 4; }), "texture_coordinate_stride is 4");
  EXPECT_FAILS(bad, with([](auto& m) { m.texture_coordinate_stride = 65540; }), "65540", "65536");
  for (const float x : {not_a_number, infinity, -infinity, 1.1e9f}) {
    EXPECT_FAILS(bad, with([&](auto& m) { m.gravity_hint[2] = x; }), "gravity_hint");
    uvs[2 * 7 + 1] = x;
    EXPECT_FAILS(bad, refuse(good), "vertex 7", "texture coordinate");
    uvs[2 * 7 + 1] = 0;
  }
  for (const float x : {not_a_number, infinity, -0.001f, 1.001f}) {
    stiffness[3] = stiffness[9] = x;
    EXPECT_FAILS(bad, refuse(good), "vertex 3 (and 1 more)", "stiffness", "0 to 1");
    stiffness[3] = stiffness[9] = 0.5f;
  }
  cook(good);
}

}  // namespace
}  // namespace mesh_input_test
