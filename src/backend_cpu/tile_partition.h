// tile_partition.h - distributes the tiles of a pass over the workers. Every worker owns a range of the tiles, which is
// the same fraction of each pass so that its data stays in its cache, and may take tiles from the ranges of other
// workers when its own is used up. Every tile is taken exactly once, wherever each worker begins.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace clothc::cpu {

class TilePartition {
 public:
  static constexpr unsigned tile_bits = 18;
  static constexpr uint32_t most_tiles = (1u << tile_bits) - 1;

  // Number of a pass in the upper bits, and number of its tiles in the lower tile_bits bits.
  using Pass = uint64_t;
  static Pass make_pass(uint64_t number, uint32_t tiles) { return number << tile_bits | tiles; }
  static uint64_t number_of(Pass pass) { return pass >> tile_bits; }
  static uint32_t tiles_of(Pass pass) { return static_cast<uint32_t>(pass & most_tiles); }

  explicit TilePartition(uint32_t worker_count) : ranges_(worker_count) {}

  // Returns the index of the range at which a new worker begins: one without an owner, which the worker then owns, or 0
  // if all have owners.
  uint32_t join();
  // Ends the ownership of a range.
  void leave(uint32_t range) { ranges_[range].is_owned.store(false, std::memory_order_relaxed); }

  // The progress of one worker through the ranges of the current pass.
  struct Walk {
    void begin(Pass present) {
      pass = present;
      visited = 0;
      adopted = 0;
    }
    // Index of the range at which the worker begins each pass.
    uint32_t own = 0;

    Pass pass = 0;

    // Number of ranges, counted from the own one on, that have no tile left.
    uint32_t visited = 0;

    // Distance from the own range to the range whose first tile this worker took most recently. That is its own range
    // or the range of an absent worker.
    uint32_t adopted = 0;

    // Whether no tile had been taken in the pass from the range of another worker at which this worker last looked.
    bool others_are_gone = false;
  };
  // Takes a tile, or returns false if there is none to take. Unless from_others is set, ranges of workers that seem to
  // be present are left to them. A pass cannot end before each of its tiles has been taken, so a tile that is taken
  // belongs to the current pass, even if the walk's state is old.
  bool take(Walk& walk, bool from_others, uint32_t& tile);

 private:
  // The state of one worker's range. Both fields have a cache line of their own: the owner writes the first one in
  // every pass, and other workers read it only to take tiles from the range.
  struct Range {
    // Number of the latest pass in which a tile of the range was taken, and in the lower bits how many were taken in
    // it.
    alignas(64) std::atomic<uint64_t> taken{0};
    alignas(64) std::atomic<bool> is_owned{false};
  };

  // Returns the first tile of a range in a pass of that many tiles.
  uint32_t first_of(uint32_t range, uint32_t tiles) const {
    return static_cast<uint32_t>(uint64_t{tiles} * range / ranges_.size());
  }

  std::vector<Range> ranges_;
};

inline uint32_t TilePartition::join() {
  for (uint32_t range = 0; range < ranges_.size(); ++range) {
    if (!ranges_[range].is_owned.exchange(true, std::memory_order_relaxed)) return range;
  }
  return 0;
}

inline bool TilePartition::take(Walk& walk, bool from_others, uint32_t& tile) {
  const auto count = static_cast<uint32_t>(ranges_.size());
  const uint64_t number = number_of(walk.pass);
  for (; walk.visited < count; ++walk.visited) {
    const uint32_t index = (walk.own + walk.visited) % count;
    const uint32_t first = first_of(index, tiles_of(walk.pass));
    const uint32_t size = first_of(index + 1, tiles_of(walk.pass)) - first;
    if (size == 0) continue;
    Range& range = ranges_[index];
    const bool is_free = walk.visited == walk.adopted || !range.is_owned.load(std::memory_order_relaxed);
    if (!is_free && !from_others && !walk.others_are_gone) return false;
    uint64_t seen = range.taken.load(std::memory_order_relaxed);
    while (true) {
      // A later pass has begun.
      if (number_of(seen) > number) return false;
      const uint32_t already = number_of(seen) == number ? tiles_of(seen) : 0;
      if (!is_free) {
        walk.others_are_gone = already == 0;
        if (!from_others && !walk.others_are_gone) return false;
      }
      if (already == size) break;
      if (range.taken.compare_exchange_weak(seen, make_pass(number, already + 1), std::memory_order_relaxed)) {
        if (already == 0) walk.adopted = walk.visited;
        tile = first + already;
        return true;
      }
    }
  }
  return false;
}

}  // namespace clothc::cpu
