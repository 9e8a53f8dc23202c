// rings_test.cpp - four constraints in a ring are solved as one item, and with the same result as one after the other.
#include "cook/layout/rings.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"
#include "unit/cook/mixing.h"

namespace clothc::rings_test {
namespace {

// The state, by particle, after solving the constraints in the order in which the fabric lists them.
std::vector<uint64_t> solved_in_order(const FabricData& fabric) {
  std::vector<uint64_t> state = test::first_state(fabric);
  for (size_t c = 0; c < fabric.rest_lengths.size(); ++c)
    test::mix(state, fabric.indices[2 * c], fabric.indices[2 * c + 1], fabric.rest_lengths[c]);
  return state;
}

// The same by colours, each from its end to its begin, as any order within a colour must do.
std::vector<uint64_t> solved_by_colour(const FabricData& fabric, const LaidOutFabric& laid_out) {
  std::vector<uint64_t> state = test::first_state(fabric);
  std::vector<uint32_t> particle_at(fabric.particle_count);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) particle_at[fabric.storage_index(p)] = p;
  const auto solve = [&](uint32_t first, uint32_t second, uint32_t length) {
    test::mix(state, particle_at[laid_out.words[first]], particle_at[laid_out.words[second]],
              test::float_of(laid_out.words[length]));
  };
  for (const ConstraintLayout& set : laid_out.layout.sets) {
    for (uint32_t c = set.colours.begin; c < set.colours.end; ++c) {
      const Colour& colour = laid_out.layout.colours[c];
      for (uint32_t item = colour.items.end; item-- > colour.items.begin;) {
        if (!colour.of_rings) {
          const uint32_t first = set.rows.particles + item;
          solve(first, first + set.rows.stride, set.rows.parameters + item);
          continue;
        }
        const RingBlocks& rings = set.rings;
        for (const uint32_t k : cook::ring_order) {
          if (!test::has_side(laid_out, set, k, item)) continue;
          solve(rings.particle(k, item), rings.particle((k + 1) % ring_size, item), rings.length(k, item));
        }
      }
    }
  }
  return state;
}

FabricData fabric_of(uint32_t particle_count, const std::vector<uint32_t>& indices) {
  FabricData fabric;
  fabric.particle_count = particle_count;
  fabric.indices = indices;
  for (size_t c = 0; c < indices.size() / 2; ++c) fabric.rest_lengths.push_back(static_cast<float>(c + 1));
  fabric.set_ends = {static_cast<uint32_t>(fabric.rest_lengths.size())};
  fabric.phase_sets = {0};
  fabric.phase_types = {1};
  return fabric;
}

uint32_t ring_count(const FabricData& fabric) {
  uint32_t count = 0;
  for (const Colour& colour : lay_out(fabric).layout.colours)
    count += colour.of_rings ? colour.items.end - colour.items.begin : 0;
  return count;
}

TEST(Rings, are_found_whichever_way_round_their_pairs_are_listed) {
  const std::vector<uint32_t> rings[] = {{0, 1, 2, 3, 1, 2, 3, 0},
                                         {1, 0, 2, 3, 1, 2, 3, 0},
                                         {0, 1, 3, 2, 2, 1, 0, 3},
                                         {2, 3, 1, 0, 0, 3, 2, 1},
                                         {3, 2, 0, 1, 2, 1, 3, 0}};
  for (const std::vector<uint32_t>& ring : rings) {
    const FabricData fabric = fabric_of(4, ring);
    EXPECT_EQ(ring_count(fabric), 1u);
    EXPECT_EQ(solved_by_colour(fabric, lay_out(fabric)), solved_in_order(fabric));
  }
}

TEST(Rings, are_not_found_where_four_pairs_make_none) {
  const std::vector<uint32_t> others[] = {{0, 1, 1, 2, 2, 3, 3, 0}, {0, 1, 2, 3, 0, 2, 2, 1}, {0, 1, 0, 1, 0, 1, 0, 1},
                                          {0, 1, 2, 3, 1, 2, 2, 1}, {0, 1, 2, 3, 1, 2, 3, 4}, {0, 1, 2, 3, 1, 2}};
  for (const std::vector<uint32_t>& pairs : others) {
    const FabricData fabric = fabric_of(5, pairs);
    EXPECT_EQ(ring_count(fabric), 0u);
    EXPECT_EQ(solved_by_colour(fabric, lay_out(fabric)), solved_in_order(fabric));
  }
}

TEST(Rings, of_long_range_constraints_stay_apart) {
  FabricData fabric = fabric_of(4, {0, 1, 2, 3, 1, 2, 3, 0});
  fabric.phase_types = {8};
  EXPECT_EQ(ring_count(fabric), 0u);
}

TEST(Rings, few_rings_among_many_pairs_stay_apart) {
  EXPECT_EQ(ring_count(fabric_of(6, {0, 1, 2, 3, 1, 2, 3, 0, 4, 5})), 1u);
  EXPECT_EQ(ring_count(fabric_of(6, {0, 1, 2, 3, 1, 2, 3, 0, 4, 5, 3, 4})), 0u);
}

TEST(Rings, of_cooked_meshes_give_the_result_of_the_order_of_the_fabric) {
  for (const uint32_t n : {2u, 3u, 7u, 20u, 51u}) {
    for (MeshData mesh : {test::make_quad_sheet(n, n + 1), test::shuffled(test::make_quad_sheet(n + 1, n))}) {
      for (const bool reorder : {false, true}) {
        mesh.reorder = reorder;
        const FabricData fabric = test::cook_checked(mesh);
        const std::vector<uint64_t> expected = solved_in_order(fabric);
        const LaidOutFabric laid_out = lay_out(fabric);
        EXPECT_EQ(solved_by_colour(fabric, laid_out), expected);
        EXPECT_TRUE(n < 20 || ring_count(fabric) > n * n);
        const LaidOutFabric apart = test::lay_out_without_rings(fabric);
        EXPECT_EQ(solved_by_colour(fabric, apart), expected);
        for (const Colour& colour : apart.layout.colours) EXPECT_FALSE(colour.of_rings);
      }
    }
  }
}

// Rings and constraints of the same colours may be solved by two threads at once, which both store their padding.
TEST(Rings, are_padded_with_another_particle_than_constraints) {
  EXPECT_NE(ring_padding_particle, padding_particle);
  const LaidOutFabric laid_out = lay_out(test::cook_checked(test::make_quad_sheet(7, 7)));
  uint32_t padding = 0;
  for (const ConstraintLayout& set : laid_out.layout.sets) {
    for (uint32_t ring = 0; ring < set.rings.count; ++ring) {
      for (uint32_t k = 0; k < ring_size; ++k) {
        const uint32_t particle = laid_out.words[set.rings.particle(k, ring)];
        EXPECT_NE(particle, padding_particle);
        padding += particle == ring_padding_particle;
      }
    }
  }
  EXPECT_GT(padding, 0u);
}

TEST(Rings, are_dissolved_without_moving_what_is_not_in_rings) {
  MeshData mesh = test::make_quad_sheet(20, 20);
  test::pin(mesh, {0, 19});
  mesh.tethers_per_particle = 2;
  const FabricData fabric = test::cook_checked(mesh);
  const LaidOutFabric before = lay_out(fabric);
  LaidOutFabric after = before;
  cook::dissolve_rings(after);
  EXPECT_TRUE(std::equal(before.words.begin(), before.words.end(), after.words.begin()));
  const ConstraintLayout &tethers = before.layout.sets.back(), &same = after.layout.sets.back();
  EXPECT_EQ(tethers.type, ConstraintType::tether);
  EXPECT_EQ(tethers.rows.particles, same.rows.particles);
  EXPECT_EQ(test::colour_sizes(before, tethers), test::colour_sizes(after, same));
  LaidOutFabric twice = after;
  cook::dissolve_rings(twice);
  EXPECT_EQ(twice.words, after.words);
}

}  // namespace
}  // namespace clothc::rings_test
