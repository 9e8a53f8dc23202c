// block_pool.h - allocates ranges of few large blocks of device memory, because a driver's own allocations are slow and
// limited in number. Each new block is larger than all earlier ones of its kind together, up to 256 MiB.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/ranges.h"

namespace clothc::gpu {

// Block: owns memory, with the function size(). The pool is not synchronised.
template <class Block>
class BlockPool {
 public:
  // Alignment of ranges in bytes, which is at least the largest alignment that bindings, views and kernels may require.
  static constexpr uint64_t alignment = 256;
  static uint64_t aligned(uint64_t size) { return units_of(size) * alignment; }

  struct Range {
    std::shared_ptr<Block> block;
    uint64_t offset = 0;
  };

  // Allocates size bytes. Kinds of blocks are kept apart. make(size) returns a new block of at least that size, as a
  // std::shared_ptr.
  template <class Make>
  Range allocate(uint64_t size, bool kind, Make make) {
    // The allocator of ranges cannot number the units of a block this large, so this block is not shared.
    if (units_of(size) >= RangeAllocator::none) return {make(aligned(size)), 0};
    uint64_t total = smallest_block;
    for (const std::unique_ptr<Shared>& shared : shared_) {
      if (shared->kind != kind) continue;
      const uint32_t first = shared->ranges.allocate(static_cast<uint32_t>(units_of(size)));
      if (first != RangeAllocator::none) {
        ++shared->used;
        return {shared->block, first * alignment};
      }
      total += shared->block->size();
    }
    shared_.reserve(shared_.size() + 1);
    std::shared_ptr<Block> block = make(std::max(aligned(size), std::min(total, largest_block)));
    const auto units = static_cast<uint32_t>(block->size() / alignment);
    auto fresh = std::make_unique<Shared>(Shared{std::move(block), RangeAllocator(units), kind, 1});
    fresh->ranges.allocate(static_cast<uint32_t>(units_of(size)));
    shared_.push_back(std::move(fresh));
    return {shared_.back()->block, 0};
  }

  // Frees a range; size is as it was passed to allocate. Does nothing if the block is not of this pool.
  void release(const Range& range, uint64_t size) {
    const auto found =
        std::find_if(shared_.begin(), shared_.end(), [&](const auto& shared) { return shared->block == range.block; });
    if (found == shared_.end()) return;
    Shared& shared = **found;
    shared.ranges.release(static_cast<uint32_t>(range.offset / alignment), static_cast<uint32_t>(units_of(size)));
    --shared.used;
    const auto is_alike = [&](const auto& other) { return other->kind == shared.kind; };
    // The last block of a kind stays, so that a program which frees memory and allocates it again causes no allocation
    // of the driver.
    if (shared.used == 0 && std::count_if(shared_.begin(), shared_.end(), is_alike) > 1) shared_.erase(found);
  }

 private:
  static constexpr uint64_t smallest_block = uint64_t{4} << 20;
  static constexpr uint64_t largest_block = uint64_t{256} << 20;
  static uint64_t units_of(uint64_t size) { return (std::max<uint64_t>(size, 1) + alignment - 1) / alignment; }

  struct Shared {
    std::shared_ptr<Block> block;
    // Allocates ranges in units of alignment bytes.
    RangeAllocator ranges;
    bool kind;
    // Number of ranges in use.
    uint32_t used = 0;
  };
  std::vector<std::unique_ptr<Shared>> shared_;
};

}  // namespace clothc::gpu
