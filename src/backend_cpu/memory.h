// memory.h - host memory, which comes from the application's allocator, from the C library's, or from the caller.
#pragma once

#include "core/backend/backend.h"

namespace clothc::cpu {

struct Allocator {
  // Both callbacks are null if the C library's allocator is used.
  clothc_allocate_callback allocate = nullptr;
  clothc_free_callback free = nullptr;

  void* user = nullptr;
};

// Allocates zeroed memory that is aligned to 64 bytes. Large arrays from the C library's allocator occupy no physical
// memory until they are written.
MemoryPointer allocate_memory(const Allocator& allocator, uint64_t size);

// Makes a Memory of the caller's bytes. The caller keeps the ownership.
MemoryPointer wrap_memory(void* memory, uint64_t size);

}  // namespace clothc::cpu
