// tile_partition_test.cpp - which worker gets which tiles of a pass: each tile is handed out once, and a worker takes
// its own tiles before those of others.
#include "backend_cpu/tile_partition.h"

#include <gtest/gtest.h>

#include <thread>

namespace clothc::cpu::tile_partition_test {
namespace {

std::vector<uint32_t> take_all(TilePartition& partition, TilePartition::Walk& walk, bool from_others) {
  std::vector<uint32_t> tiles;
  for (uint32_t tile = 0; partition.take(walk, from_others, tile);) tiles.push_back(tile);
  return tiles;
}

TilePartition::Walk join(TilePartition& partition) {
  TilePartition::Walk walk;
  walk.own = partition.join();
  return walk;
}

using Tiles = std::vector<uint32_t>;

TEST(TilePartition, every_worker_has_the_same_part_of_each_pass) {
  TilePartition partition(3);
  TilePartition::Walk walks[] = {join(partition), join(partition), join(partition)};
  for (uint64_t number = 1; number < 4; ++number) {
    for (TilePartition::Walk& walk : walks) walk.begin(TilePartition::make_pass(number, 9));
    EXPECT_EQ(take_all(partition, walks[2], false), (Tiles{6, 7, 8}));
    EXPECT_EQ(take_all(partition, walks[0], false), (Tiles{0, 1, 2}));
    EXPECT_EQ(take_all(partition, walks[1], false), (Tiles{3, 4, 5}));
  }
}

TEST(TilePartition, tiles_of_ranges_without_an_owner_are_taken_at_once) {
  TilePartition partition(3);
  TilePartition::Walk walk = join(partition);
  walk.begin(TilePartition::make_pass(1, 4));
  EXPECT_EQ(take_all(partition, walk, false), (Tiles{0, 1, 2, 3}));
  TilePartition::Walk other = join(partition);
  partition.leave(walk.own);
  other.begin(TilePartition::make_pass(2, 4));
  EXPECT_EQ(take_all(partition, other, false), (Tiles{1, 2, 3, 0})) << "its own first";
  EXPECT_EQ(join(partition).own, walk.own) << "a range without an owner is given again";
}

TEST(TilePartition, tiles_of_other_workers_are_left_to_them_unless_they_are_gone) {
  TilePartition partition(2);
  TilePartition::Walk here = join(partition);
  TilePartition::Walk there = join(partition);
  here.begin(TilePartition::make_pass(1, 4));
  EXPECT_EQ(take_all(partition, here, false), (Tiles{0, 1}));
  EXPECT_EQ(take_all(partition, here, true), (Tiles{2, 3})) << "after having waited";
  here.begin(TilePartition::make_pass(2, 1));
  EXPECT_EQ(take_all(partition, here, false), (Tiles{0}))
      << "the other did not come: what it would have had is taken at once";
  here.begin(TilePartition::make_pass(3, 4));
  EXPECT_EQ(take_all(partition, here, false), (Tiles{0, 1, 2, 3}));

  there.begin(TilePartition::make_pass(4, 4));
  uint32_t tile = 0;
  ASSERT_TRUE(partition.take(there, false, tile));
  EXPECT_EQ(tile, 2u);
  here.begin(TilePartition::make_pass(4, 4));
  EXPECT_EQ(take_all(partition, here, false), (Tiles{0, 1})) << "the other is back";
  EXPECT_EQ(take_all(partition, there, false), (Tiles{3}));
  here.begin(TilePartition::make_pass(5, 4));
  EXPECT_EQ(take_all(partition, here, false), (Tiles{0, 1})) << "and is waited for again";
}

TEST(TilePartition, a_pass_that_is_over_has_no_tiles) {
  TilePartition partition(2);
  TilePartition::Walk late = join(partition);
  TilePartition::Walk walk = join(partition);
  for (uint64_t number = 1; number < 3; ++number) {
    walk.begin(TilePartition::make_pass(number, 6));
    EXPECT_EQ(take_all(partition, walk, true).size(), 6u);
  }
  late.begin(TilePartition::make_pass(1, 6));
  EXPECT_EQ(take_all(partition, late, true), Tiles{});
  late.begin(TilePartition::make_pass(2, 6));
  EXPECT_EQ(take_all(partition, late, true), Tiles{});
}

TEST(TilePartition, more_workers_than_ranges_and_more_ranges_than_tiles) {
  TilePartition partition(5);
  TilePartition::Walk walks[7];
  for (TilePartition::Walk& walk : walks) walk = join(partition);
  for (uint32_t tiles = 1; tiles < 12; ++tiles) {
    std::vector<uint32_t> times(tiles);
    for (TilePartition::Walk& walk : walks) {
      walk.begin(TilePartition::make_pass(tiles, tiles));
      for (const uint32_t tile : take_all(partition, walk, &walk == &walks[6])) ++times[tile];
    }
    EXPECT_EQ(times, std::vector<uint32_t>(tiles, 1));
  }
}

TEST(TilePartition, threads_take_each_tile_once) {
  constexpr uint32_t tiles = 20000, workers = 4;
  TilePartition partition(workers);
  std::vector<std::atomic<uint32_t>> times(tiles);
  std::vector<std::thread> threads;
  for (uint32_t k = 0; k < workers; ++k) {
    threads.emplace_back([&] {
      TilePartition::Walk walk = join(partition);
      walk.begin(TilePartition::make_pass(7, tiles));
      for (const uint32_t tile : take_all(partition, walk, true)) ++times[tile];
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t tile = 0; tile < tiles; ++tile) ASSERT_EQ(times[tile], 1u) << tile;
}

}  // namespace
}  // namespace clothc::cpu::tile_partition_test
