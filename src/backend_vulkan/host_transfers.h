// host_transfers.h - copies at once between the host and memory that the host cannot access. This serves rare
// operations, such as creating memory or reading a snapshot. Streams have their own copies, which happen in the order
// of the stream.
#pragma once

#include "backend_vulkan/immediate_commands.h"
#include "backend_vulkan/memory.h"

namespace clothc::vulkan {

class HostTransfers {
 public:
  // Allocates everything that transfers need, so that they do not run out of memory later. Throws Failure.
  explicit HostTransfers(const GpuPointer& gpu);

  // Each of these functions waits for the device, and throws Failure if the device is lost or only records.
  void read(const Block& block, uint64_t offset, void* data, uint64_t size);
  void write(const Block& block, uint64_t offset, const void* data, uint64_t size);
  // Sets the bytes to 0. offset and size are multiples of 4.
  void clear(const Block& block, uint64_t offset, uint64_t size);

 private:
  // The lock must be held. Begins to record commands.
  VkCommandBuffer begin();
  // The lock must be held. Submits the recorded commands and waits for them.
  void finish(VkCommandBuffer commands);

  GpuPointer gpu_;
  std::mutex mutex_;
  Block staging_;
  ImmediateCommands commands_;
};

}  // namespace clothc::vulkan
