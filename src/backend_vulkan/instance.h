// instance.h - a Vulkan instance, of the library's own or of the application, and the loader library, which is loaded
// at run time and stays loaded while an instance exists.
// Invariant: the library's own instance serves all devices of the process and is never destroyed. The loader loads the
// drivers for an instance and unloads them with the last one, and what a driver takes of a process each time it is
// loaded, such as room for variables of threads, it need not get back: an instance for each device failed at the 29th.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backend_vulkan/headers.h"
#include "platform/shared_library.h"

namespace clothc::vulkan {

class Instance {
 public:
  // Returns the instance of the process, which is made when it is first asked for. One that lists no devices is not
  // kept, so that the next call looks again. Returns null and sets reason if there is no Vulkan loader, if the loader is
  // too old, or if no driver works; the next call tries again. Any thread may call this.
  static std::shared_ptr<Instance> of_process(std::string& reason);
  // Returns an instance of the application. get: the application's loader, or null for that of the system. Returns null
  // and sets reason if there is none.
  static std::shared_ptr<Instance> adopt(VkInstance instance, PFN_vkGetInstanceProcAddr get, std::string& reason);

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
  // Makes an instance. Returns null and sets reason if that fails.
  static std::shared_ptr<Instance> create(std::string& reason);
  // Opens the loader. Returns null and sets reason if it cannot be used.
  PFN_vkGetInstanceProcAddr open_loader(std::string& reason);
  bool make(PFN_vkGetInstanceProcAddr get, std::string& reason);
  bool load_functions(PFN_vkGetInstanceProcAddr get, std::string& reason);

  platform::SharedLibrary library_;
  VkInstance instance_ = VK_NULL_HANDLE;
  bool is_adopted_ = false;
};

// Returns the name of a result, such as "VK_ERROR_DEVICE_LOST".
const char* name_of(VkResult result);

}  // namespace clothc::vulkan
