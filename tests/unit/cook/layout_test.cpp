// layout_test.cpp - laid-out constraints give the same result as the constraints in their original order, and they are
// padded.
#include <gtest/gtest.h>

#include <cmath>

#include "cook/cook.h"
#include "cook/constraints/stiffness_log.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::layout_test {
namespace {

// An operation on two particles that does not commute with any other operation on the same particles.
void mix(std::vector<uint64_t>& state, uint32_t a, uint32_t b, uint32_t constraint) {
  const uint64_t sum = state[a] * 31 + state[b] * 17 + constraint;
  state[a] = (state[a] ^ sum) * 0x9e3779b97f4a7c15u + 1;
  state[b] = (state[b] + sum) * 0xbf58476d1ce4e5b9u + 3;
}

FabricData random_fabric(uint32_t particle_count, const std::vector<uint32_t>& set_sizes, uint32_t seed) {
  FabricData fabric;
  fabric.particle_count = particle_count;
  uint32_t end = 0;
  for (const uint32_t size : set_sizes) {
    end += size;
    fabric.set_ends.push_back(end);
  }
  for (uint32_t i = 0; i < end; ++i) {
    const auto random = [&](uint32_t below) { return (seed = seed * 1664525u + 1013904223u, (seed >> 8) % below); };
    const uint32_t a = random(particle_count);
    fabric.indices.push_back(a);
    fabric.indices.push_back((a + 1 + random(particle_count - 1)) % particle_count);
    // The rest length identifies the constraint.
    fabric.rest_lengths.push_back(static_cast<float>(i));
  }
  return fabric;
}

void expect_same_as_in_order(const FabricData& fabric, const LaidOutFabric& laid_out) {
  std::vector<uint64_t> expected(fabric.particle_count);
  for (size_t p = 0; p < expected.size(); ++p) expected[p] = p;
  std::vector<uint64_t> state = expected;
  for (uint32_t i = 0; i < fabric.rest_lengths.size(); ++i) {
    mix(expected, fabric.indices[i * 2], fabric.indices[i * 2 + 1], i);
  }
  for (const ConstraintLayout& set : laid_out.layout.sets) {
    for (const Range colour : test::colours_of(laid_out, set)) {
      // Any order within a colour must give the same result, so this runs backwards.
      for (uint32_t i = colour.end; i-- > colour.begin;) {
        mix(state, test::stored_particle(laid_out, set, 0, i), test::stored_particle(laid_out, set, 1, i),
            static_cast<uint32_t>(test::parameter(laid_out, set, 0, i)));
      }
    }
  }
  EXPECT_EQ(state, expected);
}

TEST(Layout, solving_colours_equals_solving_constraints_in_order) {
  for (uint32_t seed = 1; seed <= 40; ++seed) {
    const FabricData fabric = random_fabric(2 + seed * 3, {seed * 5, 0, 1, seed, 40}, seed);
    const LaidOutFabric laid_out = lay_out(fabric);
    test::expect_valid_colours(fabric, laid_out);
    ASSERT_EQ(laid_out.layout.sets.size(), 5u);
    EXPECT_TRUE(test::colours_of(laid_out, laid_out.layout.sets[1]).empty()) << "an empty set has no colours";
    expect_same_as_in_order(fabric, laid_out);
  }
}

TEST(Layout, a_set_whose_constraints_share_no_particle_is_one_colour_in_its_order) {
  FabricData fabric;
  fabric.particle_count = 40;
  for (uint32_t i = 0; i < 20; ++i) fabric.indices.insert(fabric.indices.end(), {39 - i, i});
  fabric.rest_lengths.assign(20, 1.0f);
  fabric.set_ends = {20};
  const LaidOutFabric laid_out = lay_out(fabric);
  ASSERT_EQ(laid_out.layout.colours.size(), 1u);
  const ConstraintLayout& set = laid_out.layout.sets[0];
  for (uint32_t i = 0; i < 20; ++i) EXPECT_EQ(test::stored_particle(laid_out, set, 1, i), i);
  EXPECT_EQ(set.rows.stride, 32u);
}

TEST(Layout, interleaved_chains_need_only_as_many_colours_as_their_length) {
  // Ten chains of five constraints, one after the other. Starting a new colour at each conflict would give fifty.
  FabricData fabric;
  fabric.particle_count = 60;
  for (uint32_t chain = 0; chain < 10; ++chain) {
    for (uint32_t i = 0; i < 5; ++i) fabric.indices.insert(fabric.indices.end(), {chain * 6 + i, chain * 6 + i + 1});
  }
  fabric.rest_lengths.assign(50, 1.0f);
  fabric.set_ends = {50};
  const LaidOutFabric laid_out = lay_out(fabric);
  EXPECT_EQ(laid_out.layout.colours.size(), 5u);
  test::expect_valid_colours(fabric, laid_out);
}

TEST(Layout, repeated_constraints_stay_in_order) {
  FabricData fabric;
  fabric.particle_count = 2;
  fabric.indices = {0, 1, 1, 0, 0, 1};
  fabric.rest_lengths = {0, 1, 2};
  fabric.set_ends = {3};
  const LaidOutFabric laid_out = lay_out(fabric);
  EXPECT_EQ(laid_out.layout.colours.size(), 3u);
  expect_same_as_in_order(fabric, laid_out);
}

TEST(Layout, laying_out_twice_changes_nothing) {
  const FabricData fabric = cook_mesh(test::make_quad_sheet(12, 12));
  const LaidOutFabric once = lay_out(fabric);
  test::expect_same_layout(lay_out(fabric), once);
}

TEST(Layout, stiffness_is_stored_as_the_logarithm_of_what_remains) {
  FabricData fabric;
  fabric.particle_count = 8;
  fabric.indices = {0, 1, 2, 3, 4, 5, 6, 7};
  fabric.rest_lengths = {1, 1, 1, 1};
  fabric.stiffness = {0, 0.5f, 0.75f, 1};
  fabric.set_ends = {4};
  const LaidOutFabric laid_out = lay_out(fabric);
  test::expect_valid_colours(fabric, laid_out);
  const std::vector<float> expected = {0, -1, -2, -128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(test::parameter_row(laid_out, laid_out.layout.sets[0], 1), expected);
}

TEST(Layout, the_logarithm_is_right_to_the_last_place_of_a_float) {
  const auto check = [](float s) {
    const float expected = static_cast<float>(std::log1p(-double{s}) / std::log(2.0));
    EXPECT_NEAR(cook::log2_of_one_minus(s), expected, 1e-7 * std::fabs(double{expected})) << s;
  };
  for (float s = 1e-38f; s < 0.9f; s *= 1.01f) check(s);
  for (float rest = 0.5f; rest > 6e-8f; rest *= 0.97f) check(1 - rest);
  check(std::nextafter(1.0f, 0.0f));
  EXPECT_EQ(cook::log2_of_one_minus(std::nextafter(1.0f, 0.0f)), -24.0f);
}

}  // namespace
}  // namespace clothc::layout_test
