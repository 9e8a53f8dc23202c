// weld_test.cpp - which vertices are merged into one particle.
#include "cook/topology/weld.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::weld_test {
namespace {

using cook::weld;
using cook::Welding;
using Indices = std::vector<uint32_t>;

TEST(Weld, distance_zero_merges_identical_positions_only) {
  const float next = std::nextafter(1.0f, 2.0f);
  const Welding welding = weld({1, 2, 3, next, 2, 3, 1, 2, 3, 1, 2, 3.5f}, 0);
  EXPECT_EQ(welding.particle_of_vertex, (Indices{0, 1, 0, 2}));
  EXPECT_EQ(welding.vertex_of_particle, (Indices{0, 1, 3}));
}

TEST(Weld, minus_zero_equals_zero) {
  EXPECT_EQ(weld({0.0f, 1, 2, -0.0f, 1, 2}, 0).particle_of_vertex, (Indices{0, 0}));
  EXPECT_EQ(weld({-0.0f, 1, 2, 0.0f, 1, 2}, 1e-30f).particle_of_vertex, (Indices{0, 0}));
}

TEST(Weld, a_negative_distance_merges_nothing) {
  EXPECT_EQ(weld({1, 2, 3, 1, 2, 3}, -1).particle_of_vertex, (Indices{0, 1}));
}

TEST(Weld, a_vertex_joins_the_earliest_particle_within_the_distance_and_does_not_chain) {
  // 0.9 joins 0. 1.8 is within 1 of 0.9 but not of the particle at 0, so it makes a new particle. 0.95 joins the
  // earlier particle.
  EXPECT_EQ(weld({0, 0, 0, 0.9f, 0, 0, 1.8f, 0, 0, 0.95f, 0, 0}, 1).particle_of_vertex, (Indices{0, 0, 1, 0}));
}

TEST(Weld, the_distance_itself_is_within) {
  EXPECT_EQ(weld({0, 0, 0, 0.5f, 0, 0, 2, 0, 0}, 0.5f).particle_of_vertex, (Indices{0, 0, 1}));
}

// Compares with a search that checks every vertex against every particle.
TEST(Weld, the_grid_finds_what_a_full_search_finds) {
  for (const float scale : {1e-3f, 1.0f, 1e6f}) {
    std::vector<float> positions;
    uint32_t state = 7;
    for (int i = 0; i < 3 * 2000; ++i) {
      state = state * 1664525u + 1013904223u;
      positions.push_back((static_cast<float>(state >> 8) / 8388608.0f - 1) * scale);
    }
    const float distance = 0.1f * scale;
    const Welding welding = weld(positions, distance);
    for (size_t v = 0; v < 2000; ++v) {
      uint32_t expected = no_index;
      for (uint32_t p = 0; p < welding.vertex_of_particle.size() && expected == no_index; ++p) {
        const size_t w = welding.vertex_of_particle[p];
        if (w > v) break;
        double sum = 0;
        for (size_t a = 0; a < 3; ++a) {
          const double difference = double{positions[v * 3 + a]} - double{positions[w * 3 + a]};
          sum += difference * difference;
        }
        if (sum <= double{distance} * double{distance}) expected = p;
      }
      ASSERT_EQ(welding.particle_of_vertex[v], expected) << "vertex " << v << " at scale " << scale;
    }
  }
}

TEST(Weld, extreme_coordinates_and_distances_are_no_trouble) {
  const std::vector<float> far = {1e9f, -1e9f, 1e9f, 1e9f, -1e9f, 1e9f, -1e9f, 1e9f, 0, 1e-45f, 0, 0};
  EXPECT_EQ(weld(far, 1e-45f).particle_of_vertex, (Indices{0, 0, 1, 2}));
  EXPECT_EQ(weld(far, 1e-38f).particle_of_vertex, (Indices{0, 0, 1, 2}));
  EXPECT_EQ(weld(far, 3e38f).particle_of_vertex, (Indices{0, 0, 0, 0}));
}

TEST(Weld, a_seam_of_split_vertices_is_sewn_and_its_pins_are_kept) {
  // Two quads that share an edge in space but have no vertices in common.
  MeshData mesh;
  mesh.positions = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 2, 0, 0, 2, 1, 0, 1, 1, 0};
  mesh.quads = {0, 1, 2, 3, 4, 5, 6, 7};
  mesh.inverse_masses = {2, 3, 4, 5, 0, 7, 8, 9};
  const FabricData fabric = test::cook_checked(mesh);
  EXPECT_EQ(fabric.vertex_map, (Indices{0, 1, 2, 3, 1, 4, 5, 2}));
  EXPECT_EQ(fabric.report.welded_vertex_count, 2u);
  EXPECT_EQ(fabric.report.component_count, 1u);
  EXPECT_EQ(fabric.positions[1 * 4 + 3], 0.0f) << "vertex 4 is pinned and merged into vertex 1";
  EXPECT_EQ(fabric.positions[2 * 4 + 3], 4.0f) << "the first vertex's inverse mass";
  mesh.weld_distance = -1;
  EXPECT_EQ(test::cook_checked(mesh).report.component_count, 2u);
}

}  // namespace
}  // namespace clothc::weld_test
