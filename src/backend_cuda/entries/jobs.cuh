// jobs.cuh - the entries of kernels, which run a range of jobs. For kernels of class one_per_group, each thread runs one
// job. For other kernels, each row of blocks runs one job and each thread one item of it. Jobs of the repeated range are
// skipped where the predicate of their group is 0. An entry may run jobs of another kernel too (riders.def).
#pragma once

#include "backend_cuda/entries/entry.cuh"

namespace clothc::cuda {

constexpr bool scope_group = true, scope_solver = false;
constexpr bool class_lanes = false, class_variants = false, class_constraints = false, class_constraints_wide = false,
               class_scalar = false, class_one_per_group = true;

template <bool is_one_per_group, bool is_of_group, class KernelOfLane>
static __device__ __forceinline__ void run_jobs(const KernelLaunch& launch, KernelOfLane run) {
  const uint x = blockIdx.x * blockDim.x + threadIdx.x;
  if (is_one_per_group) {
    if (launch.job_count <= x) return;
    const Job job = job_at(launch, launch.first_job + x);
    run(lane_of(launch, job), int(job.begin));
  } else {
    const Job job = job_at(launch, launch.first_job + blockIdx.y);
    if (is_of_group && launch.repeated != 0u && CLOTHC_PREDICATE(launch.arenas.records[job.record]) == 0u) return;
    const uint item = job.begin + x;
    if (item < job.end) {
      Lane lane = lane_of(launch, job);
      load_constraint(lane);
      run(lane, int(item));
    }
  }
}

// Runs an item of the kernel's rider (riders.def), if the job is one of it. Returns whether it is.
template <Kernel kernel>
static __device__ __forceinline__ bool run_rider(const Lane& lane, int item) {
#define CLOTHC_RIDER(rider, with)                                                             \
  if constexpr (kernel == Kernel::with) {                                                     \
    if (Kernel(lane.job.kernel) == Kernel::rider) {                                           \
      rider(lane, item);                                                                      \
      return true;                                                                            \
    }                                                                                         \
  }
#include "kernels/riders.def"
#undef CLOTHC_RIDER
  return false;
}

}  // namespace clothc::cuda

// Four blocks of 128 threads on a multiprocessor leave 128 registers for each thread, with which no kernel spills any.
#define CLOTHC_KERNEL_ENTRY(name, scope, class_of_items)                                                           \
  extern "C" __global__ void __launch_bounds__(128, 4) clothc_##name(const clothc::cuda::KernelLaunch launch) {       \
    using namespace clothc::cuda;                                                                                  \
    run_jobs<class_##class_of_items, scope_##scope>(launch, [](const Lane& lane, int item) {                       \
      if (!run_rider<Kernel::name>(lane, item)) name(lane, item);                                                  \
    });                                                                                                            \
  }
