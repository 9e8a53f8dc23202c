// semaphore.h - a timeline semaphore of another API on the device. Invariant: the device signals rising values only, in
// whatever order its streams come to them, since CUDA sets a semaphore to the value of a signal without comparing.
#pragma once

#include <atomic>
#include <mutex>

#include "backend_cuda/gpu.h"

namespace clothc::cuda {

class Semaphore {
 public:
  // Imports an exported semaphore. If it succeeds, the handle belongs to the driver, where drivers take handles over.
  // Throws Failure.
  Semaphore(GpuPointer gpu, platform::OsHandle exported);
  ~Semaphore();
  Semaphore(const Semaphore&) = delete;
  Semaphore& operator=(const Semaphore&) = delete;

  const GpuPointer& gpu() const { return gpu_; }
  // The stream signals the value, after all values that were signalled before. If one of those is higher, it waits for
  // that one instead. The context must be current. Returns the first error of the driver.
  CUresult signal_in(CUstream stream, uint64_t value);
  // The stream waits until the semaphore has the value. The context must be current.
  CUresult wait_in(CUstream stream, uint64_t value) const;

  // Must be called when work that waits for the value has been queued.
  void will_wait_for(uint64_t value);
  // The highest value that queued work waits for, or has waited for.
  uint64_t awaited() const { return awaited_.load(); }

 private:
  GpuPointer gpu_;
  CUexternalSemaphore semaphore_ = nullptr;
  // Behind the last signal.
  CUevent last_ = nullptr;
  std::mutex mutex_;
  // The highest value that a stream has been told to signal.
  uint64_t signalled_ = 0;
  std::atomic<uint64_t> awaited_{0};
};

}  // namespace clothc::cuda
