// transfers.cpp - sets and gets of per-particle channels. Copies move elements between a buffer and the exchange block
// of the particles arena; write_channel and read_channel kernels move them between there and the blocks of the
// channels.
#include "core/solver/transfers.h"

#include <algorithm>

#include "core/base/formats.h"

namespace clothc {
namespace {

// The argument of the kernel that writes a channel.
uint32_t write_argument(const Transfer& transfer) {
  if (transfer.channel->channel != CLOTHC_CHANNEL_POSITION) return 0;
  return (transfer.format == CLOTHC_FORMAT_FLOAT3 ? write_keep_w : 0u) |
         ((transfer.flags & CLOTHC_SET_AT_REST) != 0 ? write_at_rest : 0u);
}

// Returns the elements that a cloth's particles have among those from first on.
Elements overlap(const Cloth& cloth, uint32_t first, uint32_t count) {
  return {std::max(first, cloth.first_particle),
          std::min(first + count, cloth.first_particle + cloth.particle_count())};
}

}  // namespace

Transfers::Transfers(DeviceStore& store, Cloths& cloths, ContactReport& contacts, Intersections& intersections,
                     Uploads& uploads)
    : store_(store), cloths_(cloths), contacts_(contacts), intersections_(intersections), uploads_(uploads) {}

uint64_t Transfers::element_count(clothc_channel channel) const {
  const ChannelInfo* info = find_channel(channel);
  if (info == nullptr) return 0;
  if (info->owner == ChannelOwner::particle) return store_.particle_capacity();
  if (info->owner == ChannelOwner::cloth) return cloths_.in_order().size();
  return channel == CLOTHC_CHANNEL_CONTACT ? contacts_.capacity() : 1;
}

void Transfers::set(const Transfer& transfer) {
  if (transfer.channel->owner == ChannelOwner::cloth) return set_records(transfer);
  CommandQueue& queue = store_.queue();
  transfer.buffer->give_way(true);
  BufferUse use(transfer.buffer, queue.shared_stream());
  for (const clothc_region& region : transfer.regions) {
    for (Cloth* cloth : cloths_.between(region.target_offset, region.target_offset + region.count))
      cloths_.ensure_memory_for(*cloth, transfer.channel->state);
  }
  queue.transaction([&] {
    for (const clothc_region& region : transfer.regions) {
      if (region.count > 0) set_particles(transfer, use.memory(), region);
    }
  });
  use.queued(queue.timeline_value());
}

void Transfers::set_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  Copy copy;
  copy.source = memory;
  copy.source_offset = transfer.byte_offset + uint64_t{region.source_offset} * transfer.stride;
  copy.source_stride = transfer.stride;
  copy.target = store_.particle_memory();
  copy.target_offset = store_.block_range(block_exchange, region.target_offset, region.count).offset;
  copy.target_stride = 16;
  copy.element_size = size_of_format(transfer.format);
  copy.count = region.count;
  store_.queue().commands().add(copy);
  jobs_.clear();
  for (Cloth* cloth : cloths_.between(region.target_offset, region.target_offset + region.count)) {
    const Elements elements = overlap(*cloth, region.target_offset, region.count);
    cloths_.begin_channel(*cloth, transfer.channel->state);
    uploads_.upload_settings(*cloth);
    jobs_.push_back({static_cast<uint32_t>(transfer.channel->write), cloth->slot,
                     elements.begin - cloth->first_particle, elements.end - cloth->first_particle,
                     write_argument(transfer)});
  }
  store_.run(jobs_);
}

void Transfers::get(const Transfer& transfer) {
  if (transfer.channel->owner == ChannelOwner::cloth && transfer.channel->settable) return get_records(transfer);
  CommandQueue& queue = store_.queue();
  const bool of_solver = transfer.channel->owner == ChannelOwner::solver;
  std::vector<Cloth*> counted;
  if (transfer.channel->channel == CLOTHC_CHANNEL_INTERSECTION_COUNT) counted = cloths_in(transfer);
  // Before the use begins, because this may wait for queued work.
  for (Cloth* cloth : counted) intersections_.prepare(*cloth);
  transfer.buffer->give_way(true);
  BufferUse use(transfer.buffer, queue.shared_stream());
  queue.transaction([&] {
    if (of_solver) contacts_.ensure_records();
    if (!counted.empty()) intersections_.queue(counted);
    for (const clothc_region& region : transfer.regions) {
      if (region.count == 0) continue;
      of_solver ? contacts_.get(transfer, use.memory(), region) : get_particles(transfer, use.memory(), region);
    }
  });
  use.queued(queue.timeline_value());
}

std::vector<Cloth*> Transfers::cloths_in(const Transfer& transfer) {
  std::vector<Cloth*> found;
  for (const clothc_region& region : transfer.regions) {
    for (Cloth* cloth : cloths_.between(region.source_offset, region.source_offset + region.count)) {
      if (region.count > 0 && std::find(found.begin(), found.end(), cloth) == found.end()) found.push_back(cloth);
    }
  }
  return found;
}

// Gets go through the exchange block, since the blocks of the channels are in storage order and do not always hold the
// values that a channel shows.
void Transfers::get_particles(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  if (transfer.channel->channel == CLOTHC_CHANNEL_CLOTH_STATUS) return get_status(transfer, memory, region);
  const DeviceRange exchange = store_.block_range(block_exchange, region.source_offset, region.count);
  const ClothsByRange::Found cloths = cloths_.between(region.source_offset, region.source_offset + region.count);
  // Elements that belong to no cloth read as zeros.
  uint32_t shown = 0;
  for (const Cloth* cloth : cloths) shown += overlap(*cloth, region.source_offset, region.count).count();
  if (shown < region.count) store_.queue().commands().add(Fill{exchange.memory, exchange.offset, exchange.size, {}});
  jobs_.clear();
  for (Cloth* cloth : cloths) get_cloth(*cloth, *transfer.channel, overlap(*cloth, region.source_offset, region.count));
  store_.run(jobs_);
  Copy copy;
  copy.source = exchange.memory;
  copy.source_offset = exchange.offset;
  copy.source_stride = 16;
  copy.target = memory;
  copy.target_offset = transfer.byte_offset + uint64_t{region.target_offset} * transfer.stride;
  copy.target_stride = transfer.stride;
  copy.element_size = size_of_format(transfer.format);
  copy.count = region.count;
  store_.queue().commands().add(copy);
}

// Queues the copy of a cloth's particles to the exchange block, or lists the job for it.
void Transfers::get_cloth(Cloth& cloth, const ChannelInfo& channel, Elements elements) {
  // A velocity is that of the motion where none was set.
  const bool is_unset =
      channel.state != state_channel_count && channel.state != state_velocity && !cloth.has(channel.state);
  if (is_unset) {
    const DeviceRange range = store_.block_range(block_exchange, elements.begin, elements.count());
    const uint32_t* unset = state_channels[channel.state].unset;
    store_.queue().commands().add(
        Fill{range.memory, range.offset, range.size, {unset[0], unset[1], unset[2], unset[3]}});
    return;
  }
  uploads_.upload_settings(cloth);
  jobs_.push_back({static_cast<uint32_t>(channel.read), cloth.slot,
                   (elements.begin - cloth.first_particle) / lane_padding * lane_padding,
                   elements.end - cloth.first_particle, read_bias + cloth.first_particle});
}

void Transfers::get_status(const Transfer& transfer, const MemoryPointer& memory, const clothc_region& region) {
  constexpr uint64_t offset = offsetof(GroupRecord, state) + offsetof(GroupState, status);
  Copy copy;
  copy.source = store_.cloth_memory();
  copy.target = memory;
  copy.element_size = transfer.element_size;
  for (uint32_t k = 0; k < region.count; ++k) {
    const Cloth& cloth = *cloths_.in_order()[region.source_offset + k];
    copy.source_offset = store_.record_range(cloth.slot, offset, 0).offset;
    copy.target_offset = transfer.byte_offset + uint64_t{region.target_offset + k} * transfer.stride;
    store_.queue().commands().add(copy);
    if (transfer.element_size == sizeof(clothc_cloth_status)) continue;
    static_assert(offsetof(clothc_cloth_status, struct_size) == 0, "a record begins with its size");
    store_.queue().write(memory, copy.target_offset, &transfer.element_size, sizeof(transfer.element_size));
  }
}

}  // namespace clothc
