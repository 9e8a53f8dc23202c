// instance.h - a Vulkan instance and the loader library, which is loaded at run time and stays loaded while an
// instance exists.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend_vulkan/headers.h"
#include "platform/shared_library.h"

namespace clothc::vulkan {

class Instance {
 public:
  // Returns the instance, which is shared: while one exists, this returns it. Returns null and sets reason if there is
  // no Vulkan loader, if the loader is too old, or if no driver works.
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

  platform::SharedLibrary library_;
  VkInstance instance_ = VK_NULL_HANDLE;
};

// Returns the name of a result, such as "VK_ERROR_DEVICE_LOST".
const char* name_of(VkResult result);

}  // namespace clothc::vulkan
