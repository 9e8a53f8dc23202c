// copying_vulkan.cpp - see copying_vulkan.h.
#include "vulkan/copying_vulkan.h"

#include <cstring>

namespace clothc::faults {

CopyingVulkan::~CopyingVulkan() {
  if (device) DestroyCommandPool(device, pool_, nullptr);
}

VkResult CopyingVulkan::create_instance(const std::vector<const char*>& layers, std::vector<std::string>* messages) {
  return RawVulkan::create_instance(VK_API_VERSION_1_2, layers, messages);
}

VkResult CopyingVulkan::create_device(const std::vector<const char*>& extensions) {
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline{};
  timeline.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES;
  timeline.timelineSemaphore = VK_TRUE;
  return RawVulkan::create_device(extensions, &timeline);
}

VkResult CopyingVulkan::make_buffer(RawBuffer& buffer) const {
  TRY_VULKAN(RawVulkan::make_buffer(buffer, word_count * sizeof(uint32_t),
                                    VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT));
  std::memset(buffer.mapped, 0, buffer.size);
  return VK_SUCCESS;
}

VkResult CopyingVulkan::make_timeline(VkSemaphore& semaphore) const {
  VkSemaphoreTypeCreateInfo type{};
  type.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO;
  type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
  VkSemaphoreCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO;
  info.pNext = &type;
  return CreateSemaphore(device, &info, nullptr, &semaphore);
}

VkResult CopyingVulkan::wait(VkSemaphore semaphore, uint64_t value, uint64_t nanoseconds) const {
  VkSemaphoreWaitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
  info.semaphoreCount = 1;
  info.pSemaphores = &semaphore;
  info.pValues = &value;
  return WaitSemaphores(device, &info, nanoseconds);
}

VkResult CopyingVulkan::record(VkCommandBuffer commands, const RawBuffer& source, const RawBuffer& target) const {
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  TRY_VULKAN(BeginCommandBuffer(commands, &begin));
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

VkResult CopyingVulkan::fill_and_copy(const RawBuffer& source, const RawBuffer& target, VkSemaphore semaphore) {
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  if (!pool_) TRY_VULKAN(CreateCommandPool(device, &pool_info, nullptr, &pool_));
  VkCommandBufferAllocateInfo allocate_info{};
  allocate_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate_info.commandPool = pool_;
  allocate_info.commandBufferCount = 1;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  TRY_VULKAN(AllocateCommandBuffers(device, &allocate_info, &commands));
  TRY_VULKAN(record(commands, source, target));

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
