// submission.cpp - submits batches to the GPU's queue after the fences that they wait for, and waits for their end.
#include <algorithm>

#include "backend_gpu/hang_detection.h"
#include "backend_vulkan/stream.h"

namespace clothc::vulkan {

GpuStream::~GpuStream() {
  close();
  {
    std::unique_lock<std::mutex> lock(mutex_);
    resumed_.wait(lock, [this] { return !waiting_; });
  }
  try {
    wait(submitted_, UINT64_MAX);
  } catch (const Failure&) {
    // The device counts as lost, but the driver may still be working, so the semaphores are drained below.
  }
  semaphore_->drain(taken_value_);
  steps_->drain(taken_step_);
  watcher_->finish(*semaphore_, UINT64_MAX);
  watcher_->finish(*steps_, UINT64_MAX);
  in_flight_.clear();
  gpu_->DestroyCommandPool(gpu_->handle(), pool_, nullptr);
}

void GpuStream::close() {
  std::shared_ptr<Timeline> awaited;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
    if (waiting_) awaited = ready_.front()->awaited;
  }
  if (awaited != nullptr && awaited->forget(waiter_)) resume(this);
}

uint64_t GpuStream::hand_over_drafts() {
  const uint64_t value = ++taken_;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (BatchPointer& batch : drafts_) {
    batch->value = value;
    ready_.push_back(std::move(batch));
  }
  ready_.back()->last = true;
  drafts_.clear();
  pump();
  return value;
}

void GpuStream::pump() {
  while (!ready_.empty() && !waiting_) {
    Batch& batch = *ready_.front();
    if (batch.awaited != nullptr && !closing_) {
      waiter_.resume = resume;
      waiter_.argument = this;
      waiter_.value = batch.awaited_value;
      waiting_ = true;
      if (batch.awaited->call_when(waiter_)) return;
      waiting_ = false;
    }
    send(batch);
    in_flight_.push_back(std::move(ready_.front()));
    ready_.erase(ready_.begin());
  }
}

void GpuStream::resume(void* argument) {
  auto* stream = static_cast<GpuStream*>(argument);
  const std::lock_guard<std::mutex> lock(stream->mutex_);
  stream->waiting_ = false;
  stream->ready_.front()->awaited = nullptr;
  stream->pump();
  stream->resumed_.notify_all();
}

void GpuStream::abandon(Batch& batch) {
  for (const PendingSignal& signal : batch.signals) signal.timeline->abandon();
}

void GpuStream::send(Batch& batch) {
  if (gpu_->is_lost()) {
    abandon(batch);
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
  const std::shared_ptr<TimelineSemaphore>& own = batch.last ? semaphore_ : steps_;
  const uint64_t own_value = batch.last ? batch.value : ++step_count_;
  batch.semaphores.push_back(own->handle());
  batch.values.push_back(own_value);
  if (batch.last) submitted_ = batch.value;
  values.signalSemaphoreValueCount = static_cast<uint32_t>(batch.values.size());
  values.pSignalSemaphoreValues = batch.values.data();
  info.pNext = &values;
  info.signalSemaphoreCount = static_cast<uint32_t>(batch.semaphores.size());
  info.pSignalSemaphores = batch.semaphores.data();
  // The watches begin before the work can end, so that no thread sees its end without its signals. If the device is
  // lost, the watcher abandons the timelines.
  if (batch.last && !batch.signals.empty()) watched_ = own_value;
  for (PendingSignal& signal : batch.signals) watcher_->watch(own, own_value, std::move(signal.timeline), signal.value);
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

uint64_t GpuStream::completed() const {
  uint64_t known = completed_.load(std::memory_order_acquire);
  if (gpu_->is_lost()) return known;
  const uint64_t present = semaphore_->value();
  // The semaphore of a lost device may have any value.
  if (present > submitted_.load(std::memory_order_acquire)) gpu_->lose("the driver tells of work that it never got");
  if (gpu_->is_lost()) return known;
  // The fences that the work raises must be raised before its end is reported.
  if (known < present && known < watched_.load(std::memory_order_acquire)) watcher_->finish(*semaphore_, present);
  while (known < present && !completed_.compare_exchange_weak(known, present, std::memory_order_acq_rel)) {
  }
  return std::max(known, present);
}

bool GpuStream::wait(uint64_t value, uint64_t timeout_ns) {
  if (completed() >= value) return true;
  const bool reached =
      gpu::wait_unless_hung(*gpu_, *semaphore_, value, timeout_ns, [this] { return submitted_.load(); });
  if (reached) completed();
  return reached;
}

void GpuStream::reap() {
  const uint64_t value = completed();
  while (true) {
    BatchPointer done;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (in_flight_.empty() || in_flight_.front()->value > value) return;
      free_batches_.reserve(free_batches_.size() + 1);
      done = std::move(in_flight_.front());
      in_flight_.erase(in_flight_.begin());
    }
    free_commands_.reserve(free_commands_.size() + done->own.size());
    for (const VkCommandBuffer commands : done->own) free_commands_.push_back(commands);
    if (done->timestamps != nullptr) done->timestamps->collect();
    done->clear();
    free_batches_.push_back(std::move(done));
  }
}

}  // namespace clothc::vulkan
