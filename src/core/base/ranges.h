// ranges.h - first-fit allocation of ranges in an array of elements, by the host, without touching the elements.
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
  // First element of the first hole that fits, or none. May throw std::bad_alloc before anything has changed.
  uint32_t allocate(uint32_t count);
  // Allocates exactly this range; false if a part of it is in use or there is none such.
  bool take(uint32_t first, uint32_t count);
  // Gives back an allocated range; never throws, since allocate made room for it.
  void release(uint32_t first, uint32_t count);
  // Adds elements at the end.
  void grow(uint32_t capacity);

 private:
  struct Hole {
    uint32_t first;
    uint32_t count;
  };
  uint32_t capacity_;
  uint32_t allocated_ = 0;   // ranges, for the room that release needs
  std::vector<Hole> holes_;  // by first element; no two touch
};

}  // namespace clothc
