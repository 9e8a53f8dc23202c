// raw_vulkan.h - Vulkan without clothc, for tests of layers: an instance with chosen layers, its first device, and a
// command buffer that fills one buffer and copies it into another. Every step returns the result of its first failing
// call.
// Invariant: whatever step failed, the destructor destroys all objects that exist.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace clothc::faults {

struct RawBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint32_t* mapped = nullptr;
};

class RawVulkan {
 public:
  static constexpr uint32_t word_count = 64;
  static constexpr uint32_t fill = 0x2a2b2c2d;

  RawVulkan() = default;
  ~RawVulkan();
  RawVulkan(const RawVulkan&) = delete;
  RawVulkan& operator=(const RawVulkan&) = delete;

  // The first layer is closest to the application. Messages of VK_EXT_debug_utils are added to `messages` unless it is
  // null.
  VkResult create_instance(const std::vector<const char*>& layers, std::vector<std::string>* messages = nullptr);
  // Returns VK_ERROR_INITIALIZATION_FAILED if there is no device.
  VkResult find_physical_device();
  // Enables timeline semaphores and those of the extensions that the driver supports.
  VkResult create_device(const std::vector<const char*>& extensions = {});

  VkResult make_buffer(RawBuffer& buffer) const;
  void release(RawBuffer& buffer) const;
  VkResult make_timeline(VkSemaphore& semaphore) const;
  VkResult wait(VkSemaphore semaphore, uint64_t value, uint64_t nanoseconds) const;

  // Fills `source`, copies it into `target`, and signals the value 1.
  VkResult fill_and_copy(const RawBuffer& source, const RawBuffer& target, VkSemaphore semaphore);

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
#define RAW_INSTANCE_FUNCTION(name) PFN_vk##name name = nullptr;
#define RAW_DEVICE_FUNCTION(name) PFN_vk##name name = nullptr;
#include "vulkan/raw_functions.def"
#undef RAW_INSTANCE_FUNCTION
#undef RAW_DEVICE_FUNCTION

 private:
  bool has_extension(const char* name) const;
  uint32_t mapped_memory_type(uint32_t allowed) const;
  VkResult record(VkCommandBuffer commands, const RawBuffer& source, const RawBuffer& target) const;

  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

// Returns whether the loader has a layer of this name.
bool layer_is_there(const char* name);

}  // namespace clothc::faults
