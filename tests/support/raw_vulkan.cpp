// raw_vulkan.cpp - see raw_vulkan.h. The file is empty if there are no Vulkan headers.
#if __has_include(<vulkan/vulkan.h>)

#include "support/raw_vulkan.h"

#if defined(_WIN32)
#include <windows.h>
// windows.h makes it a macro, and Vulkan has a function of that name.
#undef CreateSemaphore
#else
#include <dlfcn.h>
#endif

#include <algorithm>
#include <cstring>

namespace clothc_test {
namespace {

// Returns null if there is no loader. The library is never closed.
PFN_vkGetInstanceProcAddr loader() {
#if defined(_WIN32)
  static const HMODULE library = LoadLibraryA("vulkan-1.dll");
  const auto find = [](const char* name) { return reinterpret_cast<void*>(GetProcAddress(library, name)); };
#else
  static void* const library = dlopen("libvulkan.so.1", RTLD_NOW);
  const auto find = [](const char* name) { return dlsym(library, name); };
#endif
  return library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(find("vkGetInstanceProcAddr")) : nullptr;
}

VkBool32 VKAPI_CALL keep_message(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                 const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
  static_cast<std::vector<std::string>*>(messages)->push_back(data->pMessage);
  return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messenger_info(std::vector<std::string>* messages) {
  VkDebugUtilsMessengerCreateInfoEXT info{};
  info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT;
  info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
  info.pfnUserCallback = keep_message;
  info.pUserData = messages;
  return info;
}

}  // namespace

bool has_vulkan_loader() { return loader() != nullptr; }

bool layer_is_there(const char* name) {
  if (!loader()) return false;
  const auto enumerate =
      reinterpret_cast<PFN_vkEnumerateInstanceLayerProperties>(loader()(nullptr, "vkEnumerateInstanceLayerProperties"));
  uint32_t count = 0;
  enumerate(&count, nullptr);
  std::vector<VkLayerProperties> layers(count);
  enumerate(&count, layers.data());
  for (const VkLayerProperties& layer : layers) {
    if (std::strcmp(layer.layerName, name) == 0) return true;
  }
  return false;
}

VkResult RawVulkan::create_instance(uint32_t version, const std::vector<const char*>& layers,
                                    std::vector<std::string>* messages) {
  if (!loader()) return VK_ERROR_INITIALIZATION_FAILED;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(loader()(nullptr, "vkCreateInstance"));
  const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(messages);
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = version;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  info.enabledLayerCount = static_cast<uint32_t>(layers.size());
  info.ppEnabledLayerNames = layers.data();
  if (messages) {
    info.pNext = &messenger;
    info.enabledExtensionCount = 1;
    info.ppEnabledExtensionNames = &extension;
  }
  TRY_VULKAN(create(&info, nullptr, &instance));
#define RAW_INSTANCE_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(loader()(instance, "vk" #name));
#define RAW_DEVICE_FUNCTION(name)
#include "support/raw_functions.def"
#undef RAW_INSTANCE_FUNCTION
#undef RAW_DEVICE_FUNCTION
  if (!messages) return VK_SUCCESS;
  // The structure above reports only creation and destruction of the instance.
  const auto listen =
      reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(loader()(instance, "vkCreateDebugUtilsMessengerEXT"));
  return listen(instance, &messenger, nullptr, &messenger_);
}

VkResult RawVulkan::find_physical_device() {
  VkPhysicalDevice found[16] = {};
  uint32_t count = 16;
  const VkResult result = EnumeratePhysicalDevices(instance, &count, found);
  if (result < 0) return result;
  if (count == 0) return VK_ERROR_INITIALIZATION_FAILED;
  const auto is_gpu = [this](VkPhysicalDevice candidate) {
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    GetPhysicalDeviceProperties2(candidate, &properties);
    return properties.properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU;
  };
  // Nothing is asked of the only device.
  VkPhysicalDevice* const gpu = count == 1 ? found : std::find_if(found, found + count, is_gpu);
  physical_device = gpu == found + count ? found[0] : *gpu;
  return VK_SUCCESS;
}

bool RawVulkan::has_extension(const char* name) const {
  uint32_t count = 0;
  EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, nullptr);
  std::vector<VkExtensionProperties> extensions(count);
  EnumerateDeviceExtensionProperties(physical_device, nullptr, &count, extensions.data());
  for (const VkExtensionProperties& extension : extensions) {
    if (std::strcmp(extension.extensionName, name) == 0) return true;
  }
  return false;
}

VkResult RawVulkan::create_device(const std::vector<const char*>& extensions, const void* features) {
  std::vector<const char*> present;
  for (const char* name : extensions) {
    if (has_extension(name)) present.push_back(name);
  }
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{};
  queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = features;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  info.enabledExtensionCount = static_cast<uint32_t>(present.size());
  info.ppEnabledExtensionNames = present.data();
  TRY_VULKAN(CreateDevice(physical_device, &info, nullptr, &device));
#define RAW_INSTANCE_FUNCTION(name)
#define RAW_DEVICE_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
#include "support/raw_functions.def"
#undef RAW_INSTANCE_FUNCTION
#undef RAW_DEVICE_FUNCTION
  GetDeviceQueue(device, 0, 0, &queue);
  return VK_SUCCESS;
}

RawVulkan::~RawVulkan() {
  if (device) DestroyDevice(device, nullptr);
  if (!instance) return;
  if (messenger_) {
    const auto stop =
        reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(loader()(instance, "vkDestroyDebugUtilsMessengerEXT"));
    stop(instance, messenger_, nullptr);
  }
  DestroyInstance(instance, nullptr);
}

VkResult RawVulkan::find_mapped_memory_type(uint32_t allowed, uint32_t& type) const {
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties properties;
  GetPhysicalDeviceMemoryProperties(physical_device, &properties);
  for (type = 0; type < properties.memoryTypeCount; ++type) {
    if ((allowed >> type & 1) && (properties.memoryTypes[type].propertyFlags & wanted) == wanted) return VK_SUCCESS;
  }
  return VK_ERROR_FEATURE_NOT_PRESENT;
}

VkResult RawVulkan::make_buffer(RawBuffer& buffer, size_t size, VkBufferUsageFlags usage) const {
  buffer.size = size;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = usage;
  TRY_VULKAN(CreateBuffer(device, &info, nullptr, &buffer.buffer));
  VkMemoryRequirements requirements;
  GetBufferMemoryRequirements(device, buffer.buffer, &requirements);
  VkMemoryAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate_info.allocationSize = requirements.size;
  TRY_VULKAN(find_mapped_memory_type(requirements.memoryTypeBits, allocate_info.memoryTypeIndex));
  TRY_VULKAN(AllocateMemory(device, &allocate_info, nullptr, &buffer.memory));
  TRY_VULKAN(BindBufferMemory(device, buffer.buffer, buffer.memory, 0));
  return MapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped);
}

void RawVulkan::release(RawBuffer& buffer) const {
  if (buffer.buffer) DestroyBuffer(device, buffer.buffer, nullptr);
  if (buffer.memory) FreeMemory(device, buffer.memory, nullptr);
  buffer = RawBuffer();
}

}  // namespace clothc_test

#endif
