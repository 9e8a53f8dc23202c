// schedule.h - joins the jobs of all cloths into what a stream runs: a program per small cloth, passes for large ones.
#pragma once

#include "core/cloth/cloth.h"

namespace clothc {

// Who does the work: how many at a time, in how many lanes each, for how long one of them may be at one job, and which
// kernels one may run for a whole cloth.
struct Workers {
  uint32_t count = 1;
  uint32_t lanes = 1;
  uint32_t max_loops_per_job = UINT32_MAX;
  KernelSet program_kernels = KernelSet().set();
  uint32_t smallest_tile = items_per_tile;  // items of a job in a pass
};

// Whether a cloth, whose jobs are up to date, is split over all workers. Never changes results.
bool runs_in_passes(const Cloth& cloth, clothc_schedule wanted, uint64_t all_particles, const Workers& workers);

// cloths in the order of their insertion, their jobs up to date.
std::shared_ptr<const Schedule> build_schedule(const std::vector<Cloth*>& cloths, clothc_schedule wanted,
                                               const Workers& workers);

// What the cloths that collide with others do once the iterations of all are done.
std::shared_ptr<const Schedule> build_inter_collision(const std::vector<Cloth*>& cloths, const Workers& workers);

// A schedule of jobs without iterations: consecutive jobs of one kernel, in different cloths, form a pass.
std::shared_ptr<const Schedule> schedule_of(const std::vector<Job>& jobs);

// The same, a pass for every job.
std::shared_ptr<const Schedule> sequence_of(const std::vector<Job>& jobs);

// The work of a kernel on all of a cloth.
Job whole_job(const Cloth& cloth, Kernel kernel);

}  // namespace clothc
