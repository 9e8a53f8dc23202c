// allocations.cpp - replaces operator new for the program of the API tests. A thread can make its own allocations fail;
// allocations are counted on all threads.
#include "support/allocations.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "support/sanitized.h"

namespace clothc_test {

thread_local int64_t allowed_allocations = -1;
thread_local bool fails_once = false;
std::atomic<uint64_t> allocation_count{0};
thread_local uint64_t refused_allocations = 0;
thread_local uint64_t quietly_refused_allocations = 0;
thread_local uint64_t exception_count = 0;
std::atomic<int64_t> living_allocations{0};

}  // namespace clothc_test

using namespace clothc_test;

namespace {

// Address range of Mesa's software driver in memory. It is empty if the driver is not loaded.
struct Range {
  uintptr_t begin = 0, end = 0;
};

int find_driver(dl_phdr_info* library, size_t, void* found) {
  if (std::strstr(library->dlpi_name, "libvulkan_lvp") == nullptr) return 0;
  Range& range = *static_cast<Range*>(found);
  range.begin = library->dlpi_addr;
  for (int i = 0; i < library->dlpi_phnum; ++i) {
    range.end = std::max(range.end, range.begin + library->dlpi_phdr[i].p_vaddr + library->dlpi_phdr[i].p_memsz);
  }
  return 1;
}

// Returns whether the driver made the allocation. Nothing is promised about a driver's memory: when operator new fails
// inside its shader compiler, the lock of its type table stays taken and the next pipeline waits for ever.
bool is_for_driver() {
  Range driver;
  if (dl_iterate_phdr(find_driver, &driver) == 0) return false;
  void* callers[64];
  const int count = backtrace(callers, 64);
  return std::any_of(callers, callers + count, [&](void* caller) {
    const auto address = reinterpret_cast<uintptr_t>(caller);
    return driver.begin <= address && address < driver.end;
  });
}

// Counts one allocation against this thread's limit and returns whether the allocation must fail.
bool fails() {
  if (allowed_allocations < 0) return false;
  // The limit is lifted here because inspecting the call stack may allocate.
  const int64_t allowed = std::exchange(allowed_allocations, -1);
  const bool counts = !is_for_driver();
  allowed_allocations = counts && allowed > 0 ? allowed - 1 : allowed;
  const bool refused = counts && allowed == 0;
  refused_allocations += refused ? 1 : 0;
  if (refused && fails_once) allowed_allocations = -1;
  return refused;
}

void* allocate(size_t size, size_t alignment) {
  allocation_count.fetch_add(1, std::memory_order_relaxed);
  if (fails()) return nullptr;
  living_allocations.fetch_add(1, std::memory_order_relaxed);
  const size_t padded = (size + alignment - 1) / alignment * alignment;
  return alignment <= alignof(std::max_align_t) ? std::malloc(size == 0 ? 1 : size)
                                                : std::aligned_alloc(alignment, padded);
}

[[maybe_unused]] void* allocate_or_throw(size_t size, size_t alignment) {
  void* pointer = allocate(size, alignment);
  if (pointer == nullptr) throw std::bad_alloc();
  return pointer;
}

[[maybe_unused]] void* allocate_quietly(size_t size) {
  void* pointer = allocate(size, alignof(std::max_align_t));
  quietly_refused_allocations += pointer == nullptr ? 1 : 0;
  return pointer;
}

[[maybe_unused]] void release(void* pointer) noexcept {
  if (pointer != nullptr) living_allocations.fetch_sub(1, std::memory_order_relaxed);
  std::free(pointer);
}

[[maybe_unused]] constexpr size_t usual = alignof(std::max_align_t);

}  // namespace

// Clang's thread sanitizer brings an operator new that cannot be replaced.
#if defined(__clang__) && defined(CLOTHC_THREAD_SANITIZER)
const int clothc_test::fewest_failures = 0;
#else
const int clothc_test::fewest_failures = 1;
void* operator new(size_t size) { return allocate_or_throw(size, usual); }
void* operator new[](size_t size) { return allocate_or_throw(size, usual); }
void* operator new(size_t size, std::align_val_t a) { return allocate_or_throw(size, static_cast<size_t>(a)); }
void* operator new[](size_t size, std::align_val_t a) { return allocate_or_throw(size, static_cast<size_t>(a)); }
void* operator new(size_t size, const std::nothrow_t&) noexcept { return allocate_quietly(size); }
void* operator new[](size_t size, const std::nothrow_t&) noexcept { return allocate_quietly(size); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
#endif

// Replaces the C++ runtime's function of this name, which every throw in the library calls first.
extern "C" void* __cxa_allocate_exception(size_t size) noexcept {
  using Allocate = void* (*)(size_t);
  static const auto allocate_exception = reinterpret_cast<Allocate>(dlsym(RTLD_NEXT, "__cxa_allocate_exception"));
  ++exception_count;
  return allocate_exception(size);
}

// Makes the sanitizers return null for impossible sizes instead of aborting.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1"; }
extern "C" const char* __tsan_default_options() { return "allocator_may_return_null=1"; }
