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
  Division division = divide(all, mode_, limits);
  place(division.crowds);
  schedule_ = build_schedule(division, limits);
  if (shared.count() > 0) cloth_collision_.set_schedule(build_inter_collision(all, limits));
  constraint_count_ = 0;
  for (const Cloth* cloth : all) constraint_count_ += constraints_of(*cloth);
  cloths_in_passes_ = std::move(division.in_passes);
  cloths_in_programs_ = std::move(division.alone);
  for (const Crowd& crowd : division.crowds)
    cloths_in_programs_.insert(cloths_in_programs_.end(), crowd.cloths.begin(), crowd.cloths.end());
  // Only now, so that all of this is done again if any of it fails.
  for (Cloth* cloth : cloths_.changed()) cloth->jobs_changed = false;
}

// Gives each crowd a part of one range of the tables.
void Scheduler::place(std::vector<Crowd>& crowds) {
  uint32_t words = 0;
  for (const Crowd& crowd : crowds) words += words_of(crowd);
  if (words != crowd_capacity_) {
    const uint32_t first = words > 0 ? store_.allocate_words(words) : 0;
    store_.release_words(crowds_, crowd_capacity_);
    crowds_ = first;
    crowd_capacity_ = words;
  }
  uint32_t word = crowds_;
  for (Crowd& crowd : crowds) {
    crowd.word = word;
    word += words_of(crowd);
  }
}

float Scheduler::largest_frequency(const std::vector<const Cloth*>& cloths) {
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
