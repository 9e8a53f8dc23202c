// copying_vulkan.h - a small program on Vulkan, for tests of layers: a command buffer that fills one buffer and copies
// it into another, with a timeline semaphore. Every step returns the result of its first failing call.
// Invariant: whatever step failed, the destructor destroys the command pool if it exists.
#pragma once

#include "support/raw_vulkan.h"

namespace clothc::faults {

using clothc_test::RawBuffer;

class CopyingVulkan : public clothc_test::RawVulkan {
 public:
  static constexpr uint32_t word_count = 64;
  static constexpr uint32_t fill = 0x2a2b2c2d;

  ~CopyingVulkan();

  VkResult create_instance(const std::vector<const char*>& layers, std::vector<std::string>* messages = nullptr);
  // Enables timeline semaphores and those of the extensions that the driver supports.
  VkResult create_device(const std::vector<const char*>& extensions = {});

  // Makes a buffer of word_count zeros.
  VkResult make_buffer(RawBuffer& buffer) const;
  VkResult make_timeline(VkSemaphore& semaphore) const;
  VkResult wait(VkSemaphore semaphore, uint64_t value, uint64_t nanoseconds) const;

  // Fills `source`, copies it into `target`, and signals the value 1.
  VkResult fill_and_copy(const RawBuffer& source, const RawBuffer& target, VkSemaphore semaphore);

 private:
  VkResult record(VkCommandBuffer commands, const RawBuffer& source, const RawBuffer& target) const;

  VkCommandPool pool_ = VK_NULL_HANDLE;
};

}  // namespace clothc::faults
