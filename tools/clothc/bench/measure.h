// Measures one benchmark case: repetitions of timed frames, each with the yardstick E right beside it.
#pragma once

#include <optional>
#include <string>

#include "cli/api.h"
#include "bench/case.h"
#include "bench/yardstick.h"

namespace clothc_tool {

constexpr uint32_t kMinimumBenchFrames = 8;  // of a repetition; the first ones fill the queue and are not timed

struct BenchSettings {
  clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO;
  uint32_t repetitions = 9;
  uint32_t frames = 0;  // per repetition; 0 = the case's own
};

// What the last measured update asked of a GPU; in a steady state, what every update does.
struct GpuCounters {
  uint64_t submissions = 0, dispatches = 0, uploaded_bytes = 0;
  uint64_t allocations = 0;  // blocks of device memory, over all measured updates together
};

// Medians over the repetitions.
struct BenchResult {
  std::string name;
  uint64_t cloths = 0, particles = 0, constraints = 0;
  uint32_t iterations = 0;                                      // per frame, of the cloth that has most
  uint64_t particle_iterations = 0, constraint_iterations = 0;  // per frame, of all cloths
  uint32_t repetitions = 0;
  uint32_t frames = 0;      // timed, per repetition
  uint32_t hash_frame = 0;  // frames run when the hash was taken
  uint64_t hash = 0;
  double ms_per_frame = 0;
  double ms_per_frame_low = 0, ms_per_frame_high = 0;  // quartiles
  double cpu_ms_per_frame = 0;                         // processor time of all threads
  double max_stretch = 0;         // largest length / rest length of the stretch constraints, less 1
  std::optional<double> edge_ns;  // E
  std::optional<double> particle_iteration_in_e, constraint_in_e;  // medians of each repetition's ratio
  std::optional<GpuCounters> gpu;                                  // none on the processor

  double ns_per_particle_iteration() const { return ms_per_frame * 1e6 / static_cast<double>(particle_iterations); }
  double ns_per_constraint() const { return ms_per_frame * 1e6 / static_cast<double>(constraint_iterations); }
};

BenchResult measure_case(clothc_device device, const BenchCase& bench_case, const BenchSettings& settings,
                         EdgeYardstick& yardstick);

}  // namespace clothc_tool
