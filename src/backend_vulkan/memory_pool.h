// memory_pool.h - hands out memory: small pieces are ranges of large blocks, so that a driver sees few allocations.
#pragma once

#include <vector>

#include "backend_vulkan/host_transfers.h"
#include "backend_vulkan/memory.h"
#include "core/base/ranges.h"

namespace clothc::vulkan {

class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  explicit MemoryPool(const GpuPointer& gpu) : gpu_(gpu), transfers_(gpu) {}

  // Zeroed memory.
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility);
  // The same, with whatever is in it.
  MemoryPointer allocate_raw(uint64_t size, MemoryVisibility visibility);
  MemoryPointer wrap(void* memory, uint64_t size);
  MemoryPointer import_memory(const ExternalMemory& external);
  // Called by memory that ends.
  void release(const std::shared_ptr<Block>& block, uint64_t offset, uint64_t size);

  HostTransfers& transfers() { return transfers_; }

 private:
  struct Shared {
    std::shared_ptr<Block> block;
    RangeAllocator ranges;  // in units of range_alignment
    bool host;
    uint32_t used = 0;  // ranges
  };
  MemoryPointer take_range(Shared& shared, uint64_t size);
  MemoryPointer own_block(const Block::Description& description, uint64_t offset, uint64_t size);

  GpuPointer gpu_;
  HostTransfers transfers_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Shared>> shared_;
};

}  // namespace clothc::vulkan
