// submission.cpp - submits batches to the GPU's queue, or records them for the application, and reuses what they needed
// when they have ended.
#include "backend_vulkan/stream.h"

#include <algorithm>
#include <cstring>

namespace clothc::vulkan {
namespace {

// How long the destruction of a stream waits for work that the application should have waited for.
constexpr uint64_t longest_drain_ns = 1'000'000'000;

}  // namespace

GpuStream::~GpuStream() {
  close();
  queue_.finish();
  if (gpu_->only_records()) {
    // What was recorded last may never be submitted, which nothing tells.
    progress_.semaphore()->drain(progress_.submitted(), longest_drain_ns);
  } else {
    try {
      wait(progress_.submitted(), UINT64_MAX);
    } catch (const Failure&) {
      // The device counts as lost, but the driver may still be working, so the semaphores are drained below.
    }
    if (!progress_.semaphore()->drain(taken_value_, gpu_->drain_timeout_ns()) ||
        !steps_->drain(taken_step_, gpu_->drain_timeout_ns()))
      gpu_->leave_alone();
  }
  watcher_->finish(*progress_.semaphore(), UINT64_MAX);
  watcher_->finish(*steps_, UINT64_MAX);
  queue_.drop();
  gpu_->destroy(gpu_->DestroyCommandPool, pool_);
}

std::unique_ptr<Batch> GpuStream::make_batch() {
  auto fresh = std::make_unique<Batch>();
  fresh->commands.reserve(32);
  fresh->own.reserve(4);
  fresh->memories.reserve(16);
  fresh->recordings.reserve(2);
  fresh->signals.reserve(4);
  fresh->semaphores.reserve(4);
  fresh->values.reserve(4);
  return fresh;
}

void GpuStream::send(Batch& batch) {
  if (gpu_->is_lost()) {
    for (const PendingSignal& signal : batch.signals) signal.timeline->abandon();
    return;
  }
  if (gpu_->only_records()) {
    unrecorded_.insert(unrecorded_.end(), batch.commands.begin(), batch.commands.end());
    unrecorded_value_ = batch.value;
    return;
  }
  VkTimelineSemaphoreSubmitInfo values{};
  values.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO;
  VkSubmitInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  info.commandBufferCount = static_cast<uint32_t>(batch.commands.size());
  info.pCommandBuffers = batch.commands.data();
  // The semaphores of shared fences come first and the stream's own semaphore last.
  batch.semaphores.clear();
  batch.values.clear();
  for (const PendingSignal& signal : batch.signals) {
    if (signal.semaphore == nullptr) continue;
    batch.semaphores.push_back(signal.semaphore->handle());
    batch.values.push_back(signal.value);
  }
  const std::shared_ptr<TimelineSemaphore>& own = batch.last ? progress_.semaphore() : steps_;
  const uint64_t own_value = batch.last ? batch.value : ++step_count_;
  batch.semaphores.push_back(own->handle());
  batch.values.push_back(own_value);
  values.signalSemaphoreValueCount = static_cast<uint32_t>(batch.values.size());
  values.pSignalSemaphoreValues = batch.values.data();
  info.pNext = &values;
  info.signalSemaphoreCount = static_cast<uint32_t>(batch.semaphores.size());
  info.pSignalSemaphores = batch.semaphores.data();
  // The watches begin before the work can end, so that no thread sees its end without its signals. If the device is
  // lost, the watcher abandons the timelines.
  if (batch.last) progress_.sending(own_value, !batch.signals.empty());
  for (PendingSignal& signal : batch.signals)
    watcher_->watch(own, own_value, std::move(signal.timeline), signal.value, signal.semaphore != nullptr);
  batch.signals.clear();
  ++submissions_;
  const uint64_t pipelines = pipelines_->created_count();
  if (pipelines != used_pipelines_) batch.first_use.emplace(gpu_);
  used_pipelines_ = pipelines;
  const VkResult result = gpu_->submit(info);
  if (result != VK_SUCCESS) {
    gpu_->lose(result == VK_ERROR_DEVICE_LOST ? "the driver reported the loss of the device"
                                              : "its driver had no memory left to take work");
    return;
  }
  (batch.last ? taken_value_ : taken_step_) = own_value;
}

NativeSignal GpuStream::record_into(void* native_commands) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu_->only_records(), "%s", no_command_buffers);
  gpu_->require_alive();
  {
    const std::lock_guard<std::mutex> lock(signals_mutex_);
    signals_.erase(signals_.begin(), std::upper_bound(signals_.begin(), signals_.end(), completed()));
    signals_.push_back(unrecorded_value_);
  }
  if (!unrecorded_.empty()) {
    // These two barriers are not in the executed command buffers, where validation layers (1.3.239) overlook them.
    const auto commands = static_cast<VkCommandBuffer>(native_commands);
    record_begin(*gpu_, commands);
    gpu_->CmdExecuteCommands(commands, static_cast<uint32_t>(unrecorded_.size()), unrecorded_.data());
    record_end(*gpu_, commands);
  }
  unrecorded_.clear();
  progress_.sending(unrecorded_value_, false);
  ++submissions_;
  NativeSignal signal;
  const VkSemaphore semaphore = progress_.semaphore()->handle();
  std::memcpy(&signal.semaphore, &semaphore, sizeof(semaphore));
  signal.value = unrecorded_value_;
  return signal;
}

bool GpuStream::wait(uint64_t value, uint64_t timeout_ns) {
  if (!gpu_->only_records()) return progress_.wait(value, timeout_ns);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_STATE, value <= progress_.submitted(),
                    "the work up to the timeline value %llu has been recorded only up to %llu; call "
                    "clothc_vulkan_record_update, and submit the command buffer, before waiting",
                    static_cast<unsigned long long>(value), static_cast<unsigned long long>(progress_.submitted()));
  {
    const std::lock_guard<std::mutex> lock(signals_mutex_);
    const auto signal = std::lower_bound(signals_.begin(), signals_.end(), value);
    if (signal != signals_.end()) value = *signal;
  }
  return progress_.wait(value, timeout_ns);
}

void GpuStream::require_waits() const {
  CLOTHC_REQUIRE_AS(
      CLOTHC_ERROR_INVALID_STATE, !gpu_->only_records(),
      "a device that only records cannot fetch anything at once; get what you need into a HOST buffer, and "
      "call clothc_vulkan_record_update");
}

void GpuStream::reap() {
  queue_.reap(completed(), [this](Batch& done) {
    free_commands_.reserve(free_commands_.size() + done.own.size());
    for (const VkCommandBuffer commands : done.own) free_commands_.push_back(commands);
    if (done.timestamps != nullptr) done.timestamps->collect();
  });
}

}  // namespace clothc::vulkan
