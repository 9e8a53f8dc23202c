// shared_timeline.h - a fence as a semaphore of the device: what streams signal reaches it on the device, what others signal
// on it reaches the fence through the watcher.
#pragma once

#include "backend_vulkan/watcher.h"

namespace clothc::vulkan {

class GpuTimeline final : public SharedTimeline {
 public:
  GpuTimeline(GpuPointer gpu, std::shared_ptr<TimelineSemaphore> semaphore)
      : gpu_(std::move(gpu)), semaphore_(std::move(semaphore)) {}

  // A new semaphore of that value, or one that was exported; it moves the timeline from now on. Throws Failure.
  static std::shared_ptr<GpuTimeline> create(const GpuPointer& gpu, Watcher& watcher,
                                             const std::shared_ptr<Timeline>& timeline, uint64_t value);
  static std::shared_ptr<GpuTimeline> import(const GpuPointer& gpu, Watcher& watcher,
                                             const std::shared_ptr<Timeline>& timeline, int descriptor);

  uint64_t value() const override { return semaphore_->value(); }
  void signal(uint64_t value) override { semaphore_->signal(value); }
  int export_file_descriptor() const override;
  const std::shared_ptr<TimelineSemaphore>& semaphore() const { return semaphore_; }

 private:
  GpuPointer gpu_;
  std::shared_ptr<TimelineSemaphore> semaphore_;
};

}  // namespace clothc::vulkan
