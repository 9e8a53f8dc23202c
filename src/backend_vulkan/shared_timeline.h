// shared_timeline.h - a fence that is also a semaphore of the device. What streams of the device signal reaches the
// semaphore on the device, without the host. What others signal on the semaphore reaches the fence through the watcher.
#pragma once

#include "backend_gpu/watcher.h"
#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

using GpuWatcher = gpu::Watcher<Gpu, TimelineSemaphore>;

class GpuTimeline final : public SharedTimeline {
 public:
  // create makes a new semaphore with that value, and import makes one of an exported handle, which it takes over. Whenever the
  // semaphore is raised, the timeline is raised too. The timeline must own the returned object. Both throw Failure.
  static std::shared_ptr<GpuTimeline> create(const GpuPointer& gpu, const std::shared_ptr<GpuWatcher>& watcher,
                                             Timeline& timeline, uint64_t value);
  static std::shared_ptr<GpuTimeline> import(const GpuPointer& gpu, const std::shared_ptr<GpuWatcher>& watcher,
                                             Timeline& timeline, platform::OsHandle handle);
  GpuTimeline(std::shared_ptr<GpuWatcher> watcher, std::shared_ptr<TimelineSemaphore> semaphore, Timeline& timeline);
  ~GpuTimeline() override;

  uint64_t value() const override { return semaphore_->value(); }
  void signal(uint64_t value) override { semaphore_->signal(value); }
  void require_order(uint64_t value, uint64_t queued) const override;
  platform::OsHandle export_handle() const override;
  const std::shared_ptr<TimelineSemaphore>& semaphore() const { return semaphore_; }

 private:
  std::shared_ptr<GpuWatcher> watcher_;
  std::shared_ptr<TimelineSemaphore> semaphore_;
};

}  // namespace clothc::vulkan
