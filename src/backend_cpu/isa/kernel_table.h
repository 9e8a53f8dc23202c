// kernel_table.h - how the CPU backend reaches the kernels of one instruction set: a table of functions.
#pragma once

#include "kernels/layout.h"

namespace clothc::cpu {

// Where a kernel finds its data.
struct KernelContext {
  float* particles = nullptr;
  const uint32_t* fabric = nullptr;
  uint32_t* tables = nullptr;
  ClothRecord* cloths = nullptr;
  FrameConstants frame{};
};

using KernelFunction = void (*)(const KernelContext& context, const Job& job);

struct KernelTable {
  const char* name;
  int lane_count;
  const KernelFunction* functions;  // [Kernel::count]; null for kernels of the cloth domain, but in scalar
};

extern const KernelTable scalar_kernels;
#if defined(__x86_64__) || defined(_M_X64)
extern const KernelTable sse4_1_kernels;
extern const KernelTable avx2_kernels;
extern const KernelTable avx512_kernels;
#elif defined(__aarch64__)
extern const KernelTable neon_kernels;
#endif

}  // namespace clothc::cpu
