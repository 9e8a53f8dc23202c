// shares.h - shares the tiles of a pass out: every worker has a share of its own, the same part of each pass, so that what
// it works on stays in its cache, and goes on with the shares of others once it is done. Wherever a worker begins, all
// tiles are taken once.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace clothc::cpu {

class Shares {
 public:
  static constexpr unsigned tile_bits = 18;
  static constexpr uint32_t most_tiles = (1u << tile_bits) - 1;

  // A pass's number, and behind it how many tiles it has; none: no run goes on.
  using Pass = uint64_t;
  static uint32_t tiles_of(Pass pass) { return static_cast<uint32_t>(pass & most_tiles); }

  explicit Shares(uint32_t worker_count) : shares_(worker_count) {}

  // Lets workers take the tiles of a new pass, when those of the pass before are done.
  void publish(uint32_t tiles) {
    const Pass number = (pass_.load(std::memory_order_relaxed) >> tile_bits) + 1;
    pass_.store(number << tile_bits | tiles, std::memory_order_release);
  }
  Pass pass() const { return pass_.load(std::memory_order_acquire); }

  // Where a worker that comes begins: a share that nobody has, if there is one.
  uint32_t join();
  void leave(uint32_t share) { shares_[share].is_owned.store(false, std::memory_order_relaxed); }

  // The way of a worker through the shares in one pass.
  struct Walk {
    uint32_t own = 0;
    uint32_t visited = 0;  // shares that have no tile left
    Pass pass = 0;
  };
  // Takes a tile; false if the pass has none left. A pass cannot end before each of its tiles has been taken, so a tile
  // that is taken is one of the present pass, however old the walk's knowledge is.
  bool take(Walk& walk, uint32_t& tile);

 private:
  // The number of the last pass in which the share had a tile taken, and behind it how many. A line of its own.
  struct alignas(64) Share {
    std::atomic<uint64_t> taken{0};
    std::atomic<bool> is_owned{false};
  };

  uint32_t first_of(uint32_t share, uint32_t tiles) const {
    return static_cast<uint32_t>(uint64_t{tiles} * share / shares_.size());
  }

  alignas(64) std::atomic<Pass> pass_{0};
  alignas(64) std::vector<Share> shares_;
};

inline uint32_t Shares::join() {
  for (uint32_t share = 0; share < shares_.size(); ++share) {
    if (!shares_[share].is_owned.exchange(true, std::memory_order_relaxed)) return share;
  }
  return 0;
}

inline bool Shares::take(Walk& walk, uint32_t& tile) {
  const auto count = static_cast<uint32_t>(shares_.size());
  const uint64_t number = walk.pass >> tile_bits;
  for (; walk.visited < count; ++walk.visited) {
    const uint32_t share = (walk.own + walk.visited) % count;
    const uint32_t first = first_of(share, tiles_of(walk.pass));
    const uint32_t size = first_of(share + 1, tiles_of(walk.pass)) - first;
    std::atomic<uint64_t>& taken = shares_[share].taken;
    uint64_t seen = taken.load(std::memory_order_relaxed);
    while (true) {
      if (seen >> tile_bits > number) return false;  // a later pass
      const uint64_t already = seen >> tile_bits == number ? seen & most_tiles : 0;
      if (already == size) break;
      if (taken.compare_exchange_weak(seen, number << tile_bits | (already + 1), std::memory_order_relaxed)) {
        tile = first + static_cast<uint32_t>(already);
        return true;
      }
    }
  }
  return false;
}

}  // namespace clothc::cpu
