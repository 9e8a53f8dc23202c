// scheduler.cpp - rebuilds the schedule when cloths or their jobs have changed, and queues it with the numbers of
// iterations that a time step needs.
#include "core/solver/scheduler.h"

#include <algorithm>

#include "core/schedule/schedule.h"

namespace clothc {
namespace {

// Returns the number of iterations of a cloth with this solver_frequency, with the same float32 arithmetic as
// begin_group. It grows with the frequency, so that of the largest frequency is the largest.
uint32_t iterations_of(float frequency, float dt) {
  if (frequency == 0) return 0;
  const float wanted = dt * frequency + 0.5f;
  return std::max(1u, static_cast<uint32_t>(wanted));
}

// Returns the number of constraints that an iteration of a cloth solves, however its phases are solved.
uint32_t constraints_of(const Cloth& cloth) {
  uint32_t count = 0;
  for (const clothc_phase_config& phase : cloth.phases)
    count += phase.stiffness > 0 ? cloth.set_of(phase).constraint_count : 0;
  for (const StagedJob& staged : cloth.jobs.iteration) {
    const auto kernel = static_cast<Kernel>(staged.job.kernel);
    const bool is_counted = info_of(kernel).stage == Stage::tethers || kernel == Kernel::collide_virtual;
    count += is_counted ? staged.job.end - staged.job.begin : 0;
  }
  return count;
}

}  // namespace

Scheduler::Scheduler(DeviceStore& store, Cloths& cloths, const Colliders& colliders, ClothCollision& cloth_collision,
                     ContactReport& contacts, uint32_t mode)
    : store_(store),
      cloths_(cloths),
      colliders_(colliders),
      cloth_collision_(cloth_collision),
      contacts_(contacts),
      mode_(mode) {}

void Scheduler::prepare() {
  const bool jobs_changed = cloths_.jobs_changed();
  if (!jobs_changed && !cloths_.frequencies_changed()) return;
  if (jobs_changed) rebuild();
  frequency_in_passes_ = largest_frequency(cloths_in_passes_);
  frequency_in_programs_ = largest_frequency(cloths_in_programs_);
  cloths_.jobs_are_built();
}

void Scheduler::rebuild() {
  contacts_.rebuild();
  cloth_collision_.rebuild();
  const InterCollision& shared = cloth_collision_.shared();
  const std::vector<Cloth*>& all = cloths_.in_order();
  const DeviceLimits& limits = store_.queue().backend().limits();
  for (Cloth* cloth : cloths_.changed()) {
    if (cloth->jobs_changed) build_jobs(*cloth, colliders_.shapes_of(cloth->collider_sets), shared, cloth->jobs);
  }
  schedule_ = build_schedule(all, mode_, limits);
  if (shared.count() > 0) cloth_collision_.set_schedule(build_inter_collision(all, limits));
  cloths_in_passes_.clear();
  cloths_in_programs_.clear();
  uint64_t particles = 0;
  constraint_count_ = 0;
  for (const Cloth* cloth : all) {
    particles += cloth->padded_count();
    constraint_count_ += constraints_of(*cloth);
  }
  for (Cloth* cloth : all) {
    const bool in_passes = runs_in_passes(*cloth, mode_, particles, limits);
    (in_passes ? cloths_in_passes_ : cloths_in_programs_).push_back(cloth);
  }
  // Only now, so that all of this is done again if any of it fails.
  for (Cloth* cloth : cloths_.changed()) cloth->jobs_changed = false;
}

float Scheduler::largest_frequency(const std::vector<Cloth*>& cloths) {
  float largest = 0;
  for (const Cloth* cloth : cloths) largest = std::max(largest, cloth->parameters.solver_frequency);
  return largest;
}

uint32_t Scheduler::iterations(float dt) const {
  return iterations_of(std::max(frequency_in_passes_, frequency_in_programs_), dt);
}

uint64_t Scheduler::queue(float dt, std::shared_ptr<DispatchTimes> times) {
  if (cloths_.in_order().empty()) return 0;
  const uint32_t repetitions = iterations_of(frequency_in_passes_, dt);
  store_.run(schedule_, dt, repetitions, iterations_of(frequency_in_programs_, dt), std::move(times));
  const uint64_t repeated = schedule_->repeat_end - schedule_->repeat_begin;
  return schedule_->programs.size() + schedule_->passes.size() - repeated + repeated * repetitions;
}

}  // namespace clothc
