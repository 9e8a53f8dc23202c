// ranges.cpp - implements the allocator of ranges.h. The holes stay sorted, and adjacent holes are always merged.
#include "core/base/ranges.h"

#include <algorithm>
#include <cstddef>

namespace clothc {

uint32_t RangeAllocator::largest_hole() const {
  uint32_t largest = 0;
  for (const Hole& hole : holes_) largest = std::max(largest, hole.count);
  return largest;
}

uint32_t RangeAllocator::allocate(uint32_t count) {
  const auto hole = std::find_if(holes_.begin(), holes_.end(), [&](const Hole& h) { return h.count >= count; });
  if (hole == holes_.end() || count == 0) return none;
  const size_t index = static_cast<size_t>(hole - holes_.begin());
  // n allocated ranges leave at most n + 1 holes. Reserving memory for them here means that release never allocates.
  if (holes_.capacity() < allocated_ + 3) holes_.reserve(2 * (size_t{allocated_} + 3));
  ++allocated_;
  const uint32_t first = holes_[index].first;
  if (holes_[index].count == count) {
    holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(index));
  } else {
    holes_[index].first += count;
    holes_[index].count -= count;
  }
  return first;
}

bool RangeAllocator::take(uint32_t first, uint32_t count) {
  const uint64_t end = uint64_t{first} + count;
  const auto hole = std::find_if(holes_.begin(), holes_.end(),
                                 [&](const Hole& h) { return h.first <= first && end <= uint64_t{h.first} + h.count; });
  if (hole == holes_.end() || count == 0) return false;
  const Hole before{hole->first, first - hole->first};
  const Hole after{first + count, hole->first + hole->count - first - count};
  const size_t index = static_cast<size_t>(hole - holes_.begin());
  holes_.reserve(2 * (size_t{allocated_} + 3));
  ++allocated_;
  const auto position = holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(index));
  const Hole rest[2] = {before, after};
  const size_t skip = before.count == 0 ? 1 : 0;
  holes_.insert(position, rest + skip, rest + (after.count == 0 ? 1 : 2));
  return true;
}

void RangeAllocator::release(uint32_t first, uint32_t count) {
  --allocated_;
  auto next =
      std::lower_bound(holes_.begin(), holes_.end(), first, [](const Hole& h, uint32_t f) { return h.first < f; });
  const bool joins_next = next != holes_.end() && first + count == next->first;
  const bool joins_previous = next != holes_.begin() && (next - 1)->first + (next - 1)->count == first;
  if (joins_previous && joins_next) {
    (next - 1)->count += count + next->count;
    holes_.erase(next);
  } else if (joins_previous) {
    (next - 1)->count += count;
  } else if (joins_next) {
    next->first = first;
    next->count += count;
  } else {
    holes_.insert(next, {first, count});
  }
}

void RangeAllocator::grow(uint32_t capacity) {
  const uint32_t first = capacity_;
  const uint32_t count = capacity - capacity_;
  if (!holes_.empty() && holes_.back().first + holes_.back().count == first) {
    holes_.back().count += count;
  } else {
    holes_.push_back({first, count});
  }
  capacity_ = capacity;
}

}  // namespace clothc
