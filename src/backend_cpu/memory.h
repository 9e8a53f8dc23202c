// memory.h - host memory, from the application's allocator or the C library's, and memory of the caller.
#pragma once

#include "core/backend/backend.h"

namespace clothc::cpu {

struct Allocator {
  clothc_allocate_callback allocate = nullptr;  // null: the C library's
  clothc_free_callback free = nullptr;
  void* user = nullptr;
};

// Zeroed and aligned to 64 bytes; large arrays of the C library's take up no memory before they are touched.
MemoryPointer allocate_memory(const Allocator& allocator, uint64_t size);
MemoryPointer wrap_memory(void* memory, uint64_t size);

}  // namespace clothc::cpu
