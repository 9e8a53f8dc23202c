// vulkan_device.h - the first Vulkan device of the first driver, its functions, and mapped buffers on it. libvulkan is
// opened at run time. A failing call throws std::runtime_error.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <cstddef>
#include <cstdint>

namespace clothc::probes {

void check(VkResult result, const char* call);
#define CHECK(call) check(call, #call)

struct Buffer {
  VkBuffer buffer = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  void* mapped = nullptr;
  size_t size = 0;
};

class VulkanDevice {
 public:
  VulkanDevice();
  ~VulkanDevice();
  VulkanDevice(const VulkanDevice&) = delete;
  VulkanDevice& operator=(const VulkanDevice&) = delete;

  // Makes a buffer for storage and texel access that is coherent with the host's mapping.
  Buffer make_buffer(size_t size) const;
  void release(Buffer& buffer) const;

  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical_device = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
#define VULKAN_FUNCTION(name) PFN_vk##name name = nullptr;
#include "parity/dialect/vulkan_functions.def"
#undef VULKAN_FUNCTION

 private:
  void create_instance();
  void create_device();
  uint32_t mapped_memory_type(uint32_t allowed) const;
};

}  // namespace clothc::probes
