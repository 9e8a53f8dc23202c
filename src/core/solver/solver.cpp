// solver.cpp - creation of a solver, its updates, what it tells of itself, and restoring it as a whole.
#include "core/solver/solver.h"

#include "core/objects/device.h"
#include "core/solver/debug_lines.h"
#include "core/solver/snapshot.h"
#include "core/solver/state_hash.h"

namespace clothc {

Solver::Solver(std::shared_ptr<Device> device, const clothc_solver_desc& desc)
    : Object(object_kind, std::move(device)),
      desc_(desc),
      queue_(this->device()->backend(), [this] { contents_->rollback(); }),
      contents_(std::make_unique<SolverContents>(queue_, desc)),
      timers_(queue_),
      updates_(desc.updates_in_flight, 0) {
  // No more updates wait at the same time.
  queue_.stream().pending_waits().reserve(desc.updates_in_flight);
}

Solver::~Solver() = default;

clothc_solver_info Solver::info() const {
  const SolverContents& contents = *contents_;
  const RangeAllocator& particles = contents.store.particles();
  clothc_solver_info info{};
  info.particle_capacity = particles.capacity();
  info.particle_count = contents.cloths.particle_count();
  info.largest_hole = particles.largest_hole();
  info.cloth_capacity = desc_.cloth_capacity;
  info.cloth_count = contents.cloths.slots().count();
  info.collider_set_capacity = desc_.collider_set_capacity;
  info.collider_set_count = contents.colliders.sets().count();
  info.update_count = update_count_;
  info.timeline_value = timeline_value();
  info.completed_value = completed_value();
  info.uploaded_byte_count = queue_.uploaded_bytes();
  info.last_update_upload = last_update_upload_;
  info.last_update_passes = last_update_passes_;
  info.last_update_submissions = last_update_work_.submissions;
  info.last_update_dispatches = last_update_work_.dispatches;
  info.device_allocation_count = queue_.backend().allocation_count();
  info.contact_capacity = desc_.contact_capacity;
  info.collider_asset_count = contents.colliders.assets().count();
  return info;
}

void Solver::remove_cloth(Cloth& cloth) {
  contents_->bindings.unbind(cloth);
  contents_->cloths.remove(cloth);
}

void Solver::queue_uploads() {
  contents_->uploads.upload_all();
  contents_->cloths.complete_motion();
}

uint64_t Solver::queue_steps(float dt, const std::vector<BoundBuffer>& bound, UpdateTimer timer) {
  SolverContents& contents = *contents_;
  const bool moves = dt > 0;
  uint64_t passes = 0;
  contents.bindings.queue_starts(bound);
  if (moves) contents.cloth_collision.queue_sorting(timer.of(&UpdateTimes::sorting));
  timer.mark(UpdateTimes::sorted);
  if (moves) passes = contents.scheduler.queue(dt, timer.of(&UpdateTimes::solving));
  timer.mark(UpdateTimes::solved);
  if (moves) passes += contents.cloth_collision.queue(dt, timer.of(&UpdateTimes::colliding));
  timer.mark(UpdateTimes::collided);
  if (moves) contents.contacts.queue(timer.of(&UpdateTimes::reporting));
  if (timer.is_active() && moves && contents.contacts.is_active()) timers_.count_contacts(contents.contacts.number());
  timer.mark(UpdateTimes::reported);
  contents.bindings.queue(bound, moves);
  return passes;
}

uint64_t Solver::queue_update(const UpdateArguments& arguments, const std::vector<BoundBuffer>& bound,
                              UpdateTimer timer) {
  const auto& [update, wait, signal] = arguments;
  if (wait != nullptr) queue_.commands().add(Wait{wait, update.wait_value});
  timer.mark(UpdateTimes::begin);
  queue_uploads();
  timer.mark(UpdateTimes::uploaded);
  const uint64_t passes = queue_steps(update.dt, bound, timer);
  timer.mark(UpdateTimes::end);
  if (signal != nullptr) queue_.commands().add(Signal{signal, update.signal_value});
  return passes;
}

bool Solver::update(const UpdateArguments& arguments, uint64_t* value) {
  const clothc_update& update = arguments.update;
  const std::shared_ptr<Fence>& wait = arguments.wait;
  const std::shared_ptr<Fence>& signal = arguments.signal;
  Stream& stream = queue_.stream();
  const uint64_t oldest = updates_[update_count_ % updates_.size()];
  const bool may_wait = (update.flags & CLOTHC_UPDATE_NO_WAIT) == 0;
  if (stream.completed() < oldest) {
    if (!may_wait) return false;
    stream.wait(oldest, UINT64_MAX);
  }
  if (!contents_->bindings.give_way(may_wait)) return false;
  std::vector<BoundBuffer> bound = contents_->bindings.prepare();
  contents_->cloths.refresh_levels();
  contents_->scheduler.prepare();
  const bool is_timed = (update.flags & CLOTHC_UPDATE_TIMERS) != 0;
  const std::shared_ptr<UpdateTimes> times = is_timed ? timers_.make() : nullptr;
  const bool counts_contacts = is_timed && update.dt > 0 && contents_->contacts.is_active();
  const uint64_t uploaded_before = queue_.uploaded_bytes();
  const StreamCounters before = stream.counters();
  const uint64_t reserved_before = signal != nullptr ? signal->reserved() : 0;
  bool is_reserved = false;
  uint64_t passes = 0;
  try {
    queue_.transaction([&] {
      passes = queue_update(arguments, bound, {queue_.commands(), times});
      if (signal == nullptr) return;
      is_reserved = signal->reserve(update.signal_value, {queue_.shared_stream(), timeline_value() + 1});
      CLOTHC_REQUIRE(is_reserved, "update.signal_value is %llu; want above %llu, the last value signalled or queued",
                     static_cast<unsigned long long>(update.signal_value),
                     static_cast<unsigned long long>(reserved_before));
    });
  } catch (...) {
    if (is_reserved) signal->take_back(update.signal_value);
    throw;
  }
  last_update_passes_ = passes;
  contents_->cloths.consume_targets(update.dt > 0);
  contents_->colliders.consume_targets();
  // Before the buffers are known to be in use by this update, so that whoever finds them in use finds its wait too.
  if (wait != nullptr) stream.pending_waits().add(timeline_value(), wait, update.wait_value);
  for (BoundBuffer& target : bound) target.use.queued(timeline_value());
  const StreamCounters after = stream.counters();
  last_update_work_ = {after.submissions - before.submissions, after.dispatches - before.dispatches,
                       after.uploaded_bytes - before.uploaded_bytes};
  queue_.count_uploaded(last_update_work_.uploaded_bytes);
  last_update_upload_ = queue_.uploaded_bytes() - uploaded_before;
  updates_[update_count_ % updates_.size()] = timeline_value();
  ++update_count_;
  if (is_timed) {
    const Scheduler& scheduler = contents_->scheduler;
    timers_.expect(times,
                   {update_count_, contents_->cloths.particle_count(), scheduler.constraint_count(),
                    scheduler.iterations(update.dt)},
                   counts_contacts);
  }
  if (value != nullptr) *value = timeline_value();
  return true;
}

void Solver::capture_update(float dt, void* native_stream) {
  SolverContents& contents = *contents_;
  for (const Cloth* cloth : contents.cloths.changed())
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !cloth->has_pending_inputs(),
                      "cloth %u has a frame with a target ahead, or velocities or constraints that were set since the "
                      "last update, which only one update uses; call clothc_solver_update before the capture",
                      cloth->id);
  for (const ColliderSet* set : contents.colliders.changed_sets())
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, !set->moves(),
                      "collider set %u has shapes with a target ahead, to which only one update moves them; call "
                      "clothc_solver_update before the capture",
                      set->id);
  const std::vector<BoundBuffer> bound = contents.bindings.prepare();
  for (const BoundBuffer& target : bound)
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, target.use.desc().kind != CLOTHC_BUFFER_HOST,
                      "a channel of cloth %u is bound to a HOST buffer, whose memory changes when it is mapped with "
                      "DISCARD; bind a DEVICE or a WRAPPED_HOST buffer",
                      target.cloth->id);
  contents.cloths.refresh_levels();
  contents.scheduler.prepare();
  queue_.capture(
      native_stream, [&] { queue_uploads(); },
      [&] {
        queue_steps(dt, bound, {queue_.commands(), nullptr});
      });
  contents.cloths.consume_targets(true);
  contents.colliders.consume_targets();
}

bool Solver::record_update(const UpdateArguments* arguments, void* native_commands, NativeSignal& recorded) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, queue_.backend().limits().only_records, "%s", no_command_buffers);
  if (arguments == nullptr) {
    // An empty list, so that every command buffer has a value of its own.
    queue_.transaction([] {});
  } else {
    UpdateArguments immediate = *arguments;
    immediate.update.flags |= CLOTHC_UPDATE_NO_WAIT;
    if (!update(immediate, nullptr)) return false;
  }
  recorded = queue_.stream().record_into(native_commands);
  return true;
}

std::vector<clothc_debug_line> Solver::debug_lines(Cloth* cloth, const clothc_debug_desc& desc) {
  const std::vector<Cloth*> only{cloth};
  return draw_debug_lines(*contents_, cloth == nullptr ? contents_->cloths.in_order() : only, desc);
}

uint64_t Solver::state_hash() { return clothc::state_hash(*contents_); }

std::vector<uint8_t> Solver::snapshot() { return write_snapshot(*contents_); }

void Solver::restore(const uint8_t* data, uint64_t size, const std::vector<std::shared_ptr<Fabric>>& fabrics) {
  auto fresh = std::make_unique<SolverContents>(queue_, desc_);
  read_snapshot(data, size, device(), fabrics, *fresh);
  contents_ = std::move(fresh);
}

}  // namespace clothc
