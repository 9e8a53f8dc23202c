// raw_vulkan.h - Vulkan without clothc: the loader, an instance with chosen layers, its first device, and mapped
// buffers. Every step returns the result of its first failing call.
// Invariant: whatever step failed, the destructor destroys the device and the instance if they exist.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Returns from the function with the result of a call that is not VK_SUCCESS.
#define TRY_VULKAN(call)                                            \
  do {                                                              \
    if (const VkResult bad = (call); bad != VK_SUCCESS) return bad; \
  } while (false)

namespace clothc_test {

struct RawBuffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;
  size_t size = 0;
};

class RawVulkan {
 public:
  RawVulkan() = default;
  ~RawVulkan();
  RawVulkan(const RawVulkan&) = delete;
  RawVulkan& operator=(const RawVulkan&) = delete;

  // The first layer is closest to the application. Messages of VK_EXT_debug_utils are added to `messages` unless it is
  // null. Returns VK_ERROR_INITIALIZATION_FAILED if there is no loader.
  VkResult create_instance(uint32_t version, const std::vector<const char*>& layers = {},
                           std::vector<std::string>* messages = nullptr);
  // Chooses the first GPU, or the first device where there is no GPU. Returns VK_ERROR_INITIALIZATION_FAILED if there is
  // no device.
  VkResult find_physical_device();
  // Enables those of the extensions that the driver supports. features: a chain of structures for VkDeviceCreateInfo.
  VkResult create_device(const std::vector<const char*>& extensions = {}, const void* features = nullptr);

  // Makes a buffer whose memory is mapped and coherent.
  VkResult make_buffer(RawBuffer& buffer, size_t size, VkBufferUsageFlags usage) const;
  void release(RawBuffer& buffer) const;

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
#define RAW_INSTANCE_FUNCTION(name) PFN_vk##name name = nullptr;
#define RAW_DEVICE_FUNCTION(name) PFN_vk##name name = nullptr;
#include "support/raw_functions.def"
#undef RAW_INSTANCE_FUNCTION
#undef RAW_DEVICE_FUNCTION

 private:
  bool has_extension(const char* name) const;
  VkResult find_mapped_memory_type(uint32_t allowed, uint32_t& type) const;

  VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
};

bool has_vulkan_loader();
// Returns whether the loader has a layer of this name.
bool layer_is_there(const char* name);

}  // namespace clothc_test
