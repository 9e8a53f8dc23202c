// ranges_test.cpp - compares RangeAllocator with a bitmap under random calls. It replaces the program's operator new,
// so that a test can make memory run out.
#include "core/base/ranges.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>
#include <random>
#include <vector>

#include "support/sanitized.h"

namespace {
thread_local bool is_out_of_memory = false;
}  // namespace

// The run time of clang's sanitizers has an operator new that cannot be replaced.
#if !defined(__clang__) || !(defined(CLOTHC_ADDRESS_SANITIZER) || defined(CLOTHC_THREAD_SANITIZER))
#if defined(__GNUC__) && !defined(__clang__)
// g++ warns that memory of operator new is freed by free, because it does not see that both operators are replaced.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"
#endif
void* operator new(std::size_t size) {
  void* memory = is_out_of_memory ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
constexpr bool can_run_out_of_memory = true;
#else
constexpr bool can_run_out_of_memory = false;
#endif

namespace clothc::ranges_test {
namespace {

// Makes this thread's allocations fail during its lifetime.
class OutOfMemory {
 public:
  OutOfMemory() { is_out_of_memory = true; }
  ~OutOfMemory() { is_out_of_memory = false; }
  OutOfMemory(const OutOfMemory&) = delete;
  OutOfMemory& operator=(const OutOfMemory&) = delete;
};

struct Allocated {
  uint32_t first;
  uint32_t count;
};

// The expected behaviour of RangeAllocator, one element at a time.
class Bitmap {
 public:
  explicit Bitmap(uint32_t capacity) : used_(capacity) {}
  void grow(uint32_t capacity) { used_.resize(capacity); }
  bool is_free(uint64_t first, uint64_t count) const {
    if (first + count > used_.size()) return false;
    for (uint64_t k = first; k < first + count; ++k) {
      if (used_[k]) return false;
    }
    return true;
  }
  void mark(uint32_t first, uint32_t count, bool used) {
    for (uint32_t k = first; k < first + count; ++k) used_[k] = used;
  }
  uint32_t largest_hole() const {
    uint32_t largest = 0;
    uint32_t free = 0;
    for (const bool used : used_) {
      free = used ? 0 : free + 1;
      largest = std::max(largest, free);
    }
    return largest;
  }
  // Returns the first element of the first hole of at least `count` elements.
  uint32_t first_fit(uint32_t count) const {
    uint32_t free = 0;
    for (uint32_t k = 0; k < used_.size(); ++k) {
      free = used_[k] ? 0 : free + 1;
      if (free == count) return k + 1 - count;
    }
    return RangeAllocator::none;
  }

 private:
  std::vector<bool> used_;
};

void release_without_memory(RangeAllocator& ranges, const Allocated& range) {
  const OutOfMemory out_of_memory;
  ranges.release(range.first, range.count);
}

TEST(Ranges, random_calls_do_what_a_bitmap_does) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    uint32_t capacity = random() % 200;
    const uint32_t longest = 1 + random() % 30;
    RangeAllocator ranges(capacity);
    Bitmap bitmap(capacity);
    std::vector<Allocated> allocated;
    for (int step = 0; step < 300; ++step) {
      const uint32_t call = random() % 100;
      const uint32_t count = 1 + random() % longest;
      if (call < 45) {
        const uint32_t first = ranges.allocate(count);
        ASSERT_EQ(first, bitmap.first_fit(count));
        if (first == RangeAllocator::none) continue;
        bitmap.mark(first, count, true);
        allocated.push_back({first, count});
      } else if (call < 60) {
        const uint32_t first = random() % (capacity + 10);
        const bool is_free = bitmap.is_free(first, count);
        ASSERT_EQ(ranges.take(first, count), is_free) << first << " + " << count;
        if (!is_free) continue;
        bitmap.mark(first, count, true);
        allocated.push_back({first, count});
      } else if (call < 97 && !allocated.empty()) {
        const size_t k = random() % allocated.size();
        release_without_memory(ranges, allocated[k]);
        bitmap.mark(allocated[k].first, allocated[k].count, false);
        allocated[k] = allocated.back();
        allocated.pop_back();
      } else if (call >= 97) {
        capacity += random() % 50;
        ranges.grow(capacity);
        bitmap.grow(capacity);
      }
      ASSERT_EQ(ranges.largest_hole(), bitmap.largest_hole());
      ASSERT_EQ(ranges.capacity(), capacity);
    }
    for (const Allocated& range : allocated) release_without_memory(ranges, range);
    EXPECT_EQ(ranges.largest_hole(), capacity) << "all holes have joined";
  }
}

TEST(Ranges, releasing_every_other_range_first_needs_no_memory) {
  constexpr uint32_t count = 5000;
  RangeAllocator ranges(count);
  for (uint32_t k = 0; k < count; ++k) ASSERT_EQ(ranges.allocate(1), k);
  EXPECT_EQ(ranges.allocate(1), RangeAllocator::none);
  for (uint32_t k = 0; k < count; k += 2) release_without_memory(ranges, {k, 1});
  EXPECT_EQ(ranges.largest_hole(), 1u);
  for (uint32_t k = 1; k < count; k += 2) release_without_memory(ranges, {k, 1});
  EXPECT_EQ(ranges.largest_hole(), count);
}

TEST(Ranges, releasing_taken_ranges_needs_no_memory) {
  constexpr uint32_t count = 1000;
  RangeAllocator ranges(3 * count);
  for (uint32_t k = 0; k < count; ++k) ASSERT_TRUE(ranges.take(3 * ((k * 7) % count) + 1, 1));
  EXPECT_EQ(ranges.largest_hole(), 2u);
  for (uint32_t k = 0; k < count; ++k) release_without_memory(ranges, {3 * k + 1, 1});
  EXPECT_EQ(ranges.largest_hole(), 3 * count);
}

TEST(Ranges, a_take_that_fails_for_want_of_memory_changes_nothing) {
  if (!can_run_out_of_memory) GTEST_SKIP() << "clang's sanitizers bring an operator new that cannot be replaced";
  RangeAllocator ranges(100);
  ASSERT_EQ(ranges.allocate(10), 0u);
  bool failed = false;
  for (uint32_t first = 20; first + 2 <= 100 && !failed; first += 2) {
    try {
      const OutOfMemory out_of_memory;
      ranges.take(first, 1);
    } catch (const std::bad_alloc&) {
      failed = true;
      EXPECT_TRUE(ranges.take(first, 1)) << "the range is still free, and there is memory again";
    }
  }
  EXPECT_TRUE(failed) << "no call needed memory";
  EXPECT_EQ(ranges.allocate(10), 10u);
}

TEST(Ranges, nothing_is_allocated_from_an_empty_array_or_for_nothing) {
  RangeAllocator ranges(0);
  EXPECT_EQ(ranges.allocate(1), RangeAllocator::none);
  EXPECT_FALSE(ranges.take(0, 1));
  EXPECT_EQ(ranges.largest_hole(), 0u);
  ranges.grow(4);
  EXPECT_EQ(ranges.allocate(0), RangeAllocator::none);
  EXPECT_FALSE(ranges.take(0, 0));
  EXPECT_EQ(ranges.allocate(4), 0u);
}

TEST(Ranges, ends_beyond_32_bits_are_not_taken_for_small_ones) {
  RangeAllocator ranges(0xffffffffu);
  EXPECT_FALSE(ranges.take(0xfffffff0u, 0x20u));
  EXPECT_FALSE(ranges.take(0xffffffffu, 1));
  EXPECT_TRUE(ranges.take(0xfffffff0u, 0xfu));
  EXPECT_EQ(ranges.allocate(0xfffffff0u), 0u);
  EXPECT_EQ(ranges.largest_hole(), 0u);
}

}  // namespace
}  // namespace clothc::ranges_test
