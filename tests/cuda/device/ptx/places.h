// places.h - finds out where in the memory of the host the lanes of a warp access something, and checks each access:
// its bounds, its alignment, whether the memory may be written, and races.
#pragma once

#include <cstdint>

#include "cuda/device/ptx/races.h"
#include "cuda/device/ptx/warp.h"

namespace ptx {

// Only the active lanes have values.
struct Places {
  // Where in the memory of the host; numbers, which the compiler computes several at a time.
  alignas(64) uint64_t places[lane_count];
  unsigned char* of(uint32_t lane) const { return reinterpret_cast<unsigned char*>(places[lane]); }
  // The address in global memory, which is that of the host.
  uint64_t address(uint32_t lane) const { return places[lane]; }
  void set(uint32_t lane, unsigned char* place) { places[lane] = reinterpret_cast<uint64_t>(place); }
  // The lanes that access global memory, and those that access shared memory.
  uint32_t global_lanes = 0, shared_lanes = 0;
};

// Throws Fault.
void locate(const Instruction& instruction, Warp& warp, AccessKind kind, Places& places);

}  // namespace ptx
