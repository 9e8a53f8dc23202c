// frames.cpp - see frames.h.
#include "render/frames.h"

#include <algorithm>
#include <cstring>

namespace clothc_renderer {
namespace {

constexpr VkDeviceSize BLOCK_SIZE = VkDeviceSize{1} << 20;

constexpr uint32_t SETS_PER_POOL = 256;

VkDeviceSize aligned(VkDeviceSize offset) { return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

}  // namespace

Frame::Frame(const Graphics& graphics) : graphics_(graphics) {
  const VulkanFunctions& vk = graphics.functions();
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.queueFamilyIndex = graphics.queue_family();
  VkCommandPool pool = VK_NULL_HANDLE;
  check(vk.CreateCommandPool(graphics.device(), &pool_info, nullptr, &pool), "vkCreateCommandPool");
  pool_ = {graphics, pool};
  VkCommandBufferAllocateInfo commands_info{};
  commands_info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  commands_info.commandPool = pool;
  commands_info.commandBufferCount = 1;
  check(vk.AllocateCommandBuffers(graphics.device(), &commands_info, &commands_), "vkAllocateCommandBuffers");
  VkFenceCreateInfo fence_info{};
  fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  VkFence fence = VK_NULL_HANDLE;
  check(vk.CreateFence(graphics.device(), &fence_info, nullptr, &fence), "vkCreateFence");
  fence_ = {graphics, fence};
  if (!graphics.properties().limits.timestampComputeAndGraphics) return;
  VkQueryPoolCreateInfo queries_info{};
  queries_info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  queries_info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  queries_info.queryCount = 2;
  VkQueryPool queries = VK_NULL_HANDLE;
  check(vk.CreateQueryPool(graphics.device(), &queries_info, nullptr, &queries), "vkCreateQueryPool");
  queries_ = {graphics, queries};
}

void Frame::begin() {
  const VulkanFunctions& vk = graphics_.functions();
  check(vk.ResetCommandPool(graphics_.device(), pool_, 0), "vkResetCommandPool");
  for (const OwnedDescriptorPool& pool : descriptor_pools_)
    check(vk.ResetDescriptorPool(graphics_.device(), pool, 0), "vkResetDescriptorPool");
  descriptor_pool_ = 0;
  block_ = 0;
  used_ = 0;
  VkCommandBufferBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  info.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vk.BeginCommandBuffer(commands_, &info), "vkBeginCommandBuffer");
  if (!queries_) return;
  vk.CmdResetQueryPool(commands_, queries_, 0, 2);
  vk.CmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, queries_, 0);
}

void Frame::submit(VkSemaphore wait_for, VkSemaphore signal) {
  const VulkanFunctions& vk = graphics_.functions();
  if (queries_) vk.CmdWriteTimestamp(commands_, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, queries_, 1);
  check(vk.EndCommandBuffer(commands_), "vkEndCommandBuffer");
  const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;
  info.waitSemaphoreCount = wait_for ? 1 : 0;
  info.pWaitSemaphores = &wait_for;
  info.pWaitDstStageMask = &stage;
  info.signalSemaphoreCount = signal ? 1 : 0;
  info.pSignalSemaphores = &signal;
  const VkFence fence = fence_;
  check(vk.ResetFences(graphics_.device(), 1, &fence), "vkResetFences");
  graphics_.submit(info, fence);
  is_submitted_ = true;
}

void Frame::wait() {
  const VkFence fence = fence_;
  check(graphics_.functions().WaitForFences(graphics_.device(), 1, &fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
  is_submitted_ = false;
}

std::optional<double> Frame::milliseconds() const {
  if (!queries_) return std::nullopt;
  uint64_t ticks[2] = {};
  const VkResult result = graphics_.functions().GetQueryPoolResults(graphics_.device(), queries_, 0, 2, sizeof ticks,
                                                                    ticks, sizeof ticks[0], VK_QUERY_RESULT_64_BIT);
  if (result != VK_SUCCESS) return std::nullopt;
  return static_cast<double>(ticks[1] - ticks[0]) * static_cast<double>(graphics_.properties().limits.timestampPeriod) /
         1e6;
}

BufferRange Frame::reserve(VkDeviceSize size, std::byte** data) {
  if (block_ < blocks_.size() && aligned(used_) + size > blocks_[block_].size()) {
    ++block_;
    used_ = 0;
  }
  // A block that was made for less is replaced.
  if (block_ < blocks_.size() && size > blocks_[block_].size())
    blocks_[block_] = DeviceBuffer::mapped(graphics_, std::max(BLOCK_SIZE, size));
  if (block_ == blocks_.size()) blocks_.push_back(DeviceBuffer::mapped(graphics_, std::max(BLOCK_SIZE, size)));
  const VkDeviceSize offset = aligned(used_);
  used_ = offset + size;
  *data = blocks_[block_].data() + offset;
  return {blocks_[block_].buffer(), offset, size};
}

BufferRange Frame::put(const void* data, VkDeviceSize size) {
  std::byte* memory = nullptr;
  const BufferRange range = reserve(size, &memory);
  if (size > 0) std::memcpy(memory, data, size);
  return range;
}

VkDescriptorPool Frame::make_descriptor_pool() {
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, SETS_PER_POOL},
                                        {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3 * SETS_PER_POOL},
                                        {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, SETS_PER_POOL}};
  VkDescriptorPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  info.maxSets = SETS_PER_POOL;
  info.poolSizeCount = 3;
  info.pPoolSizes = sizes;
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(graphics_.functions().CreateDescriptorPool(graphics_.device(), &info, nullptr, &pool),
        "vkCreateDescriptorPool");
  descriptor_pools_.emplace_back(graphics_, pool);
  return pool;
}

VkDescriptorSet Frame::allocate_set(VkDescriptorSetLayout layout) {
  VkDescriptorSetAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  info.descriptorSetCount = 1;
  info.pSetLayouts = &layout;
  VkDescriptorSet set = VK_NULL_HANDLE;
  for (; descriptor_pool_ < descriptor_pools_.size(); ++descriptor_pool_) {
    info.descriptorPool = descriptor_pools_[descriptor_pool_];
    if (graphics_.functions().AllocateDescriptorSets(graphics_.device(), &info, &set) == VK_SUCCESS) return set;
  }
  info.descriptorPool = make_descriptor_pool();
  check(graphics_.functions().AllocateDescriptorSets(graphics_.device(), &info, &set), "vkAllocateDescriptorSets");
  return set;
}

Frames::Frames(const Graphics& graphics) {
  for (auto& frame : frames_) frame = std::make_unique<Frame>(graphics);
}

Frames::~Frames() {
  for (const auto& frame : frames_) {
    const VkFence fence = frame->fence_;
    const Graphics& graphics = frame->graphics_;
    if (frame->is_submitted_) graphics.functions().WaitForFences(graphics.device(), 1, &fence, VK_TRUE, UINT64_MAX);
  }
}

void Frames::wait(Frame& frame) {
  if (!frame.is_submitted_) return;
  frame.wait();
  milliseconds_ = frame.milliseconds();
}

Frame& Frames::begin() {
  current_ = (current_ + 1) % IN_FLIGHT;
  wait(*frames_[current_]);
  frames_[current_]->begin();
  return *frames_[current_];
}

void Frames::submit(VkSemaphore wait_for, VkSemaphore signal) { frames_[current_]->submit(wait_for, signal); }

void Frames::wait() {
  for (size_t i = 1; i <= IN_FLIGHT; ++i) wait(*frames_[(current_ + i) % IN_FLIGHT]);
}

}  // namespace clothc_renderer
