// device_store.h - the device memory of a solver: per-particle data, records of cloths, tables and fabrics; and the
// work that is queued on it.
#pragma once

#include "core/backend/arena.h"
#include "core/base/ranges.h"
#include "core/cloth/cloth.h"
#include "core/solver/command_queue.h"
#include "core/solver/fabric_store.h"

namespace clothc {

class DeviceStore {
 public:
  DeviceStore(CommandQueue& queue, uint32_t particle_capacity, uint32_t cloth_capacity);

  CommandQueue& queue() const { return queue_; }
  FabricStore& fabrics() { return fabrics_; }
  Arenas arenas() const { return {particle_memory_, fabrics_.memory(), cloth_memory_, tables_.memory()}; }
  const MemoryPointer& particle_memory() const { return particle_memory_; }
  const MemoryPointer& cloth_memory() const { return cloth_memory_; }
  const MemoryPointer& table_memory() const { return tables_.memory(); }

  // Particles. A cloth has the same range in every block, and its optional channels anywhere behind the blocks. All
  // elements have 16 bytes. A block begins with the padding particles of a cloth whose first particle is element 0.

  uint32_t particle_capacity() const { return particles_.capacity(); }
  RangeAllocator& particles() { return particles_; }
  const RangeAllocator& particles() const { return particles_; }
  DeviceRange block_range(ParticleBlock block, uint32_t first, uint32_t count) const;
  void copy_block(ParticleBlock source, uint32_t source_first, ParticleBlock target, uint32_t target_first,
                  uint32_t count);
  // Allocates the elements of an optional channel, unless the cloth has them. What they hold is undefined. If the arena
  // has to grow, this queues a copy of it, which together with all work queued before stays queued even if the running
  // transaction fails, so that setters must call this before they begin one.
  void ensure_channel(Cloth& cloth, StateChannel channel);
  void release_channel(Cloth& cloth, StateChannel channel);
  // Elements of a channel that the cloth has, from its first particle on.
  DeviceRange channel_range(const Cloth& cloth, StateChannel channel, uint32_t count) const;
  void write_channel(const Cloth& cloth, StateChannel channel, const std::vector<float>& values);
  // Puts the padding particles in front of a cloth at rest at the origin.
  void clear_padding(uint32_t first_particle);
  // These include spare particles and padding.
  void fill_channel(const Cloth& cloth, StateChannel channel, const uint32_t pattern[4]);
  // Copies an element of a channel, if the cloth has the channel. Elements are counted from the cloth's first particle.
  void copy_element(const Cloth& cloth, StateChannel channel, uint32_t source, uint32_t target);
  void copy_channel(const Cloth& source, StateChannel from, const Cloth& target, StateChannel to);

  // Records of cloths. offset: of a member of GroupRecord.

  DeviceRange record_range(uint32_t slot, uint64_t offset, uint64_t size) const;
  void write_record(uint32_t slot, uint64_t offset, const void* data, uint64_t size);

  // Tables. Word 0 is never allocated, so that 0 stands for a range that does not exist.

  // Returns the first of `count` words, or of one word if count is 0. Throws Failure if there is no memory.
  uint32_t allocate_words(uint32_t count) { return tables_.allocate(queue_.commands(), count); }
  // Releases nothing if first is 0. count: as it was passed to allocate_words.
  void release_words(uint32_t first, uint32_t count);
  // Makes the words of a range 0. Does nothing if first is 0. count: as it was passed to allocate_words.
  void clear_words(uint32_t first, uint32_t count);
  void write_words(uint32_t first, const std::vector<uint32_t>& words);
  void write_words(uint32_t first, const uint32_t* words, size_t count);

  // Runs of kernels on this memory.

  // Queues jobs that are independent if they have the same kernel, sorted by kernel.
  void run(const std::vector<Job>& jobs);
  void run(const std::shared_ptr<const Schedule>& schedule, float dt = 0, uint32_t repeat_count = 0,
           uint32_t program_iterations = 0, std::shared_ptr<DispatchTimes> times = nullptr);

 private:
  FrameConstants frame_constants(float dt) const;
  void copy_particles(uint64_t source, uint64_t target, uint32_t count);
  // Number of elements in front of those of optional channels.
  uint32_t block_elements() const { return block_count * block_stride(); }
  uint32_t block_stride() const { return padding_particle_count + particle_capacity(); }
  uint32_t first_element(ParticleBlock block) const { return block * block_stride() + padding_particle_count; }

  CommandQueue& queue_;
  RangeAllocator particles_;
  // The elements behind the blocks.
  RangeAllocator channel_elements_{0};
  MemoryPointer particle_memory_;
  MemoryPointer cloth_memory_;
  WordArena tables_;
  FabricStore fabrics_;
};

}  // namespace clothc
