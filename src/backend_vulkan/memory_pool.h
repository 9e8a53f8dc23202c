// memory_pool.h - allocates the memory of a device. Allocations are ranges of large blocks, so that the driver has to
// make only a few allocations.
#pragma once

#include <vector>

#include "backend_vulkan/host_transfers.h"
#include "backend_vulkan/memory.h"
#include "core/base/ranges.h"

namespace clothc::vulkan {

class MemoryPool : public std::enable_shared_from_this<MemoryPool> {
 public:
  explicit MemoryPool(const GpuPointer& gpu) : gpu_(gpu), transfers_(gpu) {}

  // Allocates zeroed memory.
  MemoryPointer allocate(uint64_t size, MemoryVisibility visibility);
  // Allocates memory with undefined contents.
  MemoryPointer allocate_raw(uint64_t size, MemoryVisibility visibility);
  MemoryPointer wrap(void* memory, uint64_t size);
  MemoryPointer import_memory(const ExternalMemory& external);
  // The destructor of GpuMemory calls this.
  void release(const std::shared_ptr<Block>& block, uint64_t offset, uint64_t size);

  HostTransfers& transfers() { return transfers_; }

 private:
  struct Shared {
    std::shared_ptr<Block> block;
    // Allocates ranges in units of range_alignment bytes.
    RangeAllocator ranges;
    bool host;
    // Number of ranges in use.
    uint32_t used = 0;
  };
  MemoryPointer take_range(Shared& shared, uint64_t size);
  MemoryPointer own_block(const Block::Description& description, uint64_t offset, uint64_t size);

  GpuPointer gpu_;
  HostTransfers transfers_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Shared>> shared_;
};

}  // namespace clothc::vulkan
