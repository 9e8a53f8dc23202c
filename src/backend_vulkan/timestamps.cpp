// timestamps.cpp - records timestamps and turns them into times.
#include "backend_vulkan/timestamps.h"

#include <algorithm>

namespace clothc::vulkan {
namespace {

// Number of timestamps of a dispatch.
uint32_t timestamp_count(const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  const uint32_t repeated = schedule.repeat_end - schedule.repeat_begin;
  const auto once = static_cast<uint32_t>(schedule.passes.size()) - repeated;
  return 3 + once + repeated * Timestamps::timed_repetitions(dispatch);
}

}  // namespace

uint32_t Timestamps::timed_repetitions(const Dispatch& dispatch) {
  constexpr uint32_t most = 4096;
  const uint32_t passes = dispatch.schedule->repeat_end - dispatch.schedule->repeat_begin;
  return std::min(dispatch.repeat_count, std::max(most / std::max(passes, 1u), 1u));
}

Timestamps::Timestamps(const GpuPointer& gpu, const CommandList& list, std::shared_ptr<UpdateTimes> times)
    : gpu_(gpu), times_(std::move(times)) {
  for (const Command& command : list.commands()) {
    const auto* dispatch = std::get_if<Dispatch>(&command);
    if (dispatch != nullptr && dispatch->times != nullptr) capacity_ += timestamp_count(*dispatch);
    capacity_ += std::holds_alternative<Mark>(command) ? 1 : 0;
  }
  intervals_.reserve(capacity_);
  ticks_.resize(capacity_);
  VkQueryPoolCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO;
  info.queryType = VK_QUERY_TYPE_TIMESTAMP;
  info.queryCount = capacity_;
  gpu_->check(gpu_->CreateQueryPool(gpu_->handle(), &info, nullptr, &pool_), "vkCreateQueryPool");
}

Timestamps::~Timestamps() { gpu_->DestroyQueryPool(gpu_->handle(), pool_, nullptr); }

void Timestamps::record_reset(VkCommandBuffer commands) { gpu_->CmdResetQueryPool(commands, pool_, 0, capacity_); }

void Timestamps::record(VkCommandBuffer commands, Interval interval) {
  const auto query = static_cast<uint32_t>(intervals_.size());
  intervals_.push_back(std::move(interval));
  gpu_->CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool_, query);
}

void Timestamps::record_point(VkCommandBuffer commands, UpdateTimes::Point point) {
  Interval interval;
  interval.point = point;
  record(commands, std::move(interval));
}

void Timestamps::record_begin(VkCommandBuffer commands) { record(commands, {}); }

void Timestamps::record_end(VkCommandBuffer commands, const Dispatch& dispatch, DispatchTimes::Part part, Stage stage) {
  record(commands, {dispatch.times, part, stage, false, UpdateTimes::point_count});
}

void Timestamps::record_end(VkCommandBuffer commands, const Dispatch& dispatch, DispatchTimes::Part part) {
  record(commands, {dispatch.times, part, Stage::none, true, UpdateTimes::point_count});
}

void Timestamps::collect() {
  const size_t count = intervals_.size();
  const VkResult got = gpu_->GetQueryPoolResults(gpu_->handle(), pool_, 0, static_cast<uint32_t>(count), count * 8,
                                                 ticks_.data(), 8, VK_QUERY_RESULT_64_BIT);
  // Without results, for example after the loss of the device, the times never become complete.
  if (got != VK_SUCCESS) return;
  const Adapter& adapter = gpu_->adapter();
  const auto nanoseconds = [&](uint64_t difference) {
    return static_cast<uint64_t>(static_cast<double>(difference & adapter.timestamp_mask) *
                                 static_cast<double>(adapter.limits.timestampPeriod));
  };
  const DispatchTimes* sampled = nullptr;
  StageTimes samples{};
  for (size_t k = 0; k < count; ++k) {
    const Interval& interval = intervals_[k];
    if (interval.point != UpdateTimes::point_count) times_->points[interval.point] = nanoseconds(ticks_[k] - ticks_[0]);
    if (interval.times == nullptr) continue;
    const uint64_t elapsed = nanoseconds(ticks_[k] - ticks_[k - 1]);
    if (interval.by_samples) {
      interval.times->add_by_samples(interval.part, samples, elapsed);
      continue;
    }
    interval.times->add(interval.part, interval.stage, elapsed);
    if (sampled != interval.times.get()) samples = {};
    sampled = interval.times.get();
    if (interval.part == DispatchTimes::repeated && interval.stage != Stage::none)
      samples[static_cast<size_t>(interval.stage)] += elapsed;
  }
  times_->is_complete.store(true, std::memory_order_release);
}

}  // namespace clothc::vulkan
