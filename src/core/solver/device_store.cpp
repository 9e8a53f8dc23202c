// device_store.cpp - allocation of a solver's device memory, and the work on it.
#include "core/solver/device_store.h"

#include <algorithm>

#include "core/schedule/schedule.h"

namespace clothc {
DeviceStore::DeviceStore(CommandQueue& queue, uint32_t particle_capacity, uint32_t cloth_capacity)
    : queue_(queue),
      particles_(padded(particle_capacity)),
      particle_memory_(
          queue.backend().allocate(uint64_t{block_count} * 16 * (padding_particle_count + padded(particle_capacity)),
                                   MemoryVisibility::device_only)),
      cloth_memory_(
          queue.backend().allocate(uint64_t{cloth_capacity} * sizeof(GroupRecord), MemoryVisibility::device_only)),
      tables_(queue.backend(), 1024),
      fabrics_(queue) {}

DeviceRange DeviceStore::block_range(ParticleBlock block, uint32_t first, uint32_t count) const {
  return {particle_memory_, (uint64_t{first_element(block)} + first) * 16, uint64_t{count} * 16};
}

void DeviceStore::copy_block(ParticleBlock source, uint32_t source_first, ParticleBlock target, uint32_t target_first,
                             uint32_t count) {
  copy_particles(block_range(source, source_first, count).offset, block_range(target, target_first, count).offset,
                 count);
}

void DeviceStore::copy_particles(uint64_t source, uint64_t target, uint32_t count) {
  Copy copy;
  copy.source = copy.target = particle_memory_;
  copy.source_offset = source;
  copy.target_offset = target;
  copy.element_size = uint64_t{count} * 16;
  queue_.commands().add(std::move(copy));
}

void DeviceStore::ensure_channel(Cloth& cloth, StateChannel channel) {
  uint32_t& first = cloth.channel_elements[channel];
  if (!state_channels[channel].is_optional() || first != 0) return;
  const uint32_t count = cloth.particle_stride;
  uint32_t found = channel_elements_.allocate(count);
  if (found == RangeAllocator::none) {
    // Kernels address elements by 31 bits.
    constexpr uint64_t element_limit = uint64_t{1} << 31;
    const uint64_t capacity = uint64_t{channel_elements_.capacity()} + std::max(channel_elements_.capacity(), count);
    CLOTHC_REQUIRE_AS(CLOTHC_ERROR_CAPACITY, block_elements() + capacity <= element_limit,
                      "channel %s of another %u particles does not fit into the %llu elements that a solver can have; "
                      "spread the cloths over several solvers",
                      state_channels[channel].name, cloth.particle_count(),
                      static_cast<unsigned long long>(element_limit));
    MemoryPointer larger = queue_.backend().allocate((block_elements() + capacity) * 16, MemoryVisibility::device_only);
    Copy copy;
    copy.source = particle_memory_;
    copy.target = larger;
    copy.element_size = particle_memory_->size();
    queue_.commands().add(std::move(copy));
    channel_elements_.grow(static_cast<uint32_t>(capacity));
    particle_memory_ = std::move(larger);
    queue_.commands().keep();
    found = channel_elements_.allocate(count);
  }
  first = block_elements() + found;
}

void DeviceStore::release_channel(Cloth& cloth, StateChannel channel) {
  uint32_t& first = cloth.channel_elements[channel];
  if (first != 0) channel_elements_.release(first - block_elements(), cloth.particle_stride);
  first = 0;
}

DeviceRange DeviceStore::channel_range(const Cloth& cloth, StateChannel channel, uint32_t count) const {
  if (!state_channels[channel].is_optional())
    return block_range(ParticleBlock{uint32_t{channel}}, cloth.first_particle, count);
  return {particle_memory_, uint64_t{cloth.channel_elements[channel]} * 16, uint64_t{count} * 16};
}

void DeviceStore::write_channel(const Cloth& cloth, StateChannel channel, const std::vector<float>& values) {
  queue_.write(particle_memory_, channel_range(cloth, channel, 0).offset, values.data(), values.size() * 4);
}

void DeviceStore::clear_padding(uint32_t first_particle) {
  for (const ParticleBlock block : {block_position, block_previous}) {
    constexpr uint64_t size = uint64_t{padding_particle_count} * 16;
    queue_.commands().add(Fill{particle_memory_, block_range(block, first_particle, 0).offset - size, size, {}});
  }
}

void DeviceStore::fill_channel(const Cloth& cloth, StateChannel channel, const uint32_t pattern[4]) {
  const DeviceRange range = channel_range(cloth, channel, cloth.particle_stride);
  queue_.commands().add(Fill{range.memory, range.offset, range.size, {pattern[0], pattern[1], pattern[2], pattern[3]}});
}

void DeviceStore::copy_element(const Cloth& cloth, StateChannel channel, uint32_t source, uint32_t target) {
  if (!cloth.has(channel)) return;
  const uint64_t first = channel_range(cloth, channel, 0).offset;
  copy_particles(first + uint64_t{source} * 16, first + uint64_t{target} * 16, 1);
}

void DeviceStore::copy_channel(const Cloth& source, StateChannel from, const Cloth& target, StateChannel to) {
  copy_particles(channel_range(source, from, 0).offset, channel_range(target, to, 0).offset, source.particle_stride);
}

DeviceRange DeviceStore::record_range(uint32_t slot, uint64_t offset, uint64_t size) const {
  return {cloth_memory_, uint64_t{slot} * sizeof(GroupRecord) + offset, size};
}

void DeviceStore::write_record(uint32_t slot, uint64_t offset, const void* data, uint64_t size) {
  queue_.write(cloth_memory_, record_range(slot, offset, size).offset, data, size);
}

void DeviceStore::release_words(uint32_t first, uint32_t count) {
  if (first != 0) tables_.release(first, count);
}

void DeviceStore::clear_words(uint32_t first, uint32_t count) {
  if (first == 0) return;
  queue_.commands().add(Fill{tables_.memory(), uint64_t{first} * 4, uint64_t{padded(count)} * 4, {}});
}

void DeviceStore::write_words(uint32_t first, const std::vector<uint32_t>& words) {
  write_words(first, words.data(), words.size());
}

void DeviceStore::write_words(uint32_t first, const uint32_t* words, size_t count) {
  queue_.write(tables_.memory(), uint64_t{first} * 4, words, count * 4);
}

void DeviceStore::run(const std::vector<Job>& jobs) {
  if (!jobs.empty()) run(Sequence().run(jobs, true).finish());
}

void DeviceStore::run(const std::shared_ptr<const Schedule>& schedule, float dt, uint32_t repeat_count,
                      uint32_t program_iterations, std::shared_ptr<DispatchTimes> times) {
  queue_.commands().add(
      Dispatch{arenas(), frame_constants(dt), schedule, repeat_count, program_iterations, std::move(times)});
}

FrameConstants DeviceStore::frame_constants(float dt) const {
  FrameConstants frame{};
  frame.dt = dt;
  frame.position = first_element(block_position);
  frame.previous = first_element(block_previous);
  frame.exchange = first_element(block_exchange);
  return frame;
}

}  // namespace clothc
