// tile_partition.h - shares the tiles of a pass out: every worker has a share of its own, the same part of each pass, so that what
// it works on stays in its cache, and may go on with the shares of others once it is done. Wherever a worker begins, all
// tiles are taken once.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace clothc::cpu {

class TilePartition {
 public:
  static constexpr unsigned tile_bits = 18;
  static constexpr uint32_t most_tiles = (1u << tile_bits) - 1;

  // A pass's number, and behind it how many tiles it has.
  using Pass = uint64_t;
  static Pass make_pass(uint64_t number, uint32_t tiles) { return number << tile_bits | tiles; }
  static uint64_t number_of(Pass pass) { return pass >> tile_bits; }
  static uint32_t tiles_of(Pass pass) { return static_cast<uint32_t>(pass & most_tiles); }

  explicit TilePartition(uint32_t worker_count) : shares_(worker_count) {}

  // Where a worker that comes begins: a share that nobody has, if there is one.
  uint32_t join();
  void leave(uint32_t share) { shares_[share].is_owned.store(false, std::memory_order_relaxed); }

  // The way of a worker through the shares in one pass after the other.
  struct Walk {
    void begin(Pass present) {
      pass = present;
      visited = 0;
      adopted = 0;
    }
    uint32_t own = 0;
    Pass pass = 0;
    uint32_t visited = 0;          // shares that have no tile left
    uint32_t adopted = 0;          // the share whose first tile it took last: its own, or that of a worker who is gone
    bool others_are_gone = false;  // the last time that it looked at another's share, nobody had begun with it
  };
  // Takes a tile; false if the pass has none left. Unless from_others, the shares of workers who seem to be there do not
  // count. A pass cannot end before each of its tiles has been taken, so a tile that is taken is one of the present pass,
  // however old the walk's knowledge is.
  bool take(Walk& walk, bool from_others, uint32_t& tile);

 private:
  // Lines of its own: what the owner writes in every pass, others read only to take from it.
  struct Share {
    // The number of the last pass in which the share had a tile taken, and behind it how many.
    alignas(64) std::atomic<uint64_t> taken{0};
    alignas(64) std::atomic<bool> is_owned{false};
  };

  uint32_t first_of(uint32_t share, uint32_t tiles) const {
    return static_cast<uint32_t>(uint64_t{tiles} * share / shares_.size());
  }

  std::vector<Share> shares_;
};

inline uint32_t TilePartition::join() {
  for (uint32_t share = 0; share < shares_.size(); ++share) {
    if (!shares_[share].is_owned.exchange(true, std::memory_order_relaxed)) return share;
  }
  return 0;
}

inline bool TilePartition::take(Walk& walk, bool from_others, uint32_t& tile) {
  const auto count = static_cast<uint32_t>(shares_.size());
  const uint64_t number = number_of(walk.pass);
  for (; walk.visited < count; ++walk.visited) {
    const uint32_t index = (walk.own + walk.visited) % count;
    const uint32_t first = first_of(index, tiles_of(walk.pass));
    const uint32_t size = first_of(index + 1, tiles_of(walk.pass)) - first;
    if (size == 0) continue;
    Share& share = shares_[index];
    const bool is_free = walk.visited == walk.adopted || !share.is_owned.load(std::memory_order_relaxed);
    if (!is_free && !from_others && !walk.others_are_gone) return false;
    uint64_t seen = share.taken.load(std::memory_order_relaxed);
    while (true) {
      if (number_of(seen) > number) return false;  // a later pass
      const uint32_t already = number_of(seen) == number ? tiles_of(seen) : 0;
      if (!is_free) {
        walk.others_are_gone = already == 0;
        if (!from_others && !walk.others_are_gone) return false;
      }
      if (already == size) break;
      if (share.taken.compare_exchange_weak(seen, make_pass(number, already + 1), std::memory_order_relaxed)) {
        if (already == 0) walk.adopted = walk.visited;
        tile = first + already;
        return true;
      }
    }
  }
  return false;
}

}  // namespace clothc::cpu
