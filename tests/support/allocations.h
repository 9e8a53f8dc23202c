// allocations.h - counts the program's own allocations and those made through a device's callbacks, and makes them fail
// on request.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "support/scene.h"

namespace clothc_test {

// ---- Counters and limits of operator new. ----

// Number of allocations that still succeed on this thread before one fails. Later ones fail too. Negative means no
// limit.
extern thread_local int64_t allowed_allocations;
// If set, only one allocation fails and those after it succeed.
extern thread_local bool fails_once;
extern std::atomic<uint64_t> allocation_count;

// Number of allocations that failed on this thread.
extern thread_local uint64_t refused_allocations;
// Number of those that returned null instead of throwing.
extern thread_local uint64_t quietly_refused_allocations;
// Number of exceptions thrown on this thread. The C++ runtime needs memory for each of them.
extern thread_local uint64_t exception_count;
extern std::atomic<int64_t> living_allocations;

// Smallest number of times that an allocating call must fail when memory runs out; 0 where operator new cannot be
// replaced.
extern const int fewest_failures;

// An application's allocator, which can be made to fail in the same way as operator new.
struct DeviceAllocator {
  std::atomic<int64_t> allowed{-1};
  bool fails_once = false;
  std::atomic<int64_t> living{0};
  std::atomic<uint64_t> count{0};
  static void* CLOTHC_CALL allocate(size_t size, size_t alignment, void* user) {
    auto* self = static_cast<DeviceAllocator*>(user);
    ++self->count;
    if (self->allowed == 0) {
      if (self->fails_once) self->allowed = -1;
      return nullptr;
    }
    if (self->allowed > 0) --self->allowed;
    ++self->living;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  static void CLOTHC_CALL free(void* pointer, void* user) {
    --static_cast<DeviceAllocator*>(user)->living;
    std::free(pointer);
  }
  void use_in(clothc_device_desc& desc) {
    desc.allocate = allocate;
    desc.free = free;
    desc.allocator_user = this;
  }
};

// Gives the scene a moving cloth, a collider and accelerations, so that every kind of state is in use.
inline void busy(Scene& s) {
  s.step(3);
  const clothc_collider_set_id set = s.sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
  EXPECT_OK(clothc_cloth_set_collider_sets(s.solver, s.cloth, &set, 1));
  s.set(CLOTHC_CHANNEL_ACCELERATION, s.cloth, std::vector<float>(120, 0.5f));
}

}  // namespace clothc_test
