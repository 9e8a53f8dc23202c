// functions.cpp - see functions.h.
#include "render/functions.h"

#if defined(_WIN32)
#include <windows.h>
// windows.h makes it a macro, and Vulkan has a function of that name.
#undef CreateSemaphore
#else
#include <dlfcn.h>
#endif

namespace clothc_renderer {
namespace {

PFN_vkGetInstanceProcAddr find_loader() {
#if defined(_WIN32)
  const HMODULE library = LoadLibraryA("vulkan-1.dll");
  void* const found = library ? reinterpret_cast<void*>(GetProcAddress(library, "vkGetInstanceProcAddr")) : nullptr;
#else
  void* const library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
  void* const found = library ? dlsym(library, "vkGetInstanceProcAddr") : nullptr;
#endif
  return reinterpret_cast<PFN_vkGetInstanceProcAddr>(found);
}

}  // namespace

bool VulkanFunctions::load_loader() {
  static const PFN_vkGetInstanceProcAddr loader = find_loader();
  if (!loader) return false;
  GetInstanceProcAddr = loader;
#define CLOTHC_GLOBAL_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(loader(VK_NULL_HANDLE, "vk" #name));
#define CLOTHC_INSTANCE_FUNCTION(name)
#define CLOTHC_DEVICE_FUNCTION(name)
#include "render/functions.def"
#undef CLOTHC_GLOBAL_FUNCTION
#undef CLOTHC_INSTANCE_FUNCTION
#undef CLOTHC_DEVICE_FUNCTION
  return true;
}

void VulkanFunctions::load_instance(VkInstance instance) {
#define CLOTHC_GLOBAL_FUNCTION(name)
#define CLOTHC_INSTANCE_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(GetInstanceProcAddr(instance, "vk" #name));
#define CLOTHC_DEVICE_FUNCTION(name)
#include "render/functions.def"
#undef CLOTHC_GLOBAL_FUNCTION
#undef CLOTHC_INSTANCE_FUNCTION
#undef CLOTHC_DEVICE_FUNCTION
}

void VulkanFunctions::load_device(VkDevice device) {
#define CLOTHC_GLOBAL_FUNCTION(name)
#define CLOTHC_INSTANCE_FUNCTION(name)
#define CLOTHC_DEVICE_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
#include "render/functions.def"
#undef CLOTHC_GLOBAL_FUNCTION
#undef CLOTHC_INSTANCE_FUNCTION
#undef CLOTHC_DEVICE_FUNCTION
}

}  // namespace clothc_renderer
