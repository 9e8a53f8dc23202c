// update.cpp - an update of a solver: uploads what has changed, queues the schedule, and then makes targets the starts
// of the next update.
#include <algorithm>

#include "core/objects/device.h"
#include "core/schedule/schedule.h"
#include "core/solver/solver.h"

namespace clothc {

void Solver::rebuild_schedule() {
  if (schedule_changed_) rebuild_lists_and_schedule();
  if (frequencies_changed_) {
    frequency_in_passes_ = largest_frequency(cloths_in_passes_);
    frequency_in_programs_ = largest_frequency(cloths_in_programs_);
    frequencies_changed_ = false;
  }
}

void Solver::rebuild_lists_and_schedule() {
  rebuild_contacts();
  rebuild_inter_collision();
  for (Cloth* cloth : contents_->order) {
    if (!cloth->jobs_changed) continue;
    build_jobs(*cloth, shapes_of(*contents_, cloth->collider_sets), contents_->inter_collision, cloth->jobs);
    cloth->jobs_changed = false;
  }
  const Workers workers{backend().worker_count(), backend().lanes_per_worker(), backend().loops_per_job(),
                        backend().program_kernels(), backend().smallest_tile()};
  schedule_ = build_schedule(contents_->order, desc_.schedule, workers);
  if (contents_->inter_collision.count() > 0)
    contents_->inter_collision.schedule = build_inter_collision(contents_->order, workers);
  cloths_in_passes_.clear();
  cloths_in_programs_.clear();
  uint64_t particles = 0;
  for (const Cloth* cloth : contents_->order) particles += cloth->padded_count;
  for (Cloth* cloth : contents_->order) {
    const bool in_passes = runs_in_passes(*cloth, desc_.schedule, particles, workers);
    (in_passes ? cloths_in_passes_ : cloths_in_programs_).push_back(cloth);
  }
  schedule_changed_ = false;
  frequencies_changed_ = true;
}

float Solver::largest_frequency(const std::vector<Cloth*>& cloths) {
  float largest = 0;
  for (const Cloth* cloth : cloths) largest = std::max(largest, cloth->parameters.solver_frequency);
  return largest;
}

namespace {

// Returns the number of iterations of a cloth with this solver_frequency, with the same float32 arithmetic as
// begin_cloth. It grows with the frequency, so that of the largest frequency is the largest.
uint32_t iterations_of(float frequency, float dt) {
  if (frequency == 0) return 0;
  const float wanted = dt * frequency + 0.5f;
  return std::max(1u, static_cast<uint32_t>(wanted));
}

}  // namespace

// Makes targets the starts of the next update, and drops what was set for a single update.
void Solver::consume_targets(bool time_passed) {
  contents_->touched_cloths.remove_if([&](Cloth& cloth) {
    if (cloth.velocity_set && time_passed) {
      cloth.velocity_set = false;
      cloth.changed = true;
    }
    for (SphereConstraints* constraints : {&cloth.motion, &cloth.separation}) {
      constraints->moving = constraints->set;
      constraints->set = false;
    }
    if (time_passed && !cloth.frame.is_settled()) {
      cloth.frame.start = cloth.frame.target;
      cloth.frame.flags = 0;
      cloth.frame_changed = true;
    }
    return cloth.is_settled();
  });
  for (uint32_t slot = 0; slot < contents_->collider_sets.slot_count(); ++slot) {
    ColliderSet* set = contents_->collider_sets.at(slot);
    if (set == nullptr) continue;
    const bool moved = set->consume();
    set->changed = set->changed || moved;
  }
}

// Constraints that the last update moved and that have not been set since stay at their targets, so this makes the
// targets the starts.
void Solver::complete_motion(const Cloth& cloth, const SphereConstraints& constraints, ParticleBlock start) {
  if (!constraints.moving || constraints.set) return;
  copy_block(start + 1, cloth.first_particle, start, cloth.first_particle, cloth.padded_count);
}

uint64_t Solver::queue_update(const clothc_update& update, const std::vector<BoundBuffer>& bound,
                              const std::shared_ptr<Fence>& wait, const std::shared_ptr<Fence>& signal) {
  if (wait != nullptr) stream_->wait_for(wait, update.wait_value);
  upload_changes();
  for (Cloth* cloth : contents_->touched_cloths) {
    complete_motion(*cloth, cloth->motion, block_motion_start);
    complete_motion(*cloth, cloth->separation, block_separation_start);
  }
  uint64_t passes = 0;
  if (update.dt > 0) sort_inter_collision();
  if (update.dt > 0 && !contents_->order.empty()) {
    const uint32_t repetitions = iterations_of(frequency_in_passes_, update.dt);
    stream_->run(
        {arenas(), frame(update.dt), schedule_, repetitions, iterations_of(frequency_in_programs_, update.dt)});
    const uint64_t repeated = schedule_->repeat_end - schedule_->repeat_begin;
    passes = schedule_->programs.size() + schedule_->passes.size() - repeated + repeated * repetitions;
  }
  if (update.dt > 0) passes += queue_inter_collision(update.dt);
  if (update.dt > 0) queue_contacts();
  write_bound(bound);
  if (signal == nullptr) return passes;
  stream_->signal(signal, update.signal_value);
  const uint64_t promised = signal->promised();
  CLOTHC_REQUIRE(signal->promise(update.signal_value),
                 "update.signal_value is %llu; want above %llu, the last value signalled or queued",
                 static_cast<unsigned long long>(update.signal_value), static_cast<unsigned long long>(promised));
  return passes;
}

bool Solver::update(const clothc_update& update, const std::shared_ptr<Fence>& wait,
                    const std::shared_ptr<Fence>& signal, uint64_t* value) {
  const uint64_t oldest = updates_[update_count_ % updates_.size()];
  if (stream_->completed() < oldest) {
    if ((update.flags & CLOTHC_UPDATE_NO_WAIT) != 0) return false;
    stream_->wait(oldest, UINT64_MAX);
  }
  const std::vector<BoundBuffer> bound = bound_buffers();
  rebuild_schedule();
  const uint64_t uploaded_before = uploaded_bytes_;
  const StreamCounters before = stream_->counters();
  transaction([&] { last_update_passes_ = queue_update(update, bound, wait, signal); });
  consume_targets(update.dt > 0);
  mark();
  for (const BoundBuffer& entry : bound) entry.buffer->used_by(stream_, timeline_value());
  const StreamCounters after = stream_->counters();
  last_update_work_ = {after.submissions - before.submissions, after.dispatches - before.dispatches,
                       after.uploaded_bytes - before.uploaded_bytes};
  uploaded_bytes_ += last_update_work_.uploaded_bytes;
  last_update_upload_ = uploaded_bytes_ - uploaded_before;
  updates_[update_count_ % updates_.size()] = timeline_value();
  ++update_count_;
  if (value != nullptr) *value = timeline_value();
  return true;
}

}  // namespace clothc
