// content_hash_test.cpp - fabrics with equal content have equal content hashes, and every part of the content affects
// the hash.
#include "cook/content_hash.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::content_hash_test {
namespace {

FabricData sample() {
  MeshData mesh = test::make_quad_sheet(6, 5);
  test::pin(mesh, {0, 5});
  mesh.tethers_per_particle = 2;
  FabricData fabric = test::cook_checked(mesh);
  fabric.stiffness.assign(fabric.rest_lengths.size(), 0.5f);
  fabric.virtual_particles = {0, 1, 7, 0, 1, 2, 8, 0};
  fabric.virtual_weights = {0.5f, 0.25f, 0.25f};
  return fabric;
}

TEST(ContentHash, cooking_twice_gives_the_same_bytes) {
  MeshData mesh = test::shuffled(test::make_triangle_sheet(25, 25));
  test::pin(mesh, {1, 100, 300});
  mesh.tethers_per_particle = 3;
  const FabricData a = test::cook_checked(mesh), b = test::cook_checked(mesh);
  EXPECT_EQ(a.vertex_map, b.vertex_map);
  EXPECT_EQ(a.indices, b.indices);
  EXPECT_EQ(a.triangles, b.triangles);
  EXPECT_EQ(a.tether_anchors, b.tether_anchors);
  test::expect_same_layout(lay_out(a), lay_out(b));
  const auto same_bytes = [](const std::vector<float>& x, const std::vector<float>& y) {
    return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(float)) == 0;
  };
  EXPECT_TRUE(same_bytes(a.positions, b.positions));
  EXPECT_TRUE(same_bytes(a.rest_lengths, b.rest_lengths));
  EXPECT_TRUE(same_bytes(a.tether_lengths, b.tether_lengths));
}

TEST(ContentHash, one_bit_of_any_array_changes_it) {
  const FabricData fabric = sample();
  const uint64_t hash = cook::hash_content(fabric);
  const std::vector<std::function<void(FabricData&)>> changes = {
      [](FabricData& f) { f.particle_count ^= 1; },
      [](FabricData& f) { f.positions.back() = 2; },
      [](FabricData& f) { f.positions[0] = -0.0f; },
      [](FabricData& f) { std::swap(f.phase_sets[0], f.phase_sets[1]); },
      [](FabricData& f) { f.set_ends[0] -= 1; },
      [](FabricData& f) { std::swap(f.indices[0], f.indices[1]); },
      [](FabricData& f) { f.rest_lengths[3] *= 1.0000001f; },
      [](FabricData& f) { f.stiffness.clear(); },
      [](FabricData& f) { f.stiffness.back() = 0.25f; },
      [](FabricData& f) { f.tethers_per_particle = 1; },
      [](FabricData& f) { f.exact_lengths = !f.exact_lengths; },
      [](FabricData& f) { f.tether_anchors[9] ^= 1; },
      [](FabricData& f) { f.tether_lengths.back() += 1; },
      [](FabricData& f) { std::swap(f.triangles[1], f.triangles[2]); },
      [](FabricData& f) { f.virtual_particles[5] = 3; },
      [](FabricData& f) { f.virtual_particles.resize(4); },
      [](FabricData& f) { std::swap(f.virtual_weights[0], f.virtual_weights[1]); },
      [](FabricData& f) { f.virtual_particles.clear(); },
      [](FabricData& f) { f.level_counts[1] ^= 1; },
      [](FabricData& f) { f.level_nodes.back() ^= 1; },
      [](FabricData& f) { f.level_values[2] += 1; },
      [](FabricData& f) { f.level_counts.clear(); },
  };
  for (size_t i = 0; i < changes.size(); ++i) {
    FabricData changed = fabric;
    changes[i](changed);
    EXPECT_NE(cook::hash_content(changed), hash) << "change " << i;
  }
}

TEST(ContentHash, what_does_not_affect_the_simulation_does_not_change_it) {
  FabricData fabric = sample();
  const uint64_t hash = cook::hash_content(fabric);
  fabric.vertex_map.push_back(0);
  fabric.vertex_count += 1;
  fabric.phase_types.assign(fabric.phase_types.size(), 0);
  fabric.report.component_count = 9;
  EXPECT_EQ(cook::hash_content(fabric), hash);
}

// Snapshots and blobs store the hash, so it must not change between releases.
TEST(ContentHash, of_fabrics_without_what_is_new_is_what_it_was_before) {
  FabricData fabric = sample();
  fabric.exact_lengths = false;
  fabric.virtual_particles.clear();
  fabric.level_counts.clear();
  EXPECT_EQ(cook::hash_content(fabric), 14309880628764705742u) << "weights alone do not count";
  fabric.virtual_weights.clear();
  EXPECT_EQ(cook::hash_content(fabric), 14309880628764705742u);
}

}  // namespace
}  // namespace clothc::content_hash_test
