// host_accesses_test.cpp - compares what HostAccesses says of random accesses and waits with a model that keeps all of
// them: it may ask for a needless wait, but never misses one.
#include "backend_cuda/host_accesses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace clothc::host_accesses_test {
namespace {

using cuda::HostAccess;
using cuda::HostAccesses;
using cuda::Lane;

constexpr Lane lanes[] = {Lane::work, Lane::uploads, Lane::downloads};

// All accesses, each with the lanes that come after it.
struct Model {
  struct Entry {
    HostAccess access;
    uint64_t value;
    bool precedes[cuda::lane_count];
  };
  std::vector<Entry> entries;

  static size_t index(Lane lane) { return static_cast<size_t>(lane); }
  void add(Lane lane, const HostAccess& access, uint64_t value) {
    Entry entry{access, value, {}};
    entry.precedes[index(lane)] = true;
    entries.push_back(entry);
  }
  void waits(Lane lane, Lane other) {
    for (Entry& entry : entries) entry.precedes[index(lane)] |= entry.precedes[index(other)];
  }
  void forget(uint64_t completed) {
    const auto has_ended = [&](const Entry& entry) { return entry.value <= completed; };
    entries.erase(std::remove_if(entries.begin(), entries.end(), has_ended), entries.end());
  }
  // Whether the lane may make the access without another wait.
  bool is_safe(Lane lane, const HostAccess& access) const {
    for (const Entry& entry : entries) {
      const bool overlaps = entry.access.begin < access.end && access.begin < entry.access.end;
      const bool conflicts = overlaps && (entry.access.writes || access.writes);
      if (conflicts && !entry.precedes[index(lane)]) return false;
    }
    return true;
  }
};

// Returns the number of waits.
uint64_t play(uint32_t seed, uint64_t lag, uint64_t range) {
  std::mt19937 random(seed);
  const auto below = [&](uint64_t n) { return random() % n; };
  HostAccesses accesses;
  Model model;
  uint64_t value = 1, waits = 0, completed = 0;
  accesses.begin_list(value, completed);
  for (int step = 0; step < 3000; ++step) {
    if (below(4) == 0) {
      ++value;
      completed = value > lag ? value - 1 - lag : 0;
      accesses.begin_list(value, completed);
      model.forget(completed);
      continue;
    }
    const Lane lane = lanes[below(3)];
    const uint64_t begin = below(range);
    const HostAccess access = {begin, begin + 1 + below(40), below(2) == 0};
    for (const Lane other : lanes) {
      if (other == lane || !accesses.must_wait(lane, other, access)) continue;
      accesses.waits(lane, other);
      model.waits(lane, other);
      ++waits;
    }
    EXPECT_TRUE(model.is_safe(lane, access)) << "step " << step << " of seed " << seed;
    accesses.add(lane, access);
    model.add(lane, access, value);
  }
  return waits;
}

TEST(HostAccesses, miss_no_wait) {
  for (uint32_t seed = 0; seed < 8; ++seed) {
    for (const uint64_t lag : {0u, 2u, 50u}) {
      for (const uint64_t range : {100u, 10000u}) EXPECT_GT(play(seed, lag, range), 0u);
    }
  }
}

TEST(HostAccesses, of_other_bytes_or_that_only_read_need_no_wait) {
  HostAccesses accesses;
  accesses.begin_list(1, 0);
  accesses.add(Lane::downloads, {100, 200, true});
  accesses.add(Lane::uploads, {300, 400, false});
  EXPECT_FALSE(accesses.must_wait(Lane::work, Lane::downloads, {200, 300, true}));
  EXPECT_FALSE(accesses.must_wait(Lane::work, Lane::uploads, {300, 400, false}));
  EXPECT_TRUE(accesses.must_wait(Lane::work, Lane::downloads, {199, 300, false}));
  EXPECT_TRUE(accesses.must_wait(Lane::work, Lane::uploads, {200, 301, true}));
}

TEST(HostAccesses, of_lists_that_have_ended_need_no_wait) {
  HostAccesses accesses;
  accesses.begin_list(1, 0);
  accesses.add(Lane::downloads, {100, 200, true});
  accesses.begin_list(2, 0);
  accesses.add(Lane::downloads, {300, 400, true});
  accesses.begin_list(3, 1);
  EXPECT_FALSE(accesses.must_wait(Lane::uploads, Lane::downloads, {100, 200, false}));
  EXPECT_TRUE(accesses.must_wait(Lane::uploads, Lane::downloads, {300, 400, false}));
}

// One wait suffices, also where it comes by way of a third lane, unless it was dropped.
TEST(HostAccesses, are_waited_for_once) {
  HostAccesses accesses;
  accesses.begin_list(1, 0);
  accesses.add(Lane::downloads, {100, 200, true});
  accesses.waits(Lane::uploads, Lane::downloads);
  EXPECT_FALSE(accesses.must_wait(Lane::uploads, Lane::downloads, {100, 200, false}));
  EXPECT_TRUE(accesses.must_wait(Lane::work, Lane::downloads, {100, 200, false}));
  accesses.waits(Lane::work, Lane::uploads);
  EXPECT_FALSE(accesses.must_wait(Lane::work, Lane::downloads, {100, 200, false}));
  accesses.forget_waits();
  EXPECT_TRUE(accesses.must_wait(Lane::work, Lane::downloads, {100, 200, false}));
  EXPECT_TRUE(accesses.must_wait(Lane::uploads, Lane::downloads, {100, 200, false}));
}

// As with the statuses of many cloths, which are written one behind the other.
TEST(HostAccesses, one_behind_the_other_are_told_from_others_however_many_there_are) {
  HostAccesses accesses;
  accesses.begin_list(1, 0);
  for (uint64_t k = 0; k < 10000; ++k) accesses.add(Lane::work, {1000 + 64 * k, 1064 + 64 * k, true});
  EXPECT_FALSE(accesses.must_wait(Lane::uploads, Lane::work, {0, 1000, true}));
  EXPECT_TRUE(accesses.must_wait(Lane::uploads, Lane::work, {0, 1001, true}));
}

}  // namespace
}  // namespace clothc::host_accesses_test
