// host_transfers.h - copies between the host and memory that it does not see, at once: for what happens seldom, such as
// creating memory or reading a snapshot. Streams copy in their own order instead.
#pragma once

#include "backend_vulkan/memory.h"

namespace clothc::vulkan {

class HostTransfers {
 public:
  // Takes all it needs at once, so that transfers do not run out of memory. Throws Failure.
  explicit HostTransfers(const GpuPointer& gpu);
  ~HostTransfers();
  HostTransfers(const HostTransfers&) = delete;
  HostTransfers& operator=(const HostTransfers&) = delete;

  // Each waits for the device and throws Failure.
  void read(const Block& block, uint64_t offset, void* data, uint64_t size);
  void write(const Block& block, uint64_t offset, const void* data, uint64_t size);
  // Sets bytes to 0; offset and size are multiples of 4.
  void clear(const Block& block, uint64_t offset, uint64_t size);

 private:
  void create();
  void release();
  // With the lock held: begins to record commands; hands them over and waits for them.
  void begin();
  void finish();

  GpuPointer gpu_;
  std::mutex mutex_;
  TimelineSemaphore semaphore_;
  uint64_t submitted_ = 0;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  std::unique_ptr<Block> staging_;
};

}  // namespace clothc::vulkan
