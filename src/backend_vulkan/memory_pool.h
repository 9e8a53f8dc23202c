// memory_pool.h - allocates the memory of a device. Allocations are ranges of large blocks, so that the driver has to
// make only a few allocations.
#pragma once

#include "backend_gpu/block_pool.h"
#include "backend_vulkan/host_transfers.h"
#include "backend_vulkan/memory.h"

namespace clothc::vulkan {

class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  explicit MemoryPool(const GpuPointer& gpu) : gpu_(gpu), transfers_(gpu) {}

  // Allocates zeroed memory.
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility);
  // Allocates memory with undefined contents.
  MemoryPointer allocate_raw(uint64_t size, MemoryVisibility visibility);
  MemoryPointer wrap(void* memory, uint64_t size);
  // Throws Failure if the device was not adopted, or if the buffer is too short.
  MemoryPointer wrap_buffer(const NativeBuffer& buffer, uint64_t size);
  MemoryPointer import_memory(const ExternalMemory& external);
  // The destructor of GpuMemory calls this.
  void release(const std::shared_ptr<Block>& block, uint64_t offset, uint64_t size);

  HostTransfers& transfers() { return transfers_; }

 private:
  MemoryPointer own_block(const Block::Description& description, uint64_t offset, uint64_t size);

  GpuPointer gpu_;
  HostTransfers transfers_;
  std::mutex mutex_;
  // Blocks that the host can access are of a kind of their own.
  gpu::BlockPool<Block> blocks_;
};

}  // namespace clothc::vulkan
