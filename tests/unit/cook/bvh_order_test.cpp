// bvh_order_test.cpp - the order of collision particles contains each of them once, keeps spatial neighbours together,
// and does not depend on how the particles are numbered.
#include "cook/order/bvh_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

#include "unit/cook/meshes.h"

namespace clothc::bvh_order_test {
namespace {

using Order = std::vector<uint32_t>;

FabricLayout fabric_at(const std::vector<float>& positions) {
  FabricLayout fabric;
  fabric.particle_count = static_cast<uint32_t>(positions.size() / 3);
  for (size_t k = 0; k < positions.size(); k += 3)
    fabric.positions.insert(fabric.positions.end(), {positions[k], positions[k + 1], positions[k + 2], 1.0f});
  return fabric;
}

FabricLayout random_fabric(uint32_t count) {
  std::mt19937 random(count);
  std::vector<float> positions;
  for (uint32_t k = 0; k < 3 * count; ++k) positions.push_back(static_cast<float>(random() % 65536));
  return fabric_at(positions);
}

Order first_numbers(uint32_t count) {
  Order numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

// Splits the order into runs of the given length and returns the mean of the largest side of the box around each run.
double mean_side(const FabricLayout& fabric, const Order& order, uint32_t run) {
  double sum = 0;
  for (size_t first = 0; first < order.size(); first += run) {
    const size_t end = std::min(order.size(), first + run);
    float side = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto at = [&](size_t k) { return fabric.positions[size_t{order[k]} * 4 + axis]; };
      float low = at(first), high = low;
      for (size_t k = first; k < end; ++k) low = std::min(low, at(k)), high = std::max(high, at(k));
      side = std::max(side, high - low);
    }
    sum += static_cast<double>(side);
  }
  return sum / static_cast<double>((order.size() + run - 1) / run);
}

TEST(BvhOrder, has_every_particle_once_and_is_the_same_again) {
  for (const uint32_t count : {1u, 2u, 15u, 16u, 17u, 31u, 33u, 255u, 256u, 257u, 273u, 4095u, 5000u}) {
    const FabricLayout fabric = random_fabric(count);
    Order order = cook::order_for_bvh(fabric);
    EXPECT_EQ(cook::order_for_bvh(fabric), order) << count;
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, first_numbers(count));
  }
}

TEST(BvhOrder, tiles_a_square_sheet_with_squares) {
  const FabricLayout fabric = fabric_at(test::make_points(64, 64).positions);
  const Order order = cook::order_for_bvh(fabric), stored = first_numbers(4096);
  for (const uint32_t side : {4u, 16u, 64u}) {
    EXPECT_EQ(mean_side(fabric, order, side * side), 0.25 * (side - 1));
    if (side < 64) {
      EXPECT_GE(mean_side(fabric, stored, side * side), 3.9 * 0.25 * (side - 1)) << "rows are long";
    }
  }
}

TEST(BvhOrder, keeps_neighbours_together_in_sheets_of_any_size_and_numbering) {
  for (const auto& [columns, rows] : {std::pair{50u, 37u}, {61u, 61u}, {300u, 7u}, {13u, 200u}}) {
    const MeshData sheet = test::make_points(columns, rows);
    for (const MeshData& mesh : {sheet, test::shuffled(sheet)}) {
      const FabricLayout fabric = fabric_at(mesh.positions);
      const Order order = cook::order_for_bvh(fabric);
      EXPECT_LT(mean_side(fabric, order, 16), 0.25 * 7) << columns << " x " << rows;
      EXPECT_LT(mean_side(fabric, order, 256), 0.25 * 40) << columns << " x " << rows;
    }
    const FabricLayout scattered = fabric_at(test::shuffled(sheet).positions);
    EXPECT_GT(mean_side(scattered, first_numbers(columns * rows), 16), 0.25 * 7) << "the test can fail";
  }
}

TEST(BvhOrder, keeps_neighbours_together_in_space) {
  std::vector<float> positions;
  for (uint32_t k = 0; k < 4096; ++k)
    positions.insert(positions.end(), {static_cast<float>(k * 7 % 16), static_cast<float>(k * 7 / 16 % 16),
                                       static_cast<float>(k * 7 / 256 % 16)});
  const FabricLayout fabric = fabric_at(positions);
  const Order order = cook::order_for_bvh(fabric);
  EXPECT_LE(mean_side(fabric, order, 16), 3);
  EXPECT_LE(mean_side(fabric, order, 256), 7);
  EXPECT_GT(mean_side(fabric, first_numbers(4096), 256), 12) << "the test can fail";
}

// Positions alone decide which particles form a block. Particle numbers decide the order within a block.
TEST(BvhOrder, blocks_have_the_same_particles_however_these_are_numbered) {
  const uint32_t count = 1000;
  const FabricLayout fabric = random_fabric(count);
  Order renumbered = first_numbers(count);
  std::mt19937 random(8);
  for (uint32_t k = count; k-- > 1;) std::swap(renumbered[k], renumbered[random() % (k + 1)]);
  FabricLayout other = fabric;
  for (size_t k = 0; k < count; ++k)
    std::copy_n(&fabric.positions[k * 4], 4, &other.positions[size_t{renumbered[k]} * 4]);
  const Order order = cook::order_for_bvh(fabric), other_order = cook::order_for_bvh(other);
  for (size_t first = 0; first < count; first += 16) {
    const size_t end = std::min<size_t>(count, first + 16);
    std::set<uint32_t> block, other_block;
    for (size_t k = first; k < end; ++k) {
      block.insert(renumbered[order[k]]);
      other_block.insert(other_order[k]);
    }
    ASSERT_EQ(block, other_block) << "from " << first;
    EXPECT_TRUE(std::is_sorted(order.begin() + static_cast<int>(first), order.begin() + static_cast<int>(end)));
  }
}

TEST(BvhOrder, of_few_particles_or_of_one_is_that_of_their_numbers) {
  EXPECT_EQ(cook::order_for_bvh(fabric_at({3, 4, 5})), Order{0});
  EXPECT_EQ(cook::order_for_bvh(random_fabric(16)), first_numbers(16));
}

TEST(BvhOrder, of_seventeen_leaves_the_last_one_alone_along_the_longest_axis) {
  for (size_t axis = 0; axis < 3; ++axis) {
    std::vector<float> positions(17 * 3, 0.0f);
    for (size_t k = 0; k < 17; ++k) {
      positions[k * 3 + (axis + 1) % 3] = k % 2 == 0 ? 0.5f : -0.5f;
      positions[k * 3 + axis] = -static_cast<float>(k);
    }
    Order expected = first_numbers(17);
    std::rotate(expected.begin(), expected.begin() + 1, expected.end());
    EXPECT_EQ(cook::order_for_bvh(fabric_at(positions)), expected) << axis;
  }
}

TEST(BvhOrder, of_particles_at_the_same_position_is_that_of_their_numbers) {
  EXPECT_EQ(cook::order_for_bvh(fabric_at(std::vector<float>(3 * 77, 2.5f))), first_numbers(77));
}

TEST(BvhOrder, without_positions_is_that_in_which_particles_are_stored) {
  FabricLayout fabric;
  fabric.particle_count = 40;
  EXPECT_EQ(cook::order_for_bvh(fabric), first_numbers(40));
  for (uint32_t particle = 0; particle < 40; ++particle) fabric.storage_order.push_back(particle * 7 % 40);
  const Order order = cook::order_for_bvh(fabric);
  for (uint32_t index = 0; index < 40; ++index) EXPECT_EQ(order[index] * 7 % 40, index);
}

}  // namespace
}  // namespace clothc::bvh_order_test
