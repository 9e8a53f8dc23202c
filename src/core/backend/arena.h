// arena.h - an array of words on the device that ranges are allocated in and that grows when it is full. Word 0 belongs to
// nobody and is always 0.
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
    ranges_.allocate(1);
  }

  const MemoryPointer& memory() const { return memory_; }
  // First word of a range of count words (at least 1 is taken). Growing queues a copy on the stream.
  uint32_t allocate(Stream& stream, uint32_t count);
  void release(uint32_t first, uint32_t count) { ranges_.release(first, count == 0 ? 1 : count); }

 private:
  Backend& backend_;
  RangeAllocator ranges_;
  MemoryPointer memory_;
};

}  // namespace clothc
