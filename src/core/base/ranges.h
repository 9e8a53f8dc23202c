// ranges.h - first-fit allocation of ranges of elements in an array. The allocator runs on the host and never accesses
// the elements, which may be in device memory.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc {

class RangeAllocator {
 public:
  static constexpr uint32_t none = 0xffffffffu;

  explicit RangeAllocator(uint32_t capacity) : capacity_(capacity) {
    if (capacity > 0) holes_.push_back({0, capacity});
  }

  uint32_t capacity() const { return capacity_; }
  uint32_t largest_hole() const;
  // Returns the first element of the first hole that is large enough, or none if there is no such hole or count is 0.
  // May throw std::bad_alloc, in which case nothing has changed.
  uint32_t allocate(uint32_t count);
  // Allocates exactly this range. Returns false if part of it is in use or beyond the capacity, or if count is 0.
  bool take(uint32_t first, uint32_t count);
  // Frees an allocated range. Never throws, because allocate reserved the memory that this needs.
  void release(uint32_t first, uint32_t count);
  // Raises the capacity by adding free elements at the end.
  void grow(uint32_t capacity);

 private:
  struct Hole {
    uint32_t first;
    uint32_t count;
  };
  uint32_t capacity_;

  // Number of allocated ranges, from which the memory that release needs is reserved.
  uint32_t allocated_ = 0;

  // Sorted by first element. No two holes are adjacent.
  std::vector<Hole> holes_;
};

}  // namespace clothc
