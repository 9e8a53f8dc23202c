// functions.h - the functions of Vulkan that the renderer calls, loaded at run time: nothing is linked to libvulkan.
#pragma once

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

namespace clothc_renderer {

// Members have the names of the functions without vk. functions.def lists them.
struct VulkanFunctions {
  PFN_vkGetInstanceProcAddr GetInstanceProcAddr = nullptr;
#define CLOTHC_GLOBAL_FUNCTION(name) PFN_vk##name name = nullptr;
#define CLOTHC_INSTANCE_FUNCTION(name) PFN_vk##name name = nullptr;
#define CLOTHC_DEVICE_FUNCTION(name) PFN_vk##name name = nullptr;
#include "render/functions.def"
#undef CLOTHC_GLOBAL_FUNCTION
#undef CLOTHC_INSTANCE_FUNCTION
#undef CLOTHC_DEVICE_FUNCTION

  // Opens libvulkan.so.1 or vulkan-1.dll, which is never closed. Returns false if there is none.
  bool load_loader();
  void load_instance(VkInstance instance);
  void load_device(VkDevice device);
};

}  // namespace clothc_renderer
