// allocations.h - the program's own allocations and those through a device's callbacks, both counted and made to fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include "support/scene.h"

namespace clothc_test {

// Of operator new.
extern thread_local int64_t allowed_allocations;  // until one fails, and those after it; negative = no limit
extern thread_local bool fails_once;              // those after it succeed
extern std::atomic<uint64_t> allocation_count;
extern thread_local uint64_t refused_allocations;          // that failed on this thread
extern thread_local uint64_t quietly_refused_allocations;  // of these, those that throw nothing
extern thread_local uint64_t exception_count;  // thrown on this thread, for which the C++ runtime wants memory
extern std::atomic<int64_t> living_allocations;
// How often a call that allocates fails at least when memory runs out; 0 where operator new cannot be replaced.
extern const int fewest_failures;

// The application's allocator, which fails like operator new does.
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

// Something of everything.
inline void busy(Scene& s) {
  s.step(3);
  const clothc_collider_set_id set = s.sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
  EXPECT_OK(clothc_cloth_set_collider_sets(s.solver, s.cloth, &set, 1));
  s.set(CLOTHC_CHANNEL_ACCELERATION, s.cloth, std::vector<float>(120, 0.5f));
}

}  // namespace clothc_test
