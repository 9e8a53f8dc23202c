// arena.cpp - implements allocation from the arena, which doubles its memory when it is full.
#include "core/backend/arena.h"

#include <algorithm>

#include "core/base/result.h"

namespace clothc {

uint32_t WordArena::allocate(CommandList& commands, uint32_t count) {
  count = padded(count);
  uint32_t first = ranges_.allocate(count);
  if (first != RangeAllocator::none) return first;
  constexpr uint64_t most_words = uint64_t{1} << 30;
  const uint64_t capacity = std::max(uint64_t{ranges_.capacity()} * 2, uint64_t{ranges_.capacity()} + count);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, capacity <= most_words,
                    "the solver's fabrics or shapes need more than 4 GiB; spread the cloths over several solvers");
  MemoryPointer larger = backend_.allocate(capacity * 4, MemoryVisibility::device_only);
  Copy copy;
  copy.source = memory_;
  copy.target = larger;
  copy.element_size = memory_->size();
  commands.add(std::move(copy));
  ranges_.grow(static_cast<uint32_t>(capacity));
  memory_ = std::move(larger);
  // The copy must run even if the call that needed the range fails later, because the larger array is in use from now
  // on.
  commands.keep();
  return ranges_.allocate(count);
}

}  // namespace clothc
