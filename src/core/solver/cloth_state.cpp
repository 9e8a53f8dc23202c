// cloth_state.cpp - the state of cloths that only the device has: its start, copies, what is set per particle, and what
// becomes of that in an update.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/solver/cloths.h"

namespace clothc {
namespace {

// Gives all particles of a group but the active ones the working inverse mass of inactive ones (active.kernel.h).
void deactivate_others(const Cloth& group, std::vector<float>& particles) {
  auto next = group.active_particles.begin();
  for (uint32_t p = 0; p < group.particle_count(); ++p) {
    const bool is_active = next != group.active_particles.end() && *next == p;
    if (is_active) ++next;
    if (!is_active) particles[size_t{p} * 4 + 3] = -1;
  }
}

}  // namespace

// Queues writes of the state of a new cloth, which is at rest and has no optional per-particle data.
void Cloths::begin_state(const Cloth& cloth, const float* positions) {
  std::vector<float> particles(size_t{cloth.particle_stride} * 4, 0.0f);
  for (uint32_t p = 0; p < cloth.particle_count(); ++p) {
    const float* source = positions + size_t{p} * 4;
    // Values below 2^-64 become zero, as in the write_channel kernels.
    std::transform(source, source + 4, &particles[size_t{cloth.layout().storage_index(p)} * 4],
                   [](float value) { return std::fabs(value) < 5.421010862427522e-20f ? 0.0f : value; });
  }
  store_.write_channel(cloth, state_previous, particles);
  if (cloth.is_group()) deactivate_others(cloth, particles);
  store_.write_channel(cloth, state_position, particles);
  GroupState state{};
  state.status.struct_size = sizeof(clothc_cloth_status);
  state.wakes = cloth.frame.wakes;
  store_.write_record(cloth.slot, offsetof(GroupRecord, state), &state, sizeof(state));
}

// Queues copies of a cloth's state to another cloth with the same number of particles.
void Cloths::copy_state(const Cloth& original, Cloth& cloth) {
  cloth.set_inputs(original.inputs);
  cloth.frame = original.frame;
  cloth.active_particles = original.active_particles;
  for (uint32_t k = 0; k < state_channel_count; ++k) {
    const StateChannel channel{k};
    if (!original.has(channel)) continue;
    store_.ensure_channel(cloth, channel);
    store_.copy_channel(original, channel, cloth, channel);
  }
  constexpr uint64_t offset = offsetof(GroupRecord, state);
  Copy state;
  state.source = state.target = store_.cloth_memory();
  state.source_offset = store_.record_range(original.slot, offset, sizeof(GroupState)).offset;
  state.target_offset = store_.record_range(cloth.slot, offset, sizeof(GroupState)).offset;
  state.element_size = sizeof(GroupState);
  store_.queue().commands().add(std::move(state));
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
  // Coarse levels look for pinned particles again.
  cloth.mark_records_changed();
  cloth.mark_jobs_changed();
  cloth.mark_frame_changed();
}

void Cloths::clear(Cloth& cloth, ChannelGroup group) {
  cloth.inputs &= ~channel_groups[group].all();
  for (uint32_t k = first_of(group); k <= last_of(group); ++k) store_.release_channel(cloth, StateChannel{k});
  cloth.mark_jobs_changed();
  cloth.wake();
}

void Cloths::ensure_memory_for(Cloth& cloth, StateChannel channel) {
  const ChannelGroup group = state_channels[channel].group;
  if (group == no_group) return;
  for (uint32_t k = first_of(group); k <= last_of(group); ++k) store_.ensure_channel(cloth, StateChannel{k});
}

void Cloths::begin_channel(Cloth& cloth, StateChannel channel) {
  remember(cloth);
  cloth.mark_changed();
  cloth.wake();
  const ChannelGroup group = state_channels[channel].group;
  if (group == no_group) return;
  const ChannelGroupInfo& info = channel_groups[group];
  if (!cloth.has(group)) {
    for (uint32_t k = first_of(group); k <= last_of(group); ++k)
      store_.fill_channel(cloth, StateChannel{k}, state_channels[k].unset);
    cloth.mark_settings_changed();
    if (group != group_velocity || !cloth.has_velocity_pass) cloth.mark_jobs_changed();
  } else if (info.lifetime == Lifetime::moving && (cloth.inputs & info.set()) == 0) {
    // The first set since the last update makes the last targets the starts.
    store_.copy_channel(cloth, last_of(group), cloth, first_of(group));
  }
  cloth.set_inputs(cloth.inputs | info.present() | info.set());
}

clothc_cloth_status Cloths::status(const Cloth& cloth) {
  static_assert(sizeof(GroupStatus) == sizeof(clothc_cloth_status), "the device's status is the public one");
  clothc_cloth_status status;
  constexpr uint64_t offset = offsetof(GroupRecord, state) + offsetof(GroupState, status);
  const std::vector<uint8_t> bytes =
      store_.queue().fetch({store_.record_range(cloth.slot, offset, sizeof(status))}, [] {});
  std::memcpy(&status, bytes.data(), sizeof(status));
  return status;
}

void Cloths::complete_motion() {
  for (const Cloth* cloth : changed_) {
    for (uint32_t k = 0; k < channel_group_count; ++k) {
      const ChannelGroupInfo& info = channel_groups[k];
      // What the last update moved, and what has not been set since, stays at its targets.
      if ((cloth->inputs & (info.moving() | info.set())) != info.moving() || info.moving() == 0) continue;
      store_.copy_channel(*cloth, last_of(ChannelGroup{k}), *cloth, first_of(ChannelGroup{k}));
    }
  }
}

void Cloths::consume_targets(bool time_passed) {
  changed_.remove_if([&](Cloth& cloth) {
    for (const ChannelGroupInfo& info : channel_groups) {
      if (info.lifetime == Lifetime::consumed && (cloth.inputs & info.present()) != 0 && time_passed) {
        cloth.inputs &= ~info.present();
        cloth.settings_changed = true;
      }
      if (info.lifetime == Lifetime::moving) {
        const bool moves = (cloth.inputs & info.set()) != 0;
        cloth.inputs = (cloth.inputs & ~(info.set() | info.moving())) | (moves ? info.moving() : 0);
      }
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
  cloth.inputs_before = cloth.inputs;
  cloth.wakes_before = cloth.frame.wakes;
}

void Cloths::rollback() {
  for (Cloth* cloth : order_) {
    if (cloth->remembered_by == store_.queue().transaction_number()) {
      cloth->set_inputs(cloth->inputs_before);
      cloth->frame.wakes = cloth->wakes_before;
    }
    cloth->collision_particles_changed = true;
    cloth->topology->forget_device_copy();
    cloth->mark_records_changed();
    cloth->mark_jobs_changed();
    cloth->mark_frame_changed();
  }
}

}  // namespace clothc
