// instance.h - libvulkan.so.1, loaded at run time, and an instance of it. The library is loaded while an instance lives.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <memory>
#include <string>
#include <vector>

namespace clothc::vulkan {

class Instance {
 public:
  // Null, with the reason, where there is no loader, it is too old, or no driver works. Instances are shared: while one
  // is alive, this returns it.
  static std::shared_ptr<Instance> create(std::string& reason);

  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  std::vector<VkPhysicalDevice> physical_devices() const;

#define CLOTHC_VULKAN_INSTANCE(name) PFN_vk##name name = nullptr;
#define CLOTHC_VULKAN_DEVICE(name)
#define CLOTHC_VULKAN_OPTIONAL(name)
#include "backend_vulkan/functions.def"
#undef CLOTHC_VULKAN_INSTANCE
#undef CLOTHC_VULKAN_DEVICE
#undef CLOTHC_VULKAN_OPTIONAL

 private:
  Instance() = default;
  bool open(std::string& reason);

  void* library_ = nullptr;
  VkInstance instance_ = VK_NULL_HANDLE;
};

// The name of a result, as in "VK_ERROR_DEVICE_LOST".
const char* name_of(VkResult result);

}  // namespace clothc::vulkan
