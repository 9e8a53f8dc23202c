// tile_partition_test.cpp - which worker gets which tiles of a pass: each tile is handed out once, and a worker takes
// its own tiles before those of others.
#include "backend_cpu/tile_partition.h"

#include <gtest/gtest.h>

#include <thread>

namespace clothc::cpu {
namespace {

std::vector<uint32_t> take_all(TilePartition& shares, TilePartition::Walk& walk, bool from_others) {
  std::vector<uint32_t> tiles;
  for (uint32_t tile = 0; shares.take(walk, from_others, tile);) tiles.push_back(tile);
  return tiles;
}

TilePartition::Walk join(TilePartition& shares) {
  TilePartition::Walk walk;
  walk.own = shares.join();
  return walk;
}

using Tiles = std::vector<uint32_t>;

TEST(TilePartition, every_worker_has_the_same_part_of_each_pass) {
  TilePartition shares(3);
  TilePartition::Walk walks[] = {join(shares), join(shares), join(shares)};
  for (uint64_t number = 1; number < 4; ++number) {
    for (TilePartition::Walk& walk : walks) walk.begin(TilePartition::make_pass(number, 9));
    EXPECT_EQ(take_all(shares, walks[2], false), (Tiles{6, 7, 8}));
    EXPECT_EQ(take_all(shares, walks[0], false), (Tiles{0, 1, 2}));
    EXPECT_EQ(take_all(shares, walks[1], false), (Tiles{3, 4, 5}));
  }
}

TEST(TilePartition, those_that_nobody_has_are_taken_at_once) {
  TilePartition shares(3);
  TilePartition::Walk walk = join(shares);
  walk.begin(TilePartition::make_pass(1, 4));
  EXPECT_EQ(take_all(shares, walk, false), (Tiles{0, 1, 2, 3}));
  TilePartition::Walk other = join(shares);
  shares.leave(walk.own);
  other.begin(TilePartition::make_pass(2, 4));
  EXPECT_EQ(take_all(shares, other, false), (Tiles{1, 2, 3, 0})) << "its own first";
  EXPECT_EQ(join(shares).own, walk.own) << "a share that was left is given again";
}

TEST(TilePartition, those_of_others_are_left_to_them_unless_they_are_gone) {
  TilePartition shares(2);
  TilePartition::Walk here = join(shares);
  TilePartition::Walk there = join(shares);
  here.begin(TilePartition::make_pass(1, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1}));
  EXPECT_EQ(take_all(shares, here, true), (Tiles{2, 3})) << "after having waited";
  here.begin(TilePartition::make_pass(2, 1));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0}))
      << "the other did not come: what it would have had is taken at once";
  here.begin(TilePartition::make_pass(3, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1, 2, 3}));

  there.begin(TilePartition::make_pass(4, 4));
  uint32_t tile = 0;
  ASSERT_TRUE(shares.take(there, false, tile));
  EXPECT_EQ(tile, 2u);
  here.begin(TilePartition::make_pass(4, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1})) << "the other is back";
  EXPECT_EQ(take_all(shares, there, false), (Tiles{3}));
  here.begin(TilePartition::make_pass(5, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1})) << "and is waited for again";
}

TEST(TilePartition, a_pass_that_is_over_has_no_tiles) {
  TilePartition shares(2);
  TilePartition::Walk late = join(shares);
  TilePartition::Walk walk = join(shares);
  for (uint64_t number = 1; number < 3; ++number) {
    walk.begin(TilePartition::make_pass(number, 6));
    EXPECT_EQ(take_all(shares, walk, true).size(), 6u);
  }
  late.begin(TilePartition::make_pass(1, 6));
  EXPECT_EQ(take_all(shares, late, true), Tiles{});
  late.begin(TilePartition::make_pass(2, 6));
  EXPECT_EQ(take_all(shares, late, true), Tiles{});
}

TEST(TilePartition, more_workers_than_shares_and_more_shares_than_tiles) {
  TilePartition shares(5);
  TilePartition::Walk walks[7];
  for (TilePartition::Walk& walk : walks) walk = join(shares);
  for (uint32_t tiles = 1; tiles < 12; ++tiles) {
    std::vector<uint32_t> times(tiles);
    for (TilePartition::Walk& walk : walks) {
      walk.begin(TilePartition::make_pass(tiles, tiles));
      for (const uint32_t tile : take_all(shares, walk, &walk == &walks[6])) ++times[tile];
    }
    EXPECT_EQ(times, std::vector<uint32_t>(tiles, 1));
  }
}

TEST(TilePartition, threads_take_each_tile_once) {
  constexpr uint32_t tiles = 20000, workers = 4;
  TilePartition shares(workers);
  std::vector<std::atomic<uint32_t>> times(tiles);
  std::vector<std::thread> threads;
  for (uint32_t k = 0; k < workers; ++k) {
    threads.emplace_back([&] {
      TilePartition::Walk walk = join(shares);
      walk.begin(TilePartition::make_pass(7, tiles));
      for (const uint32_t tile : take_all(shares, walk, true)) ++times[tile];
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t tile = 0; tile < tiles; ++tile) ASSERT_EQ(times[tile], 1u) << tile;
}

}  // namespace
}  // namespace clothc::cpu
