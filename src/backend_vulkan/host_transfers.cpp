// host_transfers.cpp - implements host transfers with one command buffer and one staging block of 1 MiB.
#include "backend_vulkan/host_transfers.h"

#include <algorithm>

#include "backend_gpu/hang_detection.h"

namespace clothc::vulkan {
namespace {

constexpr uint64_t staging_size = uint64_t{1} << 20;

Block::Description staging_block() {
  Block::Description description;
  description.size = staging_size;
  description.host = true;
  return description;
}

}  // namespace

HostTransfers::HostTransfers(const GpuPointer& gpu) : gpu_(gpu), staging_(gpu, staging_block()), commands_(gpu) {}

VkCommandBuffer HostTransfers::begin() {
  gpu_->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, !gpu_->only_records(),
                    "a device that only records cannot copy to or from memory that the host does not see at once; use "
                    "a HOST buffer, or a get or set and clothc_vulkan_record_update");
  const VkCommandBuffer commands = commands_.begin();
  // The transfer comes after everything that was submitted before it.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
  gpu_->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier,
                           0, nullptr, 0, nullptr);
  return commands;
}

void HostTransfers::finish(VkCommandBuffer commands) {
  // The transfer comes before everything that follows it on the device, and before reads by the host.
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT;
  gpu_->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                           0, nullptr);
  const uint64_t value = commands_.submit();
  gpu::wait_unless_hung(*gpu_, commands_.semaphore(), value, UINT64_MAX, [&] { return value; });
}

void HostTransfers::read(const Block& block, uint64_t offset, void* data, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (uint64_t done = 0; done < size; done += staging_size) {
    const VkBufferCopy region = {offset + done, 0, std::min(staging_size, size - done)};
    const VkCommandBuffer commands = begin();
    gpu_->CmdCopyBuffer(commands, block.buffer(), staging_.buffer(), 1, &region);
    finish(commands);
    std::memcpy(static_cast<uint8_t*>(data) + done, staging_.mapped(), region.size);
  }
}

void HostTransfers::write(const Block& block, uint64_t offset, const void* data, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (uint64_t done = 0; done < size; done += staging_size) {
    const VkBufferCopy region = {0, offset + done, std::min(staging_size, size - done)};
    std::memcpy(staging_.mapped(), static_cast<const uint8_t*>(data) + done, region.size);
    const VkCommandBuffer commands = begin();
    gpu_->CmdCopyBuffer(commands, staging_.buffer(), block.buffer(), 1, &region);
    finish(commands);
  }
}

void HostTransfers::clear(const Block& block, uint64_t offset, uint64_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const VkCommandBuffer commands = begin();
  gpu_->CmdFillBuffer(commands, block.buffer(), offset, size, 0);
  finish(commands);
}

}  // namespace clothc::vulkan
