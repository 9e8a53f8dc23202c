// vulkan_device.cpp - see vulkan_device.h.
#if __has_include(<vulkan/vulkan.h>)

#include "parity/dialect/vulkan_device.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace clothc::probes {
void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + " gave " + std::to_string(result));
}

VulkanDevice::VulkanDevice() {
  create_instance();
  create_device();
}

void VulkanDevice::create_instance() {
  void* library = dlopen("libvulkan.so.1", RTLD_NOW);
  if (!library) throw std::runtime_error("there is no libvulkan.so.1");
  const auto get = reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_1;
  VkInstanceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  info.pApplicationInfo = &application;
  CHECK(create(&info, nullptr, &instance));
#define VULKAN_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(get(instance, "vk" #name));
#include "parity/dialect/vulkan_functions.def"
#undef VULKAN_FUNCTION
}

void VulkanDevice::create_device() {
  uint32_t count = 1;
  EnumeratePhysicalDevices(instance, &count, &physical_device);
  if (count == 0) throw std::runtime_error("there is no Vulkan device");
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{};
  queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  CHECK(CreateDevice(physical_device, &info, nullptr, &device));
  GetDeviceQueue(device, 0, 0, &queue);
}

VulkanDevice::~VulkanDevice() {
  DestroyDevice(device, nullptr);
  DestroyInstance(instance, nullptr);
}

Buffer VulkanDevice::make_buffer(size_t size) const {
  Buffer result;
  result.size = size;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
  CHECK(CreateBuffer(device, &info, nullptr, &result.buffer));
  VkMemoryRequirements requirements;
  GetBufferMemoryRequirements(device, result.buffer, &requirements);
  VkMemoryAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate_info.allocationSize = requirements.size;
  allocate_info.memoryTypeIndex = mapped_memory_type(requirements.memoryTypeBits);
  CHECK(AllocateMemory(device, &allocate_info, nullptr, &result.memory));
  CHECK(BindBufferMemory(device, result.buffer, result.memory, 0));
  CHECK(MapMemory(device, result.memory, 0, VK_WHOLE_SIZE, 0, &result.mapped));
  return result;
}

void VulkanDevice::release(Buffer& buffer) const {
  if (buffer.buffer) DestroyBuffer(device, buffer.buffer, nullptr);
  if (buffer.memory) FreeMemory(device, buffer.memory, nullptr);
  buffer = Buffer();
}

uint32_t VulkanDevice::mapped_memory_type(uint32_t allowed) const {
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties properties;
  GetPhysicalDeviceMemoryProperties(physical_device, &properties);
  for (uint32_t k = 0; k < properties.memoryTypeCount; ++k) {
    if ((allowed >> k & 1) && (properties.memoryTypes[k].propertyFlags & wanted) == wanted) return k;
  }
  throw std::runtime_error("there is no mapped and coherent memory");
}

}  // namespace clothc::probes

#endif
