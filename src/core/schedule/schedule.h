// schedule.h - merges the jobs of all cloths into the schedule that a stream runs: one program for each small cloth,
// and passes for the large cloths.
#pragma once

#include "core/cloth/cloth.h"

namespace clothc {

// The properties of a backend's workers that decide how jobs are divided.
struct Workers {
  // Number of workers that run at the same time, and number of lanes of each.
  uint32_t count = 1;
  uint32_t lanes = 1;
  // Upper bound on loop iterations that a worker may run in one job of a program.
  uint32_t max_loops_per_job = UINT32_MAX;
  // Kernels that programs may use.
  KernelSet program_kernels = KernelSet().set();
  // Least number of items of a tile, which is a part of a job in a pass.
  uint32_t smallest_tile = items_per_tile;
};

// Whether a cloth runs in passes, which spread over all workers, rather than as a program. Its jobs must be up to date.
// The choice never changes results.
bool runs_in_passes(const Cloth& cloth, clothc_schedule wanted, uint64_t all_particles, const Workers& workers);

// Builds the schedule of an update. The cloths are in the order of their insertion, and their jobs are up to date.
std::shared_ptr<const Schedule> build_schedule(const std::vector<Cloth*>& cloths, clothc_schedule wanted,
                                               const Workers& workers);

// Builds the schedule that cloths which collide with others run once the iterations of all cloths are done.
std::shared_ptr<const Schedule> build_inter_collision(const std::vector<Cloth*>& cloths, const Workers& workers);

// Builds a schedule without iterations, in which consecutive jobs with the same kernel form one pass. Those jobs must
// belong to different cloths.
std::shared_ptr<const Schedule> schedule_of(const std::vector<Job>& jobs);

// Builds a schedule without iterations, in which every job is a pass of its own.
std::shared_ptr<const Schedule> sequence_of(const std::vector<Job>& jobs);

// Returns the job that runs a kernel over a whole cloth.
Job whole_job(const Cloth& cloth, Kernel kernel);

}  // namespace clothc
