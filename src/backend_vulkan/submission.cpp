// submission.cpp - submits batches to the GPU's queue, and reuses what they needed when they have ended.
#include "backend_vulkan/stream.h"

namespace clothc::vulkan {

GpuStream::~GpuStream() {
  close();
  queue_.finish();
  try {
    wait(progress_.submitted(), UINT64_MAX);
  } catch (const Failure&) {
    // The device counts as lost, but the driver may still be working, so the semaphores are drained below.
  }
  progress_.semaphore()->drain(taken_value_);
  steps_->drain(taken_step_);
  watcher_->finish(*progress_.semaphore(), UINT64_MAX);
  watcher_->finish(*steps_, UINT64_MAX);
  queue_.drop();
  gpu_->DestroyCommandPool(gpu_->handle(), pool_, nullptr);
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
  const VkResult result = gpu_->submit(info);
  if (result != VK_SUCCESS) {
    gpu_->lose(result == VK_ERROR_DEVICE_LOST ? "the driver reported the loss of the device"
                                              : "its driver had no memory left to take work");
    return;
  }
  (batch.last ? taken_value_ : taken_step_) = own_value;
}

void GpuStream::reap() {
  queue_.reap(completed(), [this](Batch& done) {
    free_commands_.reserve(free_commands_.size() + done.own.size());
    for (const VkCommandBuffer commands : done.own) free_commands_.push_back(commands);
    if (done.timestamps != nullptr) done.timestamps->collect();
  });
}

}  // namespace clothc::vulkan
