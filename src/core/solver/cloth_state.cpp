// cloth_state.cpp - the state of cloths that only the device has: its start, copies, what is set per particle, and what
// becomes of that in an update.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/solver/channels.h"
#include "core/solver/cloths.h"

namespace clothc {
namespace {

// The channels that hold what an optional channel shows: those from first to last.
struct Parts {
  StateChannel first;
  StateChannel last;
};

// Constraints need both their starts and their targets.
Parts parts_of(clothc_channel channel) {
  const StateChannel state = find_channel(channel)->state;
  if (state == state_motion_start || state == state_motion_target) return {state_motion_start, state_motion_target};
  if (state == state_separation_start || state == state_separation_target)
    return {state_separation_start, state_separation_target};
  return {state, state};
}

}  // namespace

// Queues writes of the state of a new cloth, which is at rest and has no optional per-particle data.
void Cloths::begin_state(const Cloth& cloth, const float* positions) {
  std::vector<float> padded(size_t{cloth.padded_count} * 4, 0.0f);
  for (uint32_t p = 0; p < cloth.particle_count(); ++p) {
    const float* source = positions + size_t{p} * 4;
    // Values below 2^-64 become zero, as in the write_channel kernels.
    std::transform(source, source + 4, &padded[size_t{cloth.data().storage_index(p)} * 4],
                   [](float value) { return std::fabs(value) < 5.421010862427522e-20f ? 0.0f : value; });
  }
  for (const StateChannel channel : {state_position, state_previous}) store_.write_channel(cloth, channel, padded);
  ClothState state{};
  state.status.struct_size = sizeof(clothc_cloth_status);
  state.wakes = cloth.frame.wakes;
  store_.write_record(cloth.slot, offsetof(ClothRecord, state), &state, sizeof(state));
}

// Queues copies of a cloth's state to another cloth with the same number of particles.
void Cloths::copy_state(const Cloth& original, Cloth& cloth) {
  cloth.set_inputs(original.inputs());
  cloth.frame = original.frame;
  for (uint32_t k = 0; k < state_channel_count; ++k) {
    const StateChannel channel{k};
    if (!original.has(channel)) continue;
    store_.ensure_channel(cloth, channel);
    store_.copy_channel(original, channel, cloth, channel);
  }
  constexpr uint64_t offset = offsetof(ClothRecord, state);
  Copy state;
  state.source = state.target = store_.cloth_memory();
  state.source_offset = store_.record_range(original.slot, offset, sizeof(ClothState)).offset;
  state.target_offset = store_.record_range(cloth.slot, offset, sizeof(ClothState)).offset;
  state.element_size = sizeof(ClothState);
  store_.queue().stream().copy(state);
}

void Cloths::reset(Cloth& cloth, const float* positions) {
  store_.queue().transaction([&] {
    remember(cloth);
    cloth.set_inputs(0);
    begin_state(cloth, positions);
  });
  cloth.frame.start = cloth.frame.target;
  cloth.frame.flags = 0;
  cloth.wake();
  cloth.mark_jobs_changed();
  cloth.mark_frame_changed();
  store_.queue().mark();
}

void Cloths::clear_channel(Cloth& cloth, clothc_channel channel) {
  if (channel == CLOTHC_CHANNEL_ACCELERATION) cloth.has_acceleration = false;
  if (channel == CLOTHC_CHANNEL_REST_POSITION) cloth.has_rest = false;
  if (channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT) cloth.motion = SphereConstraints{};
  if (channel == CLOTHC_CHANNEL_SEPARATION_CONSTRAINT) cloth.separation = SphereConstraints{};
  const Parts parts = parts_of(channel);
  for (uint32_t k = parts.first; k <= parts.last; ++k) store_.release_channel(cloth, StateChannel{k});
  cloth.mark_jobs_changed();
  cloth.wake();
}

void Cloths::ensure_channel(Cloth& cloth, clothc_channel channel) {
  const Parts parts = parts_of(channel);
  for (uint32_t k = parts.first; k <= parts.last; ++k) store_.ensure_channel(cloth, StateChannel{k});
}

void Cloths::begin_channel(Cloth& cloth, clothc_channel channel) {
  remember(cloth);
  cloth.mark_changed();
  cloth.wake();
  if (channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT || channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT_START)
    begin_constraints(cloth, cloth.motion, state_motion_start);
  if (channel == CLOTHC_CHANNEL_SEPARATION_CONSTRAINT || channel == CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START)
    begin_constraints(cloth, cloth.separation, state_separation_start);
  if (channel == CLOTHC_CHANNEL_ACCELERATION && !cloth.has_acceleration) {
    store_.fill_channel(cloth, state_acceleration, zeros);
    cloth.has_acceleration = true;
    cloth.mark_settings_changed();
  }
  if (channel == CLOTHC_CHANNEL_REST_POSITION && !cloth.has_rest) {
    store_.fill_channel(cloth, state_rest, zeros);
    cloth.has_rest = true;
    cloth.mark_jobs_changed();
  }
  if (channel == CLOTHC_CHANNEL_VELOCITY && !cloth.velocity_set) {
    store_.fill_channel(cloth, state_velocity, zeros);
    cloth.velocity_set = true;
    cloth.mark_settings_changed();
    if (!cloth.has_velocity_pass) cloth.mark_jobs_changed();
    cloth.has_velocity_pass = true;
  }
}

// Must be called before motion or separation constraints of a cloth are set. The first call since the last update makes
// the last targets the starts.
void Cloths::begin_constraints(Cloth& cloth, SphereConstraints& constraints, StateChannel start) {
  if (constraints.set) return;
  const StateChannel target{start + 1};
  if (constraints.present) {
    store_.copy_channel(cloth, target, cloth, start);
  } else {
    store_.fill_channel(cloth, start, unconstrained);
    store_.fill_channel(cloth, target, unconstrained);
    constraints.present = true;
    cloth.mark_jobs_changed();
  }
  constraints.set = true;
}

clothc_cloth_status Cloths::status(const Cloth& cloth) {
  static_assert(sizeof(ClothStatus) == sizeof(clothc_cloth_status), "the device's status is the public one");
  clothc_cloth_status status;
  constexpr uint64_t offset = offsetof(ClothRecord, state) + offsetof(ClothState, status);
  const std::vector<uint8_t> bytes =
      store_.queue().fetch({store_.record_range(cloth.slot, offset, sizeof(status))}, [] {});
  std::memcpy(&status, bytes.data(), sizeof(status));
  return status;
}

// Constraints that the last update moved and that have not been set since stay at their targets, so this makes the
// targets the starts.
void Cloths::complete_motion(const Cloth& cloth, const SphereConstraints& constraints, StateChannel start) {
  if (!constraints.moving || constraints.set) return;
  store_.copy_channel(cloth, StateChannel{start + 1}, cloth, start);
}

void Cloths::complete_motion() {
  for (const Cloth* cloth : changed_) {
    complete_motion(*cloth, cloth->motion, state_motion_start);
    complete_motion(*cloth, cloth->separation, state_separation_start);
  }
}

void Cloths::consume_targets(bool time_passed) {
  changed_.remove_if([&](Cloth& cloth) {
    if (cloth.velocity_set && time_passed) {
      cloth.velocity_set = false;
      cloth.settings_changed = true;
    }
    for (SphereConstraints* constraints : {&cloth.motion, &cloth.separation}) {
      constraints->moving = constraints->set;
      constraints->set = false;
    }
    if (time_passed && !cloth.frame.is_constant()) {
      cloth.frame.start = cloth.frame.target;
      cloth.frame.flags = 0;
      cloth.frame_changed = true;
    }
    return cloth.is_up_to_date();
  });
}

void Cloths::remember(Cloth& cloth) {
  const uint64_t transaction = store_.queue().transaction_number();
  if (cloth.remembered_by == transaction) return;
  cloth.remembered_by = transaction;
  cloth.inputs_before = cloth.inputs();
  cloth.wakes_before = cloth.frame.wakes;
}

void Cloths::rollback() {
  for (Cloth* cloth : order_) {
    if (cloth->remembered_by == store_.queue().transaction_number()) {
      cloth->set_inputs(cloth->inputs_before);
      cloth->frame.wakes = cloth->wakes_before;
    }
    cloth->collision_particles_changed = true;
    cloth->mark_jobs_changed();
    cloth->mark_frame_changed();
  }
}

}  // namespace clothc
