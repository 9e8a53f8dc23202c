// vulkan_device.h - the first GPU, or the first Vulkan device where there is no GPU, and mapped buffers on it. A failing
// call throws std::runtime_error.
#pragma once

#include <stdexcept>
#include <string>

#include "support/raw_vulkan.h"

namespace clothc::probes {

inline void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + " gave " + std::to_string(result));
}
#define CHECK(call) check(call, #call)

using Buffer = clothc_test::RawBuffer;

class VulkanDevice : public clothc_test::RawVulkan {
 public:
  VulkanDevice() {
    if (!clothc_test::has_vulkan_loader()) throw std::runtime_error("there is no libvulkan.so.1");
    CHECK(create_instance(VK_API_VERSION_1_2));
    if (find_physical_device() != VK_SUCCESS) throw std::runtime_error("there is no Vulkan device");
    CHECK(create_device());
  }

  // Makes a buffer for storage and texel access.
  Buffer make_buffer(size_t size) const {
    Buffer buffer;
    CHECK(RawVulkan::make_buffer(buffer, size,
                                 VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT));
    return buffer;
  }
};

}  // namespace clothc::probes
