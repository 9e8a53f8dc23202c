// measure.h - measures one benchmark case in repetitions of timed frames, and the yardstick E right before and after
// each.
#pragma once

#include <clothc.hpp>
#include <optional>
#include <string>

#include "bench/case.h"
#include "bench/yardstick.h"

namespace clothc_tool {

// Smallest number of frames of a repetition. The first ones fill the queue of updates and are not timed.
constexpr uint32_t kMinimumBenchFrames = 8;

struct BenchSettings {
  clothc_schedule schedule = CLOTHC_SCHEDULE_AUTO;
  uint32_t repetitions = 9;

  // Frames per repetition; 0 = as many as the case specifies.
  uint32_t frames = 0;

  // Whether updates measure their times.
  bool timers = false;

  // Whether each frame is waited for before the next one begins, so that what is timed is how long one takes. Otherwise
  // the queue of updates is kept full.
  bool waits = false;
};

// Work of the last measured update on a GPU, which in a steady state is that of every update.
struct GpuCounters {
  uint64_t submissions = 0, dispatches = 0, uploaded_bytes = 0;

  // Blocks of device memory allocated during all measured updates together.
  uint64_t allocations = 0;
};

// The result of one case; times are medians over the repetitions.
struct BenchResult {
  std::string name;
  uint64_t cloths = 0, particles = 0, constraints = 0;

  // Per frame, of the cloth with the most iterations; 0 for a case that times calls.
  uint32_t iterations = 0;

  // Per frame, summed over all cloths; 0 for a case that times calls.
  uint64_t particle_iterations = 0, constraint_iterations = 0;

  uint32_t repetitions = 0;

  // Frames per repetition.
  uint32_t frames = 0;

  // Number of frames that had been run when the hash was taken.
  uint32_t hash_frame = 0;

  uint64_t hash = 0;

  double ms_per_frame = 0;

  // Quartiles.
  double ms_per_frame_low = 0, ms_per_frame_high = 0;

  // Processor time of all threads.
  double cpu_ms_per_frame = 0;

  // Microseconds until the call that starts a frame returns, the median over all frames, if each is waited for.
  std::optional<double> us_in_call;

  // Bytes that the solver and its cloths hold per particle once their fabrics are destroyed, and what destroying the
  // fabrics freed. None on GPUs, whose memory malloc does not count, and where the C library does not tell.
  std::optional<double> bytes_per_particle, fabric_bytes_per_particle;

  // Largest length / rest length - 1 of the stretch constraints.
  double max_stretch = 0;

  // The yardstick E.
  std::optional<double> edge_ns;

  // Ratios to E: each is the median over the ratios of the single repetitions.
  std::optional<double> particle_iteration_in_e, constraint_in_e;

  // None on the CPU.
  std::optional<GpuCounters> gpu;

  // Of the last update, if they were asked for.
  std::optional<clothc_timers> timers;

  // None for a case that times calls.
  std::optional<double> ns_per_particle_iteration() const { return ns_per(particle_iterations); }
  std::optional<double> ns_per_constraint() const { return ns_per(constraint_iterations); }

 private:
  std::optional<double> ns_per(uint64_t count) const {
    return count == 0 ? std::nullopt : std::optional<double>(ms_per_frame * 1e6 / static_cast<double>(count));
  }
};

BenchResult measure_case(const clothc::Device& device, const BenchCase& bench_case, const BenchSettings& settings,
                         EdgeYardstick& yardstick);

}  // namespace clothc_tool
