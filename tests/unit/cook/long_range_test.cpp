// long_range_test.cpp - which particles long-range constraints connect, how long the constraints are, and where there
// are none.
#include "cook/constraints/long_range.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::long_range_test {
namespace {

using test::cook_checked;
using test::pairs_of_type;
using Types = std::vector<uint32_t>;

constexpr uint32_t long_range = 8;

size_t long_range_count(const FabricData& fabric) { return pairs_of_type(fabric, long_range).size(); }

TEST(LongRange, run_along_rows_and_columns_of_a_sheet) {
  MeshData mesh = test::make_quad_sheet(20, 15);
  mesh.long_range_edges[0] = 12;
  mesh.long_range_edges[1] = 4;
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.phase_types, (Types{long_range, long_range, 3, 1, 2}))
      << "the longest as they were asked for, and first";
  const auto longest = test::pairs_of_set(fabric, 0), shorter = test::pairs_of_set(fabric, 1);
  EXPECT_EQ(longest.size(), 8u * 15 + 20 * 3);
  EXPECT_EQ(shorter.size(), 16u * 15 + 20 * 11);
  for (const auto& pair : longest) EXPECT_TRUE(pair.second - pair.first == 12 || pair.second - pair.first == 12 * 20);
  for (const auto& pair : shorter) EXPECT_TRUE(pair.second - pair.first == 4 || pair.second - pair.first == 4 * 20);
  const LaidOutFabric laid_out = lay_out(fabric);
  EXPECT_LE(test::colours_of(laid_out, laid_out.layout.sets[0]).size(), 4u);
  EXPECT_LE(test::colours_of(laid_out, laid_out.layout.sets[1]).size(), 4u);
}

// The strip is bent to the arc of a circle, so a line along it is longer than the straight distance between its ends.
TEST(LongRange, are_as_long_as_their_line) {
  MeshData mesh = test::make_quad_sheet(13, 2);
  for (uint32_t v = 0; v < 26; ++v) {
    const double angle = 0.2 * (v % 13);
    mesh.positions[3 * v] = static_cast<float>(std::sin(angle));
    mesh.positions[3 * v + 1] = static_cast<float>(std::cos(angle));
    mesh.positions[3 * v + 2] = static_cast<float>(v / 13);
  }
  mesh.long_range_edges[3] = 12;
  const FabricData fabric = cook_checked(mesh);
  ASSERT_EQ(long_range_count(fabric), 2u);
  for (uint32_t k = 0; k < 2; ++k) EXPECT_NEAR(fabric.rest_lengths[k], 24 * std::sin(0.1), 1e-6);
}

// Lines end at the borders of patches of quads, and where a line has no unique continuation.
TEST(LongRange, need_lines_of_quads) {
  MeshData mesh = test::make_triangle_sheet(12, 12);
  mesh.long_range_edges[0] = 4;
  EXPECT_EQ(long_range_count(cook_checked(mesh)), 0u);
  mesh.quadify = true;
  EXPECT_EQ(long_range_count(cook_checked(mesh)), 2u * 12 * 8);
  MeshData fan = test::make_fan(50);
  fan.long_range_edges[0] = 2;
  EXPECT_EQ(long_range_count(cook_checked(fan)), 0u);
  MeshData small = test::make_quad_sheet(4, 4);
  small.long_range_edges[0] = 4;
  EXPECT_EQ(cook_checked(small).phase_types, (Types{3, 1, 2})) << "no line is that long";
}

// The tube has six columns, so its rings are lines without ends.
TEST(LongRange, go_round_a_tube_and_come_back_as_nothing) {
  MeshData mesh;
  for (uint32_t ring = 0; ring < 8; ++ring) {
    for (uint32_t k = 0; k < 6; ++k) {
      const double angle = k * 1.0471975511965976;
      for (const double x : {std::cos(angle), ring * 1.0, std::sin(angle)})
        mesh.positions.push_back(static_cast<float>(x));
      if (ring == 7) continue;
      const uint32_t a = ring * 6 + k, b = ring * 6 + (k + 1) % 6;
      for (const uint32_t corner : {a, b, b + 6, a + 6}) mesh.quads.push_back(corner);
    }
  }
  mesh.long_range_edges[0] = 6;
  EXPECT_EQ(long_range_count(cook_checked(mesh)), 6u * 2) << "only along the tube";
  mesh.long_range_edges[0] = 4;
  EXPECT_EQ(long_range_count(cook_checked(mesh)), 6u * 4 + 6 * 8) << "around it, two edges apart the other way";
}

TEST(LongRange, leave_out_soft_particles) {
  MeshData mesh = test::make_quad_sheet(9, 9);
  mesh.long_range_edges[0] = 4;
  EXPECT_EQ(long_range_count(cook_checked(mesh)), 2u * 9 * 5);
  mesh.stiffness.assign(81, 1.0f);
  EXPECT_EQ(long_range_count(cook_checked(mesh)), 2u * 9 * 5);
  mesh.stiffness[4 * 9 + 4] = 0.99f;
  EXPECT_EQ(long_range_count(cook_checked(mesh)), 2u * 8 * 5) << "all of the middle row and column pass it";
}

// Rest lengths of fabrics may be up to 4e9 m.
TEST(LongRange, of_an_enormous_mesh_are_as_long_as_may_be) {
  MeshData mesh = test::make_quad_sheet(41, 2);
  // The line runs back and forth.
  for (uint32_t v = 0; v < 82; ++v) {
    mesh.positions[3 * v] = v % 41 % 2 == 0 ? 1e9f : -1e9f;
    mesh.positions[3 * v + 1] = v < 41 ? 1e9f : -1e9f;
  }
  mesh.weld_distance = -1;
  mesh.long_range_edges[0] = 40;
  const FabricData fabric = cook_mesh(mesh);
  ASSERT_EQ(long_range_count(fabric), 2u);
  EXPECT_EQ(*std::max_element(fabric.rest_lengths.begin(), fabric.rest_lengths.end()), 4e9f);
}

TEST(LongRange, are_the_same_whatever_the_order_of_the_mesh) {
  MeshData mesh = test::make_quad_sheet(14, 11);
  mesh.long_range_edges[0] = 5;
  const FabricData plain = cook_checked(mesh), shuffled = cook_checked(test::shuffled(mesh));
  EXPECT_EQ(long_range_count(plain), long_range_count(shuffled));
}

}  // namespace
}  // namespace clothc::long_range_test
