// transfer.cpp - sets and gets of per-particle channels. Copies move elements between a buffer and the exchange block
// of the particles arena; write_channel and read_channel kernels move them between there and the blocks of the
// channels.
#include <algorithm>
#include <cstring>

#include "core/base/formats.h"
#include "core/schedule/schedule.h"
#include "core/solver/solver.h"

namespace clothc {
namespace {

// The argument of the kernel that writes a channel.
uint32_t write_argument(const Transfer& transfer) {
  if (transfer.channel->channel != CLOTHC_CHANNEL_POSITION) return 0;
  return (transfer.format == CLOTHC_FORMAT_FLOAT3 ? write_keep_w : 0u) |
         ((transfer.flags & CLOTHC_SET_AT_REST) != 0 ? write_at_rest : 0u);
}

}  // namespace

uint64_t Solver::element_count(clothc_channel channel) const {
  const ChannelInfo* info = find_channel(channel);
  if (info == nullptr) return 0;
  if (info->owner == ChannelOwner::particle) return particle_capacity();
  if (info->owner == ChannelOwner::cloth) return contents_->order.size();
  return channel == CLOTHC_CHANNEL_CONTACT ? desc_.contact_capacity : 1;
}

void Solver::set(const Transfer& transfer) {
  if (transfer.channel->owner == ChannelOwner::cloth) {
    set_records(transfer);
    return;
  }
  const MemoryPointer memory = transfer.buffer->memory_for_transfer();
  transfer.buffer->prepare_use(stream_);
  transaction([&] {
    for (const clothc_region& region : transfer.regions) {
      if (region.count > 0) set_particles(transfer, memory, region);
    }
  });
  mark();
  transfer.buffer->used_by(stream_, timeline_value());
}

void Solver::set_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  const clothc_channel channel = transfer.channel->channel;
  const uint32_t end = region.target_offset + region.count;
  Copy copy;
  copy.source = memory;
  copy.source_offset = transfer.byte_offset + uint64_t{region.source_offset} * transfer.stride;
  copy.source_stride = transfer.stride;
  copy.target = contents_->particle_memory;
  copy.target_offset = (uint64_t{block_exchange} * particle_capacity() + region.target_offset) * 16;
  copy.target_stride = 16;
  copy.element_size = size_of_format(transfer.format);
  copy.count = region.count;
  stream_->copy(copy);
  jobs_.clear();
  for (Cloth* cloth : contents_->cloths_by_range.between(region.target_offset, end)) {
    const uint32_t first = std::max(region.target_offset, cloth->first_particle);
    const uint32_t last = std::min(end, cloth->first_particle + cloth->particle_count());
    remember(*cloth);
    cloth->touch();
    cloth->wake();
    if (channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT || channel == CLOTHC_CHANNEL_MOTION_CONSTRAINT_START)
      begin_constraints(*cloth, cloth->motion, block_motion_start);
    if (channel == CLOTHC_CHANNEL_SEPARATION_CONSTRAINT || channel == CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START)
      begin_constraints(*cloth, cloth->separation, block_separation_start);
    if (channel == CLOTHC_CHANNEL_ACCELERATION && !cloth->has_acceleration) {
      cloth->has_acceleration = true;
      cloth->touch_settings();
    }
    if (channel == CLOTHC_CHANNEL_REST_POSITION && !cloth->has_rest) {
      cloth->has_rest = cloth->jobs_changed = schedule_changed_ = true;
      cloth->touch_settings();
    }
    if (channel == CLOTHC_CHANNEL_VELOCITY && !cloth->velocity_set) {
      // Values left in this block from before are not part of the state.
      fill_block(block_velocity, *cloth, zeros);
      cloth->velocity_set = true;
      cloth->touch_settings();
      if (!cloth->has_velocity_pass) cloth->has_velocity_pass = cloth->jobs_changed = schedule_changed_ = true;
    }
    // The kernel reads the settings, so they must be up to date.
    if (cloth->changed) {
      upload_cloth(*cloth);
      cloth->changed = false;
    }
    jobs_.push_back({static_cast<uint32_t>(transfer.channel->write), cloth->slot, first - cloth->first_particle,
                     last - cloth->first_particle, write_argument(transfer)});
  }
  run(jobs_);
}

void Solver::run(const std::vector<Job>& jobs) {
  if (!jobs.empty()) stream_->run({arenas(), frame(0), schedule_of(jobs), 0, 0});
}

void Solver::get(const Transfer& transfer) {
  if (transfer.channel->owner == ChannelOwner::cloth && transfer.channel->settable) {
    get_records(transfer);
    return;
  }
  const MemoryPointer memory = transfer.buffer->memory_for_transfer();
  transfer.buffer->prepare_use(stream_);
  const bool of_solver = transfer.channel->owner == ChannelOwner::solver;
  transaction([&] {
    if (of_solver) ensure_contact_records();
    for (const clothc_region& region : transfer.regions) {
      if (region.count == 0) continue;
      of_solver ? get_contacts(transfer, memory, region) : get_particles(transfer, memory, region);
    }
  });
  mark();
  transfer.buffer->used_by(stream_, timeline_value());
}

// Gets go through the exchange block, since the blocks of the channels are in storage order and do not always hold the
// values that a channel shows.
void Solver::get_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  if (transfer.channel->channel == CLOTHC_CHANNEL_CLOTH_STATUS) {
    get_status(transfer, memory, region);
    return;
  }
  const uint32_t end = region.source_offset + region.count;
  jobs_.clear();
  uint32_t shown = 0;
  for (Cloth* cloth : contents_->cloths_by_range.between(region.source_offset, end)) {
    const uint32_t first = std::max(region.source_offset, cloth->first_particle);
    const uint32_t last = std::min(end, cloth->first_particle + cloth->particle_count());
    shown += last - first;
    // The kernel reads the settings, so they must be up to date.
    if (cloth->changed) {
      upload_cloth(*cloth);
      cloth->changed = false;
    }
    jobs_.push_back({static_cast<uint32_t>(transfer.channel->read), cloth->slot,
                     (first - cloth->first_particle) / lane_padding * lane_padding, last - cloth->first_particle,
                     read_bias + cloth->first_particle});
  }
  Copy copy;
  copy.source = contents_->particle_memory;
  copy.source_offset = (uint64_t{block_exchange} * particle_capacity() + region.source_offset) * 16;
  // Elements that belong to no cloth read as zeros.
  if (shown < region.count) {
    stream_->fill(copy.source, copy.source_offset, uint64_t{region.count} * 16, zeros);
  }
  run(jobs_);
  copy.source_stride = 16;
  copy.target = memory;
  copy.target_offset = transfer.byte_offset + uint64_t{region.target_offset} * transfer.stride;
  copy.target_stride = transfer.stride;
  copy.element_size = size_of_format(transfer.format);
  copy.count = region.count;
  stream_->copy(copy);
}

void Solver::get_status(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  Copy copy;
  copy.source = contents_->cloth_memory;
  copy.target = memory;
  copy.element_size = transfer.element_size;
  for (uint32_t k = 0; k < region.count; ++k) {
    const Cloth& cloth = *contents_->order[region.source_offset + k];
    copy.source_offset = state_of(cloth, offsetof(ClothState, status), 0).offset;
    copy.target_offset = transfer.byte_offset + uint64_t{region.target_offset + k} * transfer.stride;
    stream_->copy(copy);
    if (transfer.element_size == sizeof(clothc_cloth_status)) continue;
    static_assert(offsetof(clothc_cloth_status, struct_size) == 0, "a record begins with its size");
    write(memory, copy.target_offset, &transfer.element_size, sizeof(transfer.element_size));
  }
}

}  // namespace clothc
