// shares_test.cpp - who gets which tiles of a pass: each one once, one's own first, those of others when they are gone.
#include "backend_cpu/shares.h"

#include <gtest/gtest.h>

#include <thread>

namespace clothc::cpu {
namespace {

std::vector<uint32_t> take_all(Shares& shares, Shares::Walk& walk, bool from_others) {
  std::vector<uint32_t> tiles;
  for (uint32_t tile = 0; shares.take(walk, from_others, tile);) tiles.push_back(tile);
  return tiles;
}

Shares::Walk join(Shares& shares) {
  Shares::Walk walk;
  walk.own = shares.join();
  return walk;
}

using Tiles = std::vector<uint32_t>;

TEST(Shares, every_worker_has_the_same_part_of_each_pass) {
  Shares shares(3);
  Shares::Walk walks[] = {join(shares), join(shares), join(shares)};
  for (uint64_t number = 1; number < 4; ++number) {
    for (Shares::Walk& walk : walks) walk.begin(Shares::make_pass(number, 9));
    EXPECT_EQ(take_all(shares, walks[2], false), (Tiles{6, 7, 8}));
    EXPECT_EQ(take_all(shares, walks[0], false), (Tiles{0, 1, 2}));
    EXPECT_EQ(take_all(shares, walks[1], false), (Tiles{3, 4, 5}));
  }
}

TEST(Shares, those_that_nobody_has_are_taken_at_once) {
  Shares shares(3);
  Shares::Walk walk = join(shares);
  walk.begin(Shares::make_pass(1, 4));
  EXPECT_EQ(take_all(shares, walk, false), (Tiles{0, 1, 2, 3}));
  Shares::Walk other = join(shares);
  shares.leave(walk.own);
  other.begin(Shares::make_pass(2, 4));
  EXPECT_EQ(take_all(shares, other, false), (Tiles{1, 2, 3, 0})) << "its own first";
  EXPECT_EQ(join(shares).own, walk.own) << "a share that was left is given again";
}

TEST(Shares, those_of_others_are_left_to_them_unless_they_are_gone) {
  Shares shares(2);
  Shares::Walk here = join(shares);
  Shares::Walk there = join(shares);
  here.begin(Shares::make_pass(1, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1}));
  EXPECT_EQ(take_all(shares, here, true), (Tiles{2, 3})) << "after having waited";
  here.begin(Shares::make_pass(2, 1));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0}))
      << "the other did not come: what it would have had is taken at once";
  here.begin(Shares::make_pass(3, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1, 2, 3}));

  there.begin(Shares::make_pass(4, 4));
  uint32_t tile = 0;
  ASSERT_TRUE(shares.take(there, false, tile));
  EXPECT_EQ(tile, 2u);
  here.begin(Shares::make_pass(4, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1})) << "the other is back";
  EXPECT_EQ(take_all(shares, there, false), (Tiles{3}));
  here.begin(Shares::make_pass(5, 4));
  EXPECT_EQ(take_all(shares, here, false), (Tiles{0, 1})) << "and is waited for again";
}

TEST(Shares, a_pass_that_is_over_has_no_tiles) {
  Shares shares(2);
  Shares::Walk late = join(shares);
  Shares::Walk walk = join(shares);
  for (uint64_t number = 1; number < 3; ++number) {
    walk.begin(Shares::make_pass(number, 6));
    EXPECT_EQ(take_all(shares, walk, true).size(), 6u);
  }
  late.begin(Shares::make_pass(1, 6));
  EXPECT_EQ(take_all(shares, late, true), Tiles{});
  late.begin(Shares::make_pass(2, 6));
  EXPECT_EQ(take_all(shares, late, true), Tiles{});
}

TEST(Shares, more_workers_than_shares_and_more_shares_than_tiles) {
  Shares shares(5);
  Shares::Walk walks[7];
  for (Shares::Walk& walk : walks) walk = join(shares);
  for (uint32_t tiles = 1; tiles < 12; ++tiles) {
    std::vector<uint32_t> times(tiles);
    for (Shares::Walk& walk : walks) {
      walk.begin(Shares::make_pass(tiles, tiles));
      for (const uint32_t tile : take_all(shares, walk, &walk == &walks[6])) ++times[tile];
    }
    EXPECT_EQ(times, std::vector<uint32_t>(tiles, 1));
  }
}

TEST(Shares, threads_take_each_tile_once) {
  constexpr uint32_t tiles = 20000, workers = 4;
  Shares shares(workers);
  std::vector<std::atomic<uint32_t>> times(tiles);
  std::vector<std::thread> threads;
  for (uint32_t k = 0; k < workers; ++k) {
    threads.emplace_back([&] {
      Shares::Walk walk = join(shares);
      walk.begin(Shares::make_pass(7, tiles));
      for (const uint32_t tile : take_all(shares, walk, true)) ++times[tile];
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (uint32_t tile = 0; tile < tiles; ++tile) ASSERT_EQ(times[tile], 1u) << tile;
}

}  // namespace
}  // namespace clothc::cpu
