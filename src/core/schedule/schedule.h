// schedule.h - merges the jobs of all cloths into the schedule that a stream runs: one program for each small cloth,
// and passes for the large cloths.
#pragma once

#include "core/backend/limits.h"
#include "core/cloth/cloth.h"
#include "core/schedule/crowds.h"

namespace clothc {

// Whether a cloth runs in passes, which spread over all workers, rather than as a program. Its jobs must be up to date.
bool runs_in_passes(const Cloth& cloth, clothc_schedule wanted, uint64_t all_particles, const DeviceLimits& limits);

// How cloths run. The choice never changes results.
struct Division {
  // In passes.
  std::vector<const Cloth*> in_passes;
  // As programs, each by one worker, on their own or in crowds.
  std::vector<const Cloth*> alone;
  std::vector<Crowd> crowds;
};

// Decides how cloths run. They are in the order of their insertion, and their jobs are up to date. The words of crowds in
// the tables are to be set before the schedule is built.
Division divide(const std::vector<Cloth*>& cloths, clothc_schedule wanted, const DeviceLimits& limits);

// Builds the schedule of an update.
std::shared_ptr<const Schedule> build_schedule(const Division& division, const DeviceLimits& limits);

// Builds the schedule that cloths which collide with others run once the iterations of all cloths are done.
std::shared_ptr<const Schedule> build_inter_collision(const std::vector<Cloth*>& cloths, const DeviceLimits& limits);

// Builds a schedule without iterations, pass by pass.
class Sequence {
 public:
  // Adds a pass with the tiles of a job. together: the job may run in the last pass, if that has the same kernel.
  Sequence& run(const Job& job, bool together = false);
  Sequence& run(const std::vector<Job>& jobs, bool together = false);
  // These add an operation; see TableOperation.
  Sequence& sort(uint32_t keys, uint32_t words, uint32_t scratch, uint32_t count, Access access);
  Sequence& scan(uint32_t words, uint32_t scratch, uint32_t count, Access access);
  Sequence& copy(uint32_t source, uint32_t target, uint32_t count, Access access);
  // Returns the schedule, with its barriers. Must be called once, at the end. stage: the one to which the times of all
  // passes belong; none: those of their kernels.
  std::shared_ptr<const Schedule> finish(Stage stage = Stage::none);

 private:
  Sequence& add(const TableOperation& operation);

  std::shared_ptr<Schedule> schedule_ = std::make_shared<Schedule>();
};

// Returns the job that runs a kernel over all particles of a cloth, over its reduction lanes, or once.
Job particle_job(const Cloth& cloth, Kernel kernel, uint32_t argument = 0);
Job reduction_job(const Cloth& cloth, Kernel kernel);
Job single_job(const Cloth& cloth, Kernel kernel);

}  // namespace clothc
