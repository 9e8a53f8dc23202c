// colour_test.cpp - cooked constraints form few large colours of similar size.
#include "cook/order/colour.h"

#include <gtest/gtest.h>

#include <numeric>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"
#include "unit/cook/meshes.h"

namespace clothc::colour_test {
namespace {

std::vector<uint32_t> colour_sizes(const FabricData& fabric, size_t set) {
  const LaidOutFabric laid_out = test::lay_out_without_rings(fabric);
  return test::colour_sizes(laid_out, laid_out.layout.sets[set]);
}

// Constraints with a stiffness of their own are not solved in rings.
TEST(Colour, a_quad_sheet_has_four_even_colours_per_phase_however_it_is_numbered) {
  for (const uint32_t n : {5u, 16u, 50u, 101u}) {
    for (MeshData mesh : {test::make_quad_sheet(n, n), test::shuffled(test::make_quad_sheet(n, n))}) {
      mesh.stiffness.assign(size_t{n} * n, 0.5f);
      const FabricData fabric = test::cook_checked(mesh);
      for (size_t set = 0; set < 3; ++set) {
        const auto sizes = colour_sizes(fabric, set);
        EXPECT_EQ(sizes.size(), 4u) << "set " << set << " of a sheet of " << n;
        const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
        EXPECT_LE(*most - *least, std::max(3u, *most / 10)) << "set " << set << " of a sheet of " << n;
      }
    }
  }
}

TEST(Colour, a_quad_sheet_has_two_large_colours_of_rings_per_phase_however_it_is_numbered) {
  for (const uint32_t n : {30u, 50u, 101u}) {
    for (const MeshData& mesh : {test::make_quad_sheet(n, n), test::shuffled(test::make_quad_sheet(n, n))}) {
      const FabricData fabric = test::cook_checked(mesh);
      const LaidOutFabric laid_out = lay_out(fabric);
      for (size_t s = 0; s < 3; ++s) {
        const ConstraintLayout& set = laid_out.layout.sets[s];
        std::vector<uint32_t> rings;
        uint32_t alone = 0;
        for (uint32_t c = set.colours.begin; c < set.colours.end; ++c) {
          const Colour& colour = laid_out.layout.colours[c];
          const uint32_t count = colour.items.end - colour.items.begin;
          if (colour.of_rings) {
            rings.push_back(count);
          } else {
            alone += count;
          }
        }
        std::sort(rings.rbegin(), rings.rend());
        ASSERT_GE(rings.size(), 2u);
        EXPECT_GE(rings[1] * 10, rings[0] * 7) << "set " << s << " of a sheet of " << n;
        EXPECT_GE((rings[0] + rings[1]) * ring_size * 10, (n - 4) * (n - 4) * 2 * 9) << "nine in ten inner pairs";
        EXPECT_LE(alone, 10 * n) << "pairs at the border";
      }
    }
  }
}

TEST(Colour, a_triangle_sheet_has_as_many_colours_as_inner_particles_have_edges) {
  for (const MeshData& mesh : {test::make_triangle_sheet(60, 60), test::shuffled(test::make_triangle_sheet(60, 60))}) {
    const FabricData fabric = test::cook_checked(mesh);
    EXPECT_EQ(colour_sizes(fabric, 0).size(), 6u);
    EXPECT_EQ(colour_sizes(fabric, 1).size(), 6u);
  }
}

// The mean length of each colour's constraints, one colour after the other.
std::vector<float> mean_lengths(const LaidOutFabric& laid_out, size_t set) {
  std::vector<float> means;
  const ConstraintLayout& layout = laid_out.layout.sets[set];
  for (const Range colour : test::colours_of(laid_out, layout)) {
    float sum = 0;
    for (uint32_t i = colour.begin; i < colour.end; ++i) sum += test::parameter(laid_out, layout, 0, i);
    means.push_back(sum / static_cast<float>(colour.end - colour.begin));
  }
  return means;
}

TEST(Colour, long_constraints_of_irregular_triangles_come_before_short_ones) {
  const FabricData fabric = test::cook_checked(test::noisy(test::make_triangle_sheet(40, 30), 0.05f, true));
  const LaidOutFabric laid_out = test::lay_out_without_rings(fabric);
  for (const size_t set : {0u, 1u}) {
    const std::vector<float> means = mean_lengths(laid_out, set);
    ASSERT_GE(means.size(), 6u);
    for (size_t i = 0; i + 3 < means.size(); ++i)
      EXPECT_GT(means[i], means[i + 3]) << "set " << set << ", colour " << i;
  }
}

TEST(Colour, a_colour_is_sorted_by_particle_but_for_its_first_pair) {
  MeshData mesh = test::shuffled(test::make_triangle_sheet(40, 40));
  mesh.reorder = false;
  const FabricData fabric = test::cook_checked(mesh);
  const LaidOutFabric laid_out = lay_out(fabric);
  for (const ConstraintLayout& set : test::pair_sets(fabric, laid_out)) {
    const std::vector<uint32_t> first = test::particle_row(laid_out, set, 0);
    for (const Range colour : test::colours_of(laid_out, set))
      EXPECT_TRUE(std::is_sorted(first.begin() + colour.begin + 1, first.begin() + colour.end));
  }
}

TEST(Colour, laying_out_keeps_the_order_and_the_colours_of_the_cooker) {
  const FabricData fabric = test::cook_checked(test::make_triangle_sheet(30, 20));
  const LaidOutFabric laid_out = lay_out(fabric);
  size_t next = 0;
  for (const ConstraintLayout& set : test::pair_sets(fabric, laid_out)) {
    for (const Range colour : test::colours_of(laid_out, set)) {
      for (uint32_t i = colour.begin; i < colour.end; ++i, ++next) {
        ASSERT_EQ(test::stored_particle(laid_out, set, 0, i), fabric.indices[next * 2]);
        ASSERT_EQ(test::stored_particle(laid_out, set, 1, i), fabric.indices[next * 2 + 1]);
        ASSERT_EQ(test::parameter(laid_out, set, 0, i), fabric.rest_lengths[next]);
      }
    }
  }
}

TEST(Colour, a_fan_needs_one_colour_per_spoke_and_no_more) {
  const FabricData fabric = test::cook_checked(test::make_fan(3000));
  EXPECT_LE(colour_sizes(fabric, 0).size(), 3u) << "the rim's bend constraints form cycles";
  EXPECT_EQ(colour_sizes(fabric, 1).size(), 3000u);
}

TEST(Colour, colours_of_random_graphs_share_no_particle_and_need_little_more_than_the_degree) {
  uint32_t state = 5;
  const auto random = [&state](uint32_t below) {
    return (state = state * 1664525u + 1013904223u, (state >> 8) % below);
  };
  for (const uint32_t pair_count : {10u, 200u, 3000u}) {
    const uint32_t particle_count = 500;
    std::vector<cook::Pair> pairs;
    for (uint32_t i = 0; i < pair_count; ++i) {
      const uint32_t a = random(particle_count), b = random(particle_count);
      if (a != b) pairs.push_back(cook::ordered(a, b));
    }
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<float> positions;
    while (positions.size() < particle_count * 4) positions.push_back(static_cast<float>(random(1000)));
    const std::vector<uint32_t> colours = cook::colour_pairs(pairs, positions);
    std::vector<uint32_t> degree(particle_count, 0);
    test::PairSet taken;
    for (size_t i = 0; i < pairs.size(); ++i) {
      for (const uint32_t p : {pairs[i].first, pairs[i].second}) {
        ++degree[p];
        EXPECT_TRUE(taken.insert({p, colours[i]}).second);
      }
    }
    const uint32_t most = *std::max_element(degree.begin(), degree.end());
    EXPECT_LE(*std::max_element(colours.begin(), colours.end()) + 1, most + 2);
  }
}

}  // namespace
}  // namespace clothc::colour_test
