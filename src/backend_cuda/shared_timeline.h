// shared_timeline.h - a fence that is also a timeline semaphore of another API. What streams of the device signal
// reaches the semaphore on the device, and streams wait for it there, without the host. CUDA cannot read a semaphore:
// the host knows of a value when work that signals it, or waits for it, has ended.
#pragma once

#include "backend_cuda/work_queue.h"

namespace clothc::cuda {

class GpuTimeline final : public SharedTimeline {
 public:
  // Imports an exported semaphore, and takes over its file descriptor if it succeeds. Throws Failure.
  static std::shared_ptr<GpuTimeline> import(const GpuPointer& gpu, int descriptor);
  GpuTimeline(const GpuPointer& gpu, int descriptor);
  ~GpuTimeline() override;

  // The highest value that the semaphore is known to have reached.
  uint64_t value() const override;
  void signal(uint64_t value) override;
  void require_expected(uint64_t value) const override;
  int export_file_descriptor() const override;

  CUexternalSemaphore semaphore() const { return semaphore_; }
  // Must be called when work that signals this value, or waits for it, has been handed to the device.
  void will_reach(uint64_t value);

 private:
  GpuPointer gpu_;
  CUexternalSemaphore semaphore_ = nullptr;
  mutable std::mutex mutex_;
  uint64_t known_ = 0;
  // The highest value that work handed to the device signals or waits for.
  uint64_t expected_ = 0;
  // The host's own signals.
  WorkQueue signals_;
};

}  // namespace clothc::cuda
