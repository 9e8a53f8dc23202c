// raw_vulkan.cpp - see raw_vulkan.h.
#include "vulkan/raw_vulkan.h"

#include <dlfcn.h>

#include <cstring>

// Returns from the function with the result of a call that is not VK_SUCCESS.
#define TRY(call)                                                   \
  do {                                                              \
    if (const VkResult bad = (call); bad != VK_SUCCESS) return bad; \
  } while (false)

namespace clothc::faults {
namespace {

// Returns null if there is no loader. The library is never closed.
PFN_vkGetInstanceProcAddr loader() {
  static void* const library = dlopen("libvulkan.so.1", RTLD_NOW);
  return library ? reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr")) : nullptr;
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

VkResult RawVulkan::create_instance(const std::vector<const char*>& layers, std::vector<std::string>* messages) {
  if (!loader()) return VK_ERROR_INITIALIZATION_FAILED;
  const auto create = reinterpret_cast<PFN_vkCreateInstance>(loader()(nullptr, "vkCreateInstance"));
  const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
  const VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(messages);
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_2;
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
  TRY(create(&info, nullptr, &instance));
#define RAW_INSTANCE_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(loader()(instance, "vk" #name));
#define RAW_DEVICE_FUNCTION(name)
#include "vulkan/raw_functions.def"
#undef RAW_INSTANCE_FUNCTION
#undef RAW_DEVICE_FUNCTION
  if (!messages) return VK_SUCCESS;
  // The structure above reports only creation and destruction of the instance.
  const auto listen =
      reinterpret_cast<PFN_vkCreateDebugUtilsMessengerEXT>(loader()(instance, "vkCreateDebugUtilsMessengerEXT"));
  return listen(instance, &messenger, nullptr, &messenger_);
}

VkResult RawVulkan::find_physical_device() {
  uint32_t count = 1;
  const VkResult result = EnumeratePhysicalDevices(instance, &count, &physical_device);
  if (result < 0) return result;
  return count == 0 ? VK_ERROR_INITIALIZATION_FAILED : VK_SUCCESS;
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

VkResult RawVulkan::create_device(const std::vector<const char*>& extensions) {
  std::vector<const char*> present;
  for (const char* name : extensions) {
    if (has_extension(name)) present.push_back(name);
  }
  const float priority = 1.0f;
  VkDeviceQueueCreateInfo queue_info{};
  queue_info.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue_info.queueCount = 1;
  queue_info.pQueuePriorities = &priority;
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.timelineSemaphore = VK_TRUE;
  VkDeviceCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  info.pNext = &timeline;
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue_info;
  info.enabledExtensionCount = static_cast<uint32_t>(present.size());
  info.ppEnabledExtensionNames = present.data();
  TRY(CreateDevice(physical_device, &info, nullptr, &device));
#define RAW_INSTANCE_FUNCTION(name)
#define RAW_DEVICE_FUNCTION(name) name = reinterpret_cast<PFN_vk##name>(GetDeviceProcAddr(device, "vk" #name));
#include "vulkan/raw_functions.def"
#undef RAW_INSTANCE_FUNCTION
#undef RAW_DEVICE_FUNCTION
  GetDeviceQueue(device, 0, 0, &queue);
  return VK_SUCCESS;
}

RawVulkan::~RawVulkan() {
  if (device) {
    DestroyCommandPool(device, pool_, nullptr);
    DestroyDevice(device, nullptr);
  }
  if (!instance) return;
  if (messenger_) {
    const auto stop =
        reinterpret_cast<PFN_vkDestroyDebugUtilsMessengerEXT>(loader()(instance, "vkDestroyDebugUtilsMessengerEXT"));
    stop(instance, messenger_, nullptr);
  }
  DestroyInstance(instance, nullptr);
}

uint32_t RawVulkan::mapped_memory_type(uint32_t allowed) const {
  constexpr VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  VkPhysicalDeviceMemoryProperties properties;
  GetPhysicalDeviceMemoryProperties(physical_device, &properties);
  // Every driver has such a memory type.
  uint32_t type = 0;
  while (!(allowed >> type & 1) || (properties.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
  return type;
}

VkResult RawVulkan::make_buffer(RawBuffer& buffer) const {
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = word_count * sizeof(uint32_t);
  info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  TRY(CreateBuffer(device, &info, nullptr, &buffer.buffer));
  VkMemoryRequirements requirements;
  GetBufferMemoryRequirements(device, buffer.buffer, &requirements);
  VkMemoryAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  allocate_info.allocationSize = requirements.size;
  allocate_info.memoryTypeIndex = mapped_memory_type(requirements.memoryTypeBits);
  TRY(AllocateMemory(device, &allocate_info, nullptr, &buffer.memory));
  TRY(BindBufferMemory(device, buffer.buffer, buffer.memory, 0));
  void* mapped = nullptr;
  TRY(MapMemory(device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &mapped));
  buffer.mapped = static_cast<uint32_t*>(mapped);
  std::memset(mapped, 0, word_count * sizeof(uint32_t));
  return VK_SUCCESS;
}

void RawVulkan::release(RawBuffer& buffer) const {
  if (buffer.buffer) DestroyBuffer(device, buffer.buffer, nullptr);
  if (buffer.memory) FreeMemory(device, buffer.memory, nullptr);
  buffer = RawBuffer();
}

VkResult RawVulkan::make_timeline(VkSemaphore& semaphore) const {
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &type;
  return CreateSemaphore(device, &info, nullptr, &semaphore);
}

VkResult RawVulkan::wait(VkSemaphore semaphore, uint64_t value, uint64_t nanoseconds) const {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore;
  info.pValues = &value;
  return WaitSemaphores(device, &info, nanoseconds);
}

VkResult RawVulkan::record(VkCommandBuffer commands, const RawBuffer& source, const RawBuffer& target) const {
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  TRY(BeginCommandBuffer(commands, &begin));
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT;
  const auto wait_for_transfer = [&] {
    CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                       VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0,
                       nullptr);
  };
  const VkBufferCopy region{0, 0, word_count * sizeof(uint32_t)};
  CmdFillBuffer(commands, source.buffer, 0, VK_WHOLE_SIZE, fill);
  wait_for_transfer();
  CmdCopyBuffer(commands, source.buffer, target.buffer, 1, &region);
  wait_for_transfer();
  return EndCommandBuffer(commands);
}

VkResult RawVulkan::fill_and_copy(const RawBuffer& source, const RawBuffer& target, VkSemaphore semaphore) {
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  if (!pool_) TRY(CreateCommandPool(device, &pool_info, nullptr, &pool_));
  VkCommandBufferAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate_info.commandPool = pool_;
  allocate_info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  TRY(AllocateCommandBuffers(device, &allocate_info, &commands));
  TRY(record(commands, source, target));

  const uint64_t value = 1;
  VkTimelineSemaphoreSubmitInfo timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  timeline.signalSemaphoreValueCount = 1;
  timeline.pSignalSemaphoreValues = &value;
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.pNext = &timeline;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &commands;
  submit.signalSemaphoreCount = 1;
  submit.pSignalSemaphores = &semaphore;
  return QueueSubmit(queue, 1, &submit, VK_NULL_HANDLE);
}

}  // namespace clothc::faults
