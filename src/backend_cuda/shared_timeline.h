// shared_timeline.h - a fence that is also a timeline semaphore of another API. What streams of the device signal
// reaches the semaphore on the device, and streams wait for it there, without the host. CUDA cannot read a semaphore:
// the host knows of a value when work that signals it, or waits for it, has ended.
#pragma once

#include "backend_cuda/semaphore.h"
#include "backend_cuda/work_queue.h"

namespace clothc::cuda {

class GpuTimeline final : public SharedTimeline {
 public:
  // Imports an exported semaphore, and takes over its handle if it succeeds. Throws Failure.
  static std::shared_ptr<GpuTimeline> import(const GpuPointer& gpu, platform::OsHandle handle);
  GpuTimeline(const GpuPointer& gpu, platform::OsHandle handle) : signals_(gpu), semaphore_(gpu, handle) {}
  ~GpuTimeline() override { signals_.drain(); }

  uint64_t value() const override { return 0; }
  void signal(uint64_t value) override;
  void require_order(uint64_t value, uint64_t queued) const override;
  void require_expected(uint64_t value) const override;
  platform::OsHandle export_handle() const override;

  Semaphore& semaphore() { return semaphore_; }

 private:
  // The host's own signals.
  WorkQueue signals_;
  // Work that uses the semaphore shares ownership of this object until it has ended.
  Semaphore semaphore_;
};

}  // namespace clothc::cuda
