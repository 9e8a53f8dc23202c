// device_store.cpp - allocation of a solver's device memory, and the work on it.
#include "core/solver/device_store.h"

#include "core/schedule/schedule.h"

namespace clothc {
namespace {

uint32_t padded_capacity(uint32_t particles) { return (particles + lane_padding - 1) / lane_padding * lane_padding; }

}  // namespace

DeviceStore::DeviceStore(CommandQueue& queue, uint32_t particle_capacity, uint32_t cloth_capacity)
    : queue_(queue),
      particles_(padded_capacity(particle_capacity)),
      particle_memory_(queue.backend().allocate(uint64_t{block_count} * 16 * padded_capacity(particle_capacity),
                                                MemoryVisibility::device_only)),
      cloth_memory_(
          queue.backend().allocate(uint64_t{cloth_capacity} * sizeof(ClothRecord), MemoryVisibility::device_only)),
      tables_(queue.backend(), 1024),
      fabrics_(queue) {}

DeviceRange DeviceStore::block_range(uint32_t block, uint32_t first, uint32_t count) const {
  return {particle_memory_, (uint64_t{block} * particle_capacity() + first) * 16, uint64_t{count} * 16};
}

void DeviceStore::write_block(uint32_t block, uint32_t first, const std::vector<float>& values) {
  queue_.write(particle_memory_, block_range(block, first, 0).offset, values.data(), values.size() * 4);
}

void DeviceStore::fill_block(uint32_t block, uint32_t first, uint32_t count, const uint32_t pattern[4]) {
  const DeviceRange range = block_range(block, first, count);
  queue_.stream().fill(range.memory, range.offset, range.size, pattern);
}

void DeviceStore::copy_block(uint32_t source_block, uint32_t source_first, uint32_t target_block, uint32_t target_first,
                             uint32_t count) {
  Copy copy;
  copy.source = copy.target = particle_memory_;
  copy.source_offset = block_range(source_block, source_first, count).offset;
  copy.target_offset = block_range(target_block, target_first, count).offset;
  copy.element_size = uint64_t{count} * 16;
  queue_.stream().copy(copy);
}

DeviceRange DeviceStore::record_range(uint32_t slot, uint64_t offset, uint64_t size) const {
  return {cloth_memory_, uint64_t{slot} * sizeof(ClothRecord) + offset, size};
}

void DeviceStore::write_record(uint32_t slot, uint64_t offset, const void* data, uint64_t size) {
  queue_.write(cloth_memory_, record_range(slot, offset, size).offset, data, size);
}

void DeviceStore::release_words(uint32_t first, uint32_t count) {
  if (first != 0) tables_.release(first, count);
}

void DeviceStore::write_words(uint32_t first, const std::vector<uint32_t>& words) {
  write_words(first, words.data(), words.size());
}

void DeviceStore::write_words(uint32_t first, const uint32_t* words, size_t count) {
  queue_.write(tables_.memory(), uint64_t{first} * 4, words, count * 4);
}

void DeviceStore::sort_words(const SortedWords& memory, uint32_t keys, uint32_t words, uint32_t target,
                             uint32_t count) {
  const auto copy = [&](const MemoryPointer& source, uint32_t first, const MemoryPointer& into, uint32_t begin) {
    Copy bytes;
    bytes.source = source;
    bytes.target = into;
    bytes.source_offset = uint64_t{first} * 4;
    bytes.target_offset = uint64_t{begin} * 4;
    bytes.element_size = uint64_t{count} * 4;
    queue_.stream().copy(bytes);
  };
  copy(tables_.memory(), keys, memory[0], 0);
  copy(tables_.memory(), words, memory[1], 0);
  queue_.stream().sort_pairs(memory[0], memory[1], memory[2], memory[3], count);
  copy(memory[1], 0, tables_.memory(), target);
}

void DeviceStore::run(const std::vector<Job>& jobs) {
  if (!jobs.empty()) run(schedule_of(jobs));
}

void DeviceStore::run_in_sequence(const std::vector<Job>& jobs) { run(sequence_of(jobs)); }

void DeviceStore::run(const std::shared_ptr<const Schedule>& schedule, float dt, uint32_t repeat_count,
                      uint32_t program_iterations) {
  queue_.stream().run({arenas(), frame_constants(dt), schedule, repeat_count, program_iterations});
}

FrameConstants DeviceStore::frame_constants(float dt) const {
  const uint32_t capacity = particle_capacity();
  FrameConstants frame{};
  frame.dt = dt;
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, access, unset) frame.block = block_##block * capacity;
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
  frame.exchange = block_exchange * capacity;
  return frame;
}

}  // namespace clothc
