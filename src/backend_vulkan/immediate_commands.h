// immediate_commands.h - one command buffer that is recorded and submitted at once, outside of streams.
#pragma once

#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

// One thread at a time may use it.
class ImmediateCommands {
 public:
  // Allocates everything that a submission needs. Throws Failure.
  explicit ImmediateCommands(const GpuPointer& gpu);
  // Waits for what was submitted, but no longer than the device may hang.
  ~ImmediateCommands();
  ImmediateCommands(const ImmediateCommands&) = delete;
  ImmediateCommands& operator=(const ImmediateCommands&) = delete;

  // Begins to record into the command buffer, whose last submission has ended, and returns it. Throws Failure.
  VkCommandBuffer begin();
  // Submits what was recorded. Returns the value that the semaphore reaches when it has ended. Throws Failure.
  uint64_t submit();
  const TimelineSemaphore& semaphore() const { return semaphore_; }

 private:
  GpuPointer gpu_;
  TimelineSemaphore semaphore_;
  uint64_t submitted_ = 0;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

}  // namespace clothc::vulkan
