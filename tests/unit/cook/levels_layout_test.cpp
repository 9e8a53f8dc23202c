// levels_layout_test.cpp - the words of coarse levels say the same as the arrays that they are made from.
#include <gtest/gtest.h>

#include <map>

#include "cook/constraint_types.h"
#include "cook/hierarchy/level_arrays.h"
#include "kernels/layout.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::levels_layout_test {
namespace {

using cook::LevelArrays;

// Returns the entries of an item's fan.
std::vector<uint32_t> fan_of(const LaidOutFabric& laid_out, uint32_t fans, uint32_t item) {
  const uint32_t* words = &laid_out.words[fans];
  std::vector<uint32_t> entries;
  for (uint32_t k = words[item / lane_padding]; k < words[item / lane_padding + 1]; k += lane_padding)
    entries.push_back(words[k + item % lane_padding]);
  return entries;
}

// Returns the weight of each parent of an item, without those of weight 0.
std::map<uint32_t, float> parents_of(const LaidOutFabric& laid_out, const LevelLayout& level, uint32_t item) {
  const uint32_t* words = &laid_out.words[level.parents];
  std::map<uint32_t, float> weights;
  for (uint32_t row = words[item / lane_padding]; row < words[item / lane_padding + 1]; ++row) {
    const float weight = test::float_of(words[row * lane_padding + item % lane_padding]);
    if (weight != 0) weights[laid_out.words[level.parent_nodes + row]] += weight;
  }
  return weights;
}

std::map<uint32_t, float> parents_of(const LevelArrays& level, uint32_t finer) {
  std::map<uint32_t, float> weights;
  for (size_t k = 0; k < cook::parents_per_node; ++k) {
    const size_t at = k * level.finer_count + finer;
    if (level.weights[at] != 0) weights[level.parents[at]] += level.weights[at];
  }
  return weights;
}

void expect_members(const FabricData& fabric, const LaidOutFabric& laid_out, size_t k, const LevelArrays& level) {
  std::vector<std::vector<uint32_t>> wanted(level.node_count);
  for (uint32_t i = 0; i < level.finer_count; ++i) {
    if (level.clusters[i] != no_index) wanted[level.clusters[i]].push_back(k == 0 ? fabric.storage_index(i) : i);
  }
  for (uint32_t node = 0; node < level.node_count; ++node) {
    std::vector<uint32_t> members = fan_of(laid_out, laid_out.layout.levels[k + 1].members, node);
    wanted[node].resize(members.size(), k == 0 ? padding_particle : level.finer_count);
    ASSERT_EQ(members, wanted[node]) << "in the order of the mesh";
  }
}

// The lengths to a node's neighbours, in the order of the neighbours.
using Lengths = std::multimap<uint32_t, std::pair<float, float>>;

Lengths neighbours_of(const LevelArrays& level, uint32_t node) {
  Lengths lengths;
  for (size_t k = 0; k < level.neighbours_per_node; ++k) {
    const size_t at = k * level.node_count + node;
    if (level.neighbours[at] != node)
      lengths.insert({level.neighbours[at], {level.lengths[at], level.edge_lengths[at]}});
  }
  return lengths;
}

// Counts the slots of consecutive nodes, and those that list their nodes.
struct SlotCounts {
  size_t consecutive = 0, listed = 0;
};

void expect_neighbours(const uint32_t* words, const LevelArrays& level, SlotCounts& counts) {
  const uint32_t stride = level_stride_of(level.node_count);
  std::vector<Lengths> found(level.node_count);
  for (uint32_t block = 0; block < stride / lane_padding; ++block) {
    const uint32_t *bounds = words + 2 * size_t{block}, first_listed = bounds[1];
    ASSERT_LE(bounds[0], first_listed);
    ASSERT_LE(first_listed, bounds[2]);
    for (uint32_t slot = bounds[0]; slot < bounds[2]; slot += 3 * lane_padding) {
      ++(slot < first_listed ? counts.consecutive : counts.listed);
      for (uint32_t lane = 0; lane < lane_padding; ++lane) {
        const uint32_t node = block * lane_padding + lane, neighbour = words[slot + lane];
        const float length = test::float_of(words[slot + lane_padding + lane]);
        ASSERT_LT(neighbour, stride) << "lanes load from the rows of the level";
        ASSERT_TRUE(slot >= first_listed || neighbour == words[slot] + lane);
        if (length == longest_length) continue;
        ASSERT_LT(node, level.node_count);
        found[node].insert({neighbour, {length, test::float_of(words[slot + 2 * lane_padding + lane])}});
      }
    }
  }
  for (uint32_t node = 0; node < level.node_count; ++node) ASSERT_EQ(found[node], neighbours_of(level, node)) << node;
}

TEST(LevelsLayout, says_the_same_as_the_arrays) {
  size_t level_count = 0, reordered = 0;
  SlotCounts slots;
  std::vector<test::NamedMesh> meshes = test::all_meshes();
  meshes.push_back({"many shuffled quads", test::shuffled(test::make_quad_sheet(40, 30))});
  for (const test::NamedMesh& named : meshes) {
    SCOPED_TRACE(named.name);
    const FabricData fabric = cook_mesh(named.mesh);
    const LaidOutFabric laid_out = lay_out(fabric);
    const std::vector<LevelArrays> levels = cook::levels_of(fabric);
    const std::vector<LevelLayout>& layouts = laid_out.layout.levels;
    ASSERT_EQ(layouts.size(), levels.empty() ? 0 : levels.size() + 1);
    level_count += levels.size();
    reordered += !fabric.storage_order.empty() && !levels.empty();
    for (size_t k = 0; k < levels.size(); ++k) {
      ASSERT_EQ(layouts[k].node_count, levels[k].finer_count);
      ASSERT_EQ(layouts[k + 1].node_count, levels[k].node_count);
      for (uint32_t i = 0; i < levels[k].finer_count; ++i)
        ASSERT_EQ(parents_of(laid_out, layouts[k], k == 0 ? fabric.storage_index(i) : i), parents_of(levels[k], i));
      expect_members(fabric, laid_out, k, levels[k]);
      expect_neighbours(&laid_out.words[layouts[k + 1].neighbours], levels[k], slots);
    }
    ASSERT_TRUE(levels.empty() || layouts.back().parents == 0) << "the coarsest level has parents";
  }
  EXPECT_GT(level_count, 10u);
  EXPECT_GT(reordered, 0u);
  EXPECT_GT(slots.consecutive, 0u);
  EXPECT_GT(slots.listed, 0u);
}

// The neighbours in a grid are consecutive but for those at its borders.
TEST(LevelsLayout, needs_few_lists_on_a_grid) {
  const FabricData fabric = cook_mesh(test::make_quad_sheet(100, 100));
  const LaidOutFabric laid_out = lay_out(fabric);
  const std::vector<LevelArrays> levels = cook::levels_of(fabric);
  SlotCounts slots;
  expect_neighbours(&laid_out.words[laid_out.layout.levels[1].neighbours], levels[0], slots);
  EXPECT_GT(slots.consecutive, 5 * slots.listed);
}

// The parts of the nodes that belong to a coarser node make it up.
TEST(LevelsLayout, has_parts_with_a_sum_of_one) {
  const FabricData fabric = cook_mesh(test::make_quad_sheet(50, 40));
  const LaidOutFabric laid_out = lay_out(fabric);
  const std::vector<LevelArrays> levels = cook::levels_of(fabric);
  ASSERT_GE(levels.size(), 3u);
  for (size_t k = 1; k < levels.size(); ++k) {
    const uint32_t parts = laid_out.layout.levels[k].nodes + node_part * level_stride_of(levels[k].finer_count);
    std::vector<double> sums(levels[k].node_count, 0.0);
    for (uint32_t i = 0; i < levels[k].finer_count; ++i)
      sums[levels[k].clusters[i]] += double{test::float_of(laid_out.words[parts + i])};
    for (const double sum : sums) EXPECT_NEAR(sum, 1, 1e-6);
  }
}

}  // namespace
}  // namespace clothc::levels_layout_test
