// arena.h - an array of 4-byte words in device memory, from which ranges are allocated and which grows when it is full.
// Ranges begin at multiples of 16 words, which are the lines of a cache. Word 0 is never part of an allocated range and
// is always 0, so that an offset of 0 can stand for an absent array.
#pragma once

#include "core/backend/backend.h"
#include "core/base/ranges.h"

namespace clothc {

class WordArena {
 public:
  WordArena(Backend& backend, uint32_t capacity)
      : backend_(backend),
        ranges_(capacity),
        memory_(backend.allocate(uint64_t{capacity} * 4, MemoryVisibility::device_only)) {
    ranges_.allocate(padded(1));
  }

  const MemoryPointer& memory() const { return memory_; }
  // Allocates count words, or a line if count is 0, and returns the first one. If the arena has to grow, this adds a
  // copy of its contents to the commands. Fails with CAPACITY beyond 4 GiB.
  uint32_t allocate(CommandList& commands, uint32_t count);
  // Frees a range; count is as it was passed to allocate.
  void release(uint32_t first, uint32_t count) { ranges_.release(first, padded(count)); }

 private:
  // Rounds up to whole lines, at least one. Counts near 2^32, which no arena has, stay as they are.
  static uint32_t padded(uint32_t count) {
    if (count == 0) return 16;
    return count > UINT32_MAX - 15 ? count : (count + 15) / 16 * 16;
  }

  Backend& backend_;
  RangeAllocator ranges_;
  MemoryPointer memory_;
};

}  // namespace clothc
