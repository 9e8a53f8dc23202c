// entry.cuh - what the entries have in common: the dialect with all kernels, and how an entry reads its jobs.
#pragma once

namespace clothc::cuda {

using uint = unsigned int;
#include "kernels/types.h"

#include "kernels/dialect/cuda.h"
#include "kernels/kernels.h"

#include "backend_gpu/table_operations.kernel.h"

enum class Kernel : uint {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) name,
#include "kernels/kernels.def"
// Kernels of tests, which are numbered behind those of the library.
#ifdef CLOTHC_FURTHER_KERNELS
#include CLOTHC_FURTHER_KERNELS
#endif
#undef CLOTHC_KERNEL
};

#define CLOTHC_ADDRESS(type) type*
#include "backend_cuda/launch.h"
#undef CLOTHC_ADDRESS

// Four words of a schedule.
static __device__ __forceinline__ uint4 words_at(const KernelLaunch& launch, uint index) {
  return reinterpret_cast<const uint4*>(launch.words)[index];
}

// See schedule_words.h.
static __device__ __forceinline__ Job job_at(const KernelLaunch& launch, uint index) {
  const uint4 words = words_at(launch, index);
  return {words.x >> 24, words.x & 0xffffffu, words.y, words.z, words.w};
}

static __device__ __forceinline__ Lane lane_of(const KernelLaunch& launch, const Job& job) {
  return {launch.arenas.particles, launch.arenas.topology, launch.arenas.tables, launch.arenas.records, launch.frame, job};
}

}  // namespace clothc::cuda
