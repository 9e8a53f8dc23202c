// application.cpp - see application.h.
#include "vulkan/application.h"

#include <sstream>

namespace clothc_test {
namespace {

void check(VkResult result, const char* what) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(what) + " gave " + std::to_string(result));
}

void CLOTHC_CALL lock_queue(void* user) {
  auto* own = static_cast<OwnVulkan*>(user);
  own->queue_mutex.lock();
  ++own->lock_count;
}
void CLOTHC_CALL unlock_queue(void* user) { static_cast<OwnVulkan*>(user)->queue_mutex.unlock(); }

}  // namespace

OwnVulkan::OwnVulkan(uint32_t version) : version_(version) {
  check(create_instance(version), "the instance");
  check(find_physical_device(), "the physical device");
  const clothc_vulkan_device_desc wanted = objects(false);
  clothc_vulkan_requirements required = initialised<clothc_vulkan_requirements>();
  require(clothc_vulkan_get_requirements(&wanted, &required));
  required_extensions = required.required_extensions;
  optional_extensions = required.optional_extensions;
  std::istringstream names(required_extensions + " " + optional_extensions);
  std::vector<std::string> extensions;
  for (std::string name; names >> name;) extensions.push_back(name);
  std::vector<const char*> pointers;
  for (const std::string& name : extensions) pointers.push_back(name.c_str());
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.timelineSemaphore = VK_TRUE;
  check(create_device(pointers, &timeline), "the device");
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  check(CreateCommandPool(device, &info, nullptr, &pool_), "the command pool");
}

OwnVulkan::~OwnVulkan() {
  if (device == VK_NULL_HANDLE) return;
  DeviceWaitIdle(device);
  for (RawBuffer& buffer : buffers_) release(buffer);
  DestroyCommandPool(device, pool_, nullptr);
}

clothc_vulkan_device_desc OwnVulkan::objects(bool with_queue) const {
  clothc_vulkan_device_desc desc = initialised<clothc_vulkan_device_desc>();
  desc.api_version = version_;
  desc.get_instance_proc_addr = reinterpret_cast<clothc_vulkan_function>(GetInstanceProcAddr);
  desc.instance = instance;
  desc.physical_device = physical_device;
  desc.device = device;
  // Each call that makes a device copies the text.
  static thread_local std::string extensions;
  extensions = required_extensions + " " + optional_extensions;
  desc.extensions = extensions.c_str();
  if (!with_queue) return desc;
  desc.queue = queue;
  desc.lock_queue = lock_queue;
  desc.unlock_queue = unlock_queue;
  desc.queue_user = const_cast<OwnVulkan*>(this);
  return desc;
}

clothc_device OwnVulkan::adopt(const clothc_vulkan_device_desc& objects) const {
  clothc_device_desc desc = initialised<clothc_device_desc>();
  desc.hang_timeout_ms = longest_work / 1'000'000;
  clothc_device adopted = nullptr;
  require(clothc_vulkan_device_create(&desc, &objects, &adopted));
  return adopted;
}

RawBuffer OwnVulkan::make_vertices(size_t size) {
  RawBuffer buffer;
  check(make_buffer(buffer, size,
                    VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT),
        "a buffer");
  buffers_.push_back(buffer);
  return buffer;
}

VkCommandBuffer OwnVulkan::begin() {
  VkCommandBufferAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  info.commandPool = pool_;
  info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  check(AllocateCommandBuffers(device, &info, &commands), "a command buffer");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(BeginCommandBuffer(commands, &begin), "vkBeginCommandBuffer");
  return commands;
}

void OwnVulkan::submit(VkCommandBuffer commands, uint64_t semaphore, uint64_t value) {
  check(EndCommandBuffer(commands), "vkEndCommandBuffer");
  VkSemaphore signalled = VK_NULL_HANDLE;
  std::memcpy(&signalled, &semaphore, sizeof(signalled));
  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands;
  if (semaphore != 0) {
    info.pNext = &values;
    info.signalSemaphoreCount = 1;
    info.pSignalSemaphores = &signalled;
  }
  const std::lock_guard<std::recursive_mutex> lock(queue_mutex);
  check(QueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

void OwnVulkan::wait_idle() {
  const std::lock_guard<std::recursive_mutex> lock(queue_mutex);
  check(QueueWaitIdle(queue), "vkQueueWaitIdle");
}

void OwnVulkan::copy(const RawBuffer& from, const RawBuffer& to) {
  const VkCommandBuffer commands = begin();
  const VkBufferCopy region = {0, 0, from.size};
  CmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
  CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                     0, nullptr);
  submit(commands);
}

clothc_buffer wrap(clothc_device device, const RawBuffer& buffer, clothc_format format, uint64_t count, uint32_t stride,
                   uint64_t offset) {
  clothc_buffer_desc desc = initialised<clothc_buffer_desc>();
  desc.kind = CLOTHC_BUFFER_WRAPPED_DEVICE;
  desc.format = format;
  desc.count = count;
  desc.stride = stride;
  clothc_vulkan_buffer_desc vulkan = initialised<clothc_vulkan_buffer_desc>();
  vulkan.buffer = number_of(buffer.buffer);
  vulkan.offset = offset;
  vulkan.size = buffer.size;
  clothc_buffer wrapped = nullptr;
  require(clothc_vulkan_buffer_create(device, &desc, &vulkan, &wrapped));
  return wrapped;
}

}  // namespace clothc_test
