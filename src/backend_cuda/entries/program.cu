// program.cu - runs programs: each block runs the whole update of one group. A program is four words: the indices of its
// first jobs before, in and after the iterations, and the index where the jobs end. tools/make_ptx defines
// CLOTHC_FEATURE, the ProgramFeature of the entry, which holds the kernels of that feature and of those before it.
// The positions of the group's particles are in shared memory from the first job to the last one.
#define CLOTHC_SHARED_PARTICLES
// Reports of contacts run in passes.
#define REPORTS(variant) false
#include "backend_cuda/entries/entry.cuh"

namespace clothc::cuda {

// The numbers of ProgramFeature.
constexpr int feature_plain = 0, feature_extended = 1, feature_none = 2;

// Moves the positions of the group's particles, with the padding around them, to shared memory or back.
template <bool is_back>
static __device__ __forceinline__ void move_particles(const Lane& lane) {
  real4* position = lane.particles + lane.frame.position + lane.shared_first;
  real4* previous = lane.particles + lane.frame.previous + lane.shared_first;
  for (int k = int(threadIdx.x); k < lane.shared_count; k += int(blockDim.x)) {
    if (is_back) {
      position[k] = shared_particles[k];
      previous[k] = shared_particles[lane.shared_count + k];
    } else {
      shared_particles[k] = position[k];
      shared_particles[lane.shared_count + k] = previous[k];
    }
  }
}

}  // namespace clothc::cuda

#define ON_one_per_group(name) \
  if (threadIdx.x == 0u) name(lane, int(lane.job.begin));
#define ON_lanes(name) \
  for (uint item = lane.job.begin + threadIdx.x; item < lane.job.end; item += blockDim.x) name(lane, int(item));
#define ON_variants(name) ON_lanes(name)
#define ON_constraints(name) \
  load_constraint(lane);     \
  ON_lanes(name)
#define ON_constraints_wide(name) ON_constraints(name)
#define ON_scalar(name) ON_lanes(name)
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes)                              \
  case Kernel::name:                                                                                           \
    if constexpr (feature_##program != feature_none && feature_##program <= CLOTHC_JOIN(CLOTHC_FEATURE)) { \
      ON_##class_of_items(name)                                                                                \
    }                                                                                                          \
    break;
#define CLOTHC_JOIN_EXPANDED(feature) feature_##feature
#define CLOTHC_JOIN(feature) CLOTHC_JOIN_EXPANDED(feature)
#define CLOTHC_ENTRY_EXPANDED(feature) clothc_program_##feature
#define CLOTHC_ENTRY(feature) CLOTHC_ENTRY_EXPANDED(feature)

// The jobs of a program are numbered consecutively through all iterations. There is only one loop, so that each kernel
// is in the code once. With at most 512 threads in a block, each may have 128 registers; recording.cpp chooses the number.
extern "C" __global__ void __launch_bounds__(512, 1) CLOTHC_ENTRY(CLOTHC_FEATURE)(const clothc::cuda::KernelLaunch launch) {
  using namespace clothc::cuda;
  const uint4 program = words_at(launch, launch.first_job + blockIdx.x);
  const uint before = program.y - program.x;
  const uint iteration = program.z - program.y;
  Lane lane = lane_of(launch, job_at(launch, program.x));
  const uint record = lane.job.record;
  lane.shared_first = int(lane.records[record].settings.first_particle) - int(program_padding);
  lane.shared_count = int(lane.records[record].settings.padded_count) + int(program_padding);
  move_particles<false>(lane);
  __syncthreads();
  // Number of jobs in all iterations together.
  uint repeated = 0u;
  for (uint number = 0u;; ++number) {
    // The number of iterations is known once the jobs before them have run.
    if (number == before) repeated = CLOTHC_REPETITIONS(lane.records[record]) * iteration;
    uint index = program.x + number;
    if (before <= number) {
      const uint behind = number - before;
      index = behind < repeated ? program.y + behind % iteration : program.z + (behind - repeated);
      if (program.w <= index) break;
    }
    lane.job = job_at(launch, index);
    switch (Kernel(lane.job.kernel)) {
#include "kernels/kernels.def"
    }
    // Makes what this job has written visible to the next job.
    __syncthreads();
  }
  move_particles<true>(lane);
}
