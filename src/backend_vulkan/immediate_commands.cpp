// immediate_commands.cpp - see immediate_commands.h.
#include "backend_vulkan/immediate_commands.h"

namespace clothc::vulkan {

ImmediateCommands::ImmediateCommands(const GpuPointer& gpu) : gpu_(gpu), semaphore_(gpu) {
  VkCommandPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  info.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  info.queueFamilyIndex = gpu_->adapter().queue_family;
  gpu_->check(gpu_->CreateCommandPool(gpu_->handle(), &info, gpu_->allocator(), &pool_), "vkCreateCommandPool");
  try {
    gpu_->allocate_commands(pool_, 1, &commands_);
  } catch (...) {
    gpu_->destroy(gpu_->DestroyCommandPool, pool_);
    throw;
  }
}

ImmediateCommands::~ImmediateCommands() {
  if (!semaphore_.drain(submitted_, gpu_->drain_timeout_ns())) gpu_->leave_alone();
  gpu_->destroy(gpu_->DestroyCommandPool, pool_);
}

VkCommandBuffer ImmediateCommands::begin() {
  gpu_->require_alive();
  gpu_->begin_commands(commands_, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  return commands_;
}

uint64_t ImmediateCommands::submit() {
  gpu_->check(gpu_->EndCommandBuffer(commands_), "vkEndCommandBuffer");
  const uint64_t value = submitted_ + 1;
  const VkSemaphore semaphore = semaphore_.handle();
  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  values.signalSemaphoreValueCount = 1;
  values.pSignalSemaphoreValues = &value;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.pNext = &values;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;
  info.signalSemaphoreCount = 1;
  info.pSignalSemaphores = &semaphore;
  gpu_->check(gpu_->submit(info), "vkQueueSubmit");
  submitted_ = value;
  return value;
}

}  // namespace clothc::vulkan
