// tethers_test.cpp - which anchors particles are tethered to, and how long the tethers are.
#include "cook/constraints/tethers.h"

#include <gtest/gtest.h>

#include <cmath>

#include "unit/cook/edge_paths.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::cook_tethers_test {
namespace {

using test::cook_checked;

double straight_distance(const FabricData& fabric, uint32_t a, uint32_t b) {
  double sum = 0;
  for (size_t axis = 0; axis < 3; ++axis) {
    const double difference = double{fabric.positions[a * 4 + axis]} - double{fabric.positions[b * 4 + axis]};
    sum += difference * difference;
  }
  return std::sqrt(sum);
}

void expect_tethers_between_straight_and_edge_path(const FabricData& fabric) {
  ASSERT_GT(fabric.tethers_per_particle, 0u);
  std::vector<std::vector<double>> paths(fabric.particle_count);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    for (uint32_t t = 0; t < fabric.tethers_per_particle; ++t) {
      const size_t entry = t * fabric.particle_count + p;
      const uint32_t anchor = fabric.tether_anchors[entry];
      const float length = fabric.tether_lengths[entry];
      if (fabric.positions[p * 4 + 3] == 0) {
        EXPECT_EQ(anchor, p);
        EXPECT_EQ(length, 0.0f);
      }
      if (anchor == p) continue;
      EXPECT_EQ(fabric.positions[anchor * 4 + 3], 0.0f) << "only pinned particles hold";
      if (paths[anchor].empty())
        paths[anchor] = test::edge_paths(fabric.positions, test::pairs_of_type(fabric, 1), anchor);
      EXPECT_GE(length, static_cast<float>(straight_distance(fabric, p, anchor)));
      EXPECT_LE(length, static_cast<float>(paths[anchor][p]) * (1 + 1e-6f));
    }
  }
}

TEST(Tethers, lengths_lie_between_the_straight_distance_and_the_edge_path) {
  MeshData bowl = test::make_quad_sheet(14, 11);
  for (size_t i = 0; i < bowl.positions.size(); i += 3) {
    const float x = bowl.positions[i] - 1.6f, y = bowl.positions[i + 1] - 1.2f;
    bowl.positions[i + 2] = x * x + y * y;
  }
  for (MeshData mesh : {bowl, test::make_triangle_sheet(9, 9), test::shuffled(bowl), test::make_fan(40)}) {
    for (const uint32_t per_particle : {1u, 3u}) {
      test::pin(mesh, {0, 7, 12});
      mesh.tethers_per_particle = per_particle;
      expect_tethers_between_straight_and_edge_path(cook_checked(mesh));
    }
  }
}

TEST(Tethers, on_a_flat_sheet_tethers_are_straight_in_every_direction) {
  MeshData mesh = test::make_quad_sheet(30, 25);
  test::pin(mesh, {0, 29});
  const FabricData fabric = cook_checked(mesh);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    const double straight = straight_distance(fabric, p, fabric.tether_anchors[p]);
    EXPECT_NEAR(fabric.tether_lengths[p], straight, 1e-6 * straight) << "particle " << p;
  }
}

TEST(Tethers, a_tether_goes_around_a_gap_in_the_cloth) {
  MeshData mesh = test::make_quad_sheet(9, 9);
  // Cuts the cell column 3 except for the top row.
  std::vector<uint32_t> quads;
  for (uint32_t cell = 0; cell < 64; ++cell) {
    if (cell % 8 == 3 && cell / 8 != 7) continue;
    quads.insert(quads.end(), mesh.quads.begin() + cell * 4, mesh.quads.begin() + cell * 4 + 4);
  }
  mesh.quads = quads;
  test::pin(mesh, {0});
  const FabricData fabric = cook_checked(mesh);
  expect_tethers_between_straight_and_edge_path(fabric);
  EXPECT_GT(fabric.tether_lengths[8], 2 * straight_distance(fabric, 0, 8));
}

TEST(Tethers, a_particle_is_held_by_its_nearest_pins_nearest_first) {
  MeshData mesh = test::make_quad_sheet(21, 2);
  test::pin(mesh, {0, 10, 20});
  mesh.tethers_per_particle = 2;
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.tether_anchors[3], 0u);
  EXPECT_EQ(fabric.tether_anchors[7], 10u);
  EXPECT_EQ(fabric.tether_anchors[42 + 3], 10u);
  EXPECT_EQ(fabric.tether_anchors[42 + 7], 0u);
  EXPECT_EQ(fabric.tether_anchors[42 + 14], 20u);
}

TEST(Tethers, among_many_pins_of_a_flat_sheet_the_nearest_are_found_at_their_straight_distance) {
  MeshData mesh = test::make_triangle_sheet(15, 15);
  const std::vector<uint32_t> pins = {3, 40, 77, 100, 140, 188, 210};
  test::pin(mesh, pins);
  mesh.tethers_per_particle = 4;
  const FabricData fabric = cook_checked(mesh);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) {
    if (fabric.positions[p * 4 + 3] == 0) continue;
    std::vector<double> distances;
    for (const uint32_t anchor : pins) distances.push_back(straight_distance(fabric, p, anchor));
    std::sort(distances.begin(), distances.end());
    for (uint32_t t = 0; t < 4; ++t) {
      EXPECT_NEAR(fabric.tether_lengths[t * fabric.particle_count + p], distances[t], 1e-5) << "particle " << p;
    }
  }
}

TEST(Tethers, with_fewer_pins_than_tethers_the_nearest_is_repeated) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  test::pin(mesh, {0, 3});
  mesh.tethers_per_particle = 4;
  const FabricData fabric = cook_checked(mesh);
  for (const uint32_t t : {0u, 2u, 3u}) {
    EXPECT_EQ(fabric.tether_anchors[t * 16 + 5], 0u);
    EXPECT_EQ(fabric.tether_lengths[t * 16 + 5], fabric.tether_lengths[5]);
  }
  EXPECT_EQ(fabric.tether_anchors[16 + 5], 3u);
}

TEST(Tethers, what_no_pin_reaches_holds_itself_and_is_counted) {
  MeshData mesh = test::make_quad_sheet(5, 2);
  // This leaves columns 0-1 and 2-4.
  mesh.quads.erase(mesh.quads.begin() + 4, mesh.quads.begin() + 8);
  test::pin(mesh, {0});
  const FabricData fabric = cook_checked(mesh);
  EXPECT_EQ(fabric.report.untethered_particle_count, 6u);
  EXPECT_EQ(fabric.report.pinned_particle_count, 1u);
  for (const uint32_t p : {2u, 3u, 4u, 7u, 8u, 9u}) {
    EXPECT_EQ(fabric.tether_anchors[p], p);
    EXPECT_EQ(fabric.tether_lengths[p], 0.0f);
  }
}

TEST(Tethers, nothing_pinned_or_none_wanted_means_no_tethers) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  const FabricData loose = cook_checked(mesh);
  EXPECT_EQ(loose.tethers_per_particle, 0u);
  EXPECT_TRUE(lay_out(loose).layout.tether_sets.empty());
  EXPECT_EQ(loose.report.untethered_particle_count, 16u);
  test::pin(mesh, {0});
  mesh.tethers_per_particle = 0;
  const FabricData unwanted = cook_checked(mesh);
  EXPECT_TRUE(unwanted.tether_anchors.empty());
  EXPECT_EQ(unwanted.report.untethered_particle_count, 0u);
}

TEST(Tethers, cooked_tethers_are_one_level_of_the_particles_that_are_not_pinned) {
  MeshData mesh = test::make_quad_sheet(10, 10);
  test::pin(mesh, {0, 45, 99});
  mesh.tethers_per_particle = 2;
  const FabricData fabric = cook_checked(mesh);
  const LaidOutFabric laid_out = lay_out(fabric);
  ASSERT_EQ(laid_out.layout.tether_sets.size(), 1u);
  const std::vector<Range> levels = test::colours_of(laid_out, laid_out.layout.sets[laid_out.layout.tether_sets[0]]);
  ASSERT_EQ(levels.size(), 1u);
  EXPECT_EQ(levels[0].begin, 0u);
  EXPECT_EQ(levels[0].end, 97u);
}

TEST(Tethers, a_sheet_of_pinned_particles_is_no_trouble) {
  MeshData mesh = test::make_quad_sheet(6, 6);
  mesh.inverse_masses.assign(36, 0.0f);
  expect_tethers_between_straight_and_edge_path(cook_checked(mesh));
}

}  // namespace
}  // namespace clothc::cook_tethers_test
