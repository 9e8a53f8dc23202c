// timestamps.cpp - records timestamps and turns them into nanoseconds.
#include "backend_vulkan/timestamps.h"

namespace clothc::vulkan {

Timestamps::Timestamps(const GpuPointer& gpu, const CommandList& list, std::shared_ptr<UpdateTimes> times)
    : gpu_(gpu), intervals_(list, std::move(times)), ticks_(intervals_.capacity()) {
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = intervals_.capacity();
  gpu_->check(gpu_->CreateQueryPool(gpu_->handle(), &info, gpu_->allocator(), &pool_), "vkCreateQueryPool");
}

Timestamps::~Timestamps() { gpu_->destroy(gpu_->DestroyQueryPool, pool_); }

void Timestamps::record_reset(VkCommandBuffer commands) {
  gpu_->CmdResetQueryPool(commands, pool_, 0, intervals_.capacity());
}

void Timestamps::record(VkCommandBuffer commands, uint32_t number) {
  gpu_->CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, number);
}

void Timestamps::collect() {
  const uint32_t count = intervals_.count();
  const VkResult got = gpu_->GetQueryPoolResults(gpu_->handle(), pool_, 0, count, count * size_t{8}, ticks_.data(), 8,
                                                 VK_QUERY_RESULT_64_BIT);
  // Without results, for example after the loss of the device, the times never become complete.
  if (got != VK_SUCCESS) return;
  const Adapter& adapter = gpu_->adapter();
  const uint64_t first = ticks_[0];
  for (uint64_t& ticks : ticks_)
    ticks = static_cast<uint64_t>(static_cast<double>((ticks - first) & adapter.timestamp_mask) *
                                  static_cast<double>(adapter.limits.timestampPeriod));
  intervals_.collect(ticks_);
}

}  // namespace clothc::vulkan
