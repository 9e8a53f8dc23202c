// kernel_table.h - the table of functions through which the CPU backend calls the kernels of one instruction set.
#pragma once

#include "kernels/layout.h"

// A build may leave out instruction sets (CLOTHC_ISAS of CMake).
#ifndef CLOTHC_HAS_SSE4_1
#define CLOTHC_HAS_SSE4_1 1
#endif
#ifndef CLOTHC_HAS_AVX2
#define CLOTHC_HAS_AVX2 1
#endif
#ifndef CLOTHC_HAS_AVX512
#define CLOTHC_HAS_AVX512 1
#endif
#ifndef CLOTHC_HAS_NEON
#define CLOTHC_HAS_NEON 1
#endif

namespace clothc::cpu {

// The data that every kernel of a run can access: the four arenas and the constants of the run.
struct KernelContext {
  float* particles = nullptr;
  const uint32_t* topology = nullptr;
  uint32_t* tables = nullptr;
  GroupRecord* records = nullptr;
  FrameConstants frame{};
};

using KernelFunction = void (*)(const KernelContext& context, const Job& job);

struct KernelTable {
  const char* name;
  int lane_count;
  // [Kernel::count]. Functions of scalar kernels (is_scalar) are null except in the table of the scalar instruction
  // set.
  const KernelFunction* functions;
};

extern const KernelTable scalar_kernels;
#if defined(CLOTHC_X86_64)
extern const KernelTable sse4_1_kernels;
extern const KernelTable avx2_kernels;
extern const KernelTable avx512_kernels;
#elif defined(CLOTHC_ARM64)
extern const KernelTable neon_kernels;
#endif

}  // namespace clothc::cpu
