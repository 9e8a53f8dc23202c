// tether_levels_test.cpp - solving tethers level by level gives the same result as solving them in index order.
#include "cook/constraints/tether_levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cook/cook.h"
#include "unit/cook/fabric_checks.h"

namespace clothc::tether_levels_test {
namespace {

// Returns the particle's value mixed with the current values of its anchors, if it has tethers to other particles.
uint64_t pulled(const FabricData& fabric, const std::vector<uint64_t>& state, uint32_t p) {
  uint64_t value = state[p];
  for (uint32_t t = 0; t < fabric.tethers_per_particle; ++t) {
    const uint32_t anchor = fabric.tether_anchors[size_t{t} * fabric.particle_count + p];
    if (anchor != p) value = (value ^ state[anchor]) * 0x9e3779b97f4a7c15u + 1;
  }
  return value;
}

bool is_tethered(const FabricData& fabric, uint32_t particle) {
  for (uint32_t t = 0; t < fabric.tethers_per_particle; ++t) {
    if (fabric.tether_anchors[size_t{t} * fabric.particle_count + particle] != particle) return true;
  }
  return false;
}

void expect_same_as_in_order(const FabricData& fabric) {
  std::vector<uint64_t> expected(fabric.particle_count);
  for (size_t p = 0; p < expected.size(); ++p) expected[p] = p + 1;
  // All particles of a level are solved at once.
  std::vector<uint64_t> state = expected;
  // Particles are solved one by one, the last of a level first.
  std::vector<uint64_t> backwards = state;
  for (uint32_t p = 0; p < fabric.particle_count; ++p) expected[p] = pulled(fabric, expected, p);
  size_t solved = 0;
  for (const std::vector<uint32_t>& level : cook::find_tether_levels(fabric)) {
    const std::vector<uint64_t> before = state;
    for (size_t i = 0; i < level.size(); ++i, ++solved) {
      const uint32_t p = level[i];
      state[p] = pulled(fabric, before, p);
      const uint32_t q = level[level.size() - 1 - i];
      backwards[q] = pulled(fabric, backwards, q);
    }
  }
  size_t tethered = 0;
  for (uint32_t p = 0; p < fabric.particle_count; ++p) tethered += is_tethered(fabric, p) ? 1 : 0;
  EXPECT_EQ(solved, tethered);
  EXPECT_EQ(state, expected);
  EXPECT_EQ(backwards, expected);
}

// Expects the laid-out tethers to be those of the levels, with anchors and lengths.
void expect_laid_out(const FabricData& fabric) {
  const cook::TetherLevels levels = cook::find_tether_levels(fabric);
  const LaidOutFabric laid_out = lay_out(fabric);
  ASSERT_EQ(laid_out.layout.tether_sets.size(), 1u);
  const ConstraintLayout& set = laid_out.layout.sets[laid_out.layout.tether_sets[0]];
  ASSERT_EQ(set.type, ConstraintType::tether);
  ASSERT_EQ(set.arity, 1 + fabric.tethers_per_particle);
  ASSERT_EQ(set.width, fabric.tethers_per_particle);
  test::expect_valid_rows(laid_out, set);
  const std::vector<Range> colours = test::colours_of(laid_out, set);
  ASSERT_EQ(colours.size(), levels.size());
  for (size_t l = 0; l < levels.size(); ++l) {
    ASSERT_EQ(colours[l].end - colours[l].begin, levels[l].size());
    for (uint32_t i = 0; i < levels[l].size(); ++i) {
      const uint32_t particle = levels[l][i], item = colours[l].begin + i;
      ASSERT_EQ(test::stored_particle(laid_out, set, 0, item), fabric.storage_index(particle));
      for (uint32_t t = 0; t < fabric.tethers_per_particle; ++t) {
        const size_t tether = size_t{t} * fabric.particle_count + particle;
        ASSERT_EQ(test::stored_particle(laid_out, set, 1 + t, item),
                  fabric.storage_index(fabric.tether_anchors[tether]));
        ASSERT_EQ(test::parameter(laid_out, set, t, item), fabric.tether_lengths[tether]);
      }
    }
  }
}

FabricData fabric_of(uint32_t particle_count, const std::vector<uint32_t>& anchors) {
  FabricData fabric;
  fabric.particle_count = particle_count;
  fabric.tethers_per_particle = static_cast<uint32_t>(anchors.size() / particle_count);
  fabric.tether_anchors = anchors;
  for (size_t i = 0; i < anchors.size(); ++i) fabric.tether_lengths.push_back(static_cast<float>(i + 1));
  return fabric;
}

TEST(TetherLevels, anchors_that_do_not_move_make_one_level_and_have_no_slot) {
  const FabricData fabric = fabric_of(4, {0, 0, 0, 3});
  EXPECT_EQ(cook::find_tether_levels(fabric), (cook::TetherLevels{{1, 2}}));
  expect_same_as_in_order(fabric);
}

TEST(TetherLevels, a_chain_down_the_indices_is_one_level_per_link) {
  const FabricData fabric = fabric_of(5, {0, 0, 1, 2, 3});
  EXPECT_EQ(cook::find_tether_levels(fabric).size(), 4u);
  expect_same_as_in_order(fabric);
}

TEST(TetherLevels, an_anchor_of_higher_index_moves_after_those_it_holds) {
  const FabricData fabric = fabric_of(4, {3, 3, 3, 0});
  const cook::TetherLevels levels = cook::find_tether_levels(fabric);
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[1][0], 3u);
  expect_same_as_in_order(fabric);
}

TEST(TetherLevels, each_level_begins_at_a_whole_batch_and_is_padded_with_padding_particles) {
  std::vector<uint32_t> anchors(50);
  for (uint32_t p = 0; p < 50; ++p) anchors[p] = p < 20 ? 49 : p - 20;
  FabricData fabric = fabric_of(50, anchors);
  for (const bool is_reordered : {false, true}) {
    if (is_reordered) {
      fabric.storage_order.resize(50);
      std::iota(fabric.storage_order.rbegin(), fabric.storage_order.rend(), 0u);
    }
    expect_same_as_in_order(fabric);
    expect_laid_out(fabric);
    const LaidOutFabric laid_out = lay_out(fabric);
    const ConstraintLayout& set = laid_out.layout.sets[laid_out.layout.tether_sets[0]];
    const std::vector<Range> levels = test::colours_of(laid_out, set);
    ASSERT_GT(levels.size(), 1u);
    EXPECT_EQ(set.rows.stride % lane_padding, 0u);
    const std::vector<uint32_t> particles = test::particle_row(laid_out, set, 0);
    std::vector<bool> real(particles.size(), false);
    for (const Range level : levels) {
      EXPECT_EQ(level.begin % lane_padding, 0u);
      for (uint32_t i = level.begin; i < level.end; ++i) real[i] = true;
      EXPECT_TRUE(std::is_sorted(particles.begin() + level.begin, particles.begin() + level.end));
    }
    for (size_t i = 0; i < real.size(); ++i) {
      EXPECT_EQ(particles[i] == padding_particle, !real[i]);
    }
  }
}

TEST(TetherLevels, random_tethers_equal_the_sequential_solve) {
  uint32_t state = 3;
  const auto random = [&state](uint32_t below) {
    return (state = state * 1664525u + 1013904223u, (state >> 8) % below);
  };
  for (uint32_t round = 0; round < 60; ++round) {
    const uint32_t particle_count = 1 + random(80), per_particle = 1 + random(4);
    std::vector<uint32_t> anchors(size_t{particle_count} * per_particle);
    for (size_t i = 0; i < anchors.size(); ++i) {
      const uint32_t self = static_cast<uint32_t>(i % particle_count);
      anchors[i] = random(3) == 0 ? random(particle_count) : self;
    }
    const FabricData fabric = fabric_of(particle_count, anchors);
    expect_same_as_in_order(fabric);
    expect_laid_out(fabric);
  }
}

}  // namespace
}  // namespace clothc::tether_levels_test
