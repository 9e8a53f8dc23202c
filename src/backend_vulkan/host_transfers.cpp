// host_transfers.cpp - implements host transfers with one command buffer and one staging block of 1 MiB.
#include "backend_vulkan/host_transfers.h"

#include <algorithm>

#include "backend_gpu/hang_detection.h"

namespace clothc::vulkan {
namespace {

constexpr uint64_t staging_size = uint64_t{1} << 20;

}  // namespace

HostTransfers::HostTransfers(const GpuPointer& gpu) : gpu_(gpu), semaphore_(gpu) {
  try {
    create();
  } catch (...) {
    release();
    throw;
  }
}

HostTransfers::~HostTransfers() {
  semaphore_.drain(submitted_, gpu_->hang_timeout_ns());
  release();
}

void HostTransfers::release() { gpu_->DestroyCommandPool(gpu_->handle(), pool_, gpu_->allocator()); }

void HostTransfers::create() {
  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = gpu_->adapter().queue_family;
  gpu_->check(gpu_->CreateCommandPool(gpu_->handle(), &pool, gpu_->allocator(), &pool_), "vkCreateCommandPool");
  gpu_->allocate_commands(pool_, 1, &commands_);
  Block::Description description;
  description.size = staging_size;
  description.host = true;
  staging_ = std::make_unique<Block>(gpu_, description);
}

void HostTransfers::begin() {
  gpu_->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !gpu_->only_records(),
                    "a device that only records cannot copy to or from memory that the host does not see at once; use "
                    "a HOST buffer, or a get or set and clothc_vulkan_record_update");
  gpu_->begin_commands(commands_, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
  // The transfer comes after everything that was submitted before it.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  gpu_->CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1,
                           &barrier, 0, nullptr, 0, nullptr);
}

void HostTransfers::finish() {
  // The transfer comes before everything that follows it on the device, and before reads by the host.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  gpu_->CmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                           0, nullptr);
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
  gpu::wait_unless_hung(*gpu_, semaphore_, value, UINT64_MAX, [&] { return submitted_; });
}

void HostTransfers::read(const Block& block, uint64_t offset, void* data, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (uint64_t done = 0; done < size; done += staging_size) {
    const VkBufferCopy region = {offset + done, 0, std::min(staging_size, size - done)};
    begin();
    gpu_->CmdCopyBuffer(commands_, block.buffer(), staging_->buffer(), 1, &region);
    finish();
    std::memcpy(static_cast<uint8_t*>(data) + done, staging_->mapped(), region.size);
  }
}

void HostTransfers::write(const Block& block, uint64_t offset, const void* data, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (uint64_t done = 0; done < size; done += staging_size) {
    const VkBufferCopy region = {0, offset + done, std::min(staging_size, size - done)};
    std::memcpy(staging_->mapped(), static_cast<const uint8_t*>(data) + done, region.size);
    begin();
    gpu_->CmdCopyBuffer(commands_, staging_->buffer(), block.buffer(), 1, &region);
    finish();
  }
}

void HostTransfers::clear(const Block& block, uint64_t offset, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  begin();
  gpu_->CmdFillBuffer(commands_, block.buffer(), offset, size, 0);
  finish();
}

}  // namespace clothc::vulkan
