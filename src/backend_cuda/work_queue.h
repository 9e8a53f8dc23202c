// work_queue.h - the CUDA streams of a queue of work, with values that rise when work ends, which the host can wait for
// with a time-out. Values are raised by a host function on a stream of its own, so that no work waits for the host.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "backend_cuda/operations.h"

namespace clothc::cuda {

// A value that work of the device raises: a Semaphore of backend_gpu/watcher.h.
class ProgressValue {
 public:
  explicit ProgressValue(GpuPointer gpu) : gpu_(std::move(gpu)) {}
  uint64_t value() const { return value_.load(std::memory_order_acquire); }
  // Waits until value is reached. Returns false if the time-out passes first, or if the device is found to be lost.
  bool wait(uint64_t value, uint64_t timeout_ns) const;
  // Raises the value, unless it is that high already.
  void raise(uint64_t value);
  // A stream that is never captured. It is asked for errors when the value does not rise.
  void set_stream(CUstream stream) { stream_ = stream; }

 private:
  GpuPointer gpu_;
  std::atomic<uint64_t> value_{0};
  mutable std::mutex mutex_;
  mutable std::condition_variable raised_;
  CUstream stream_ = nullptr;
};

class WorkQueue {
 public:
  // adopted: the application's stream to use, null to create one. Throws Failure.
  explicit WorkQueue(GpuPointer gpu, CUstream adopted = nullptr);
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // Waits until the work has ended, even on a device that counts as lost, but no longer than a device may make no
  // progress.
  void drain();

  CUstream stream() const { return lanes_.of(Lane::work); }
  // Whether there are lanes beside Lane::work. In a stream of the application all work keeps the order of the calls.
  bool may_copy_beside() const { return adopted_ == nullptr; }
  // Makes these lanes, if they are not there. Until then nothing may run on them. The context must be current. Throws
  // Failure.
  void prepare_copy_lanes();
  const Lanes& lanes() const { return lanes_; }
  // Whether the application captures its stream, so that work would not run but become a part of a graph. The context
  // must be current.
  bool is_captured() const;
  // Two values that rise independently of each other.
  const std::shared_ptr<ProgressValue>& progress() const { return progress_; }
  const std::shared_ptr<ProgressValue>& steps() const { return steps_; }

  // Reserves what one more call of mark needs before the value of an earlier one is reached. Throws Failure.
  void reserve_mark();
  // Makes one of the two values reach value when all work queued so far has ended. Values rise from call to call.
  // has_downloads: whether something was added to Lane::downloads since the last call; Lane::work waits for each upload
  // anyway. The context must be current. Returns the first error of the driver.
  CUresult mark(const std::shared_ptr<ProgressValue>& progress, uint64_t value, bool has_downloads);

 private:
  void create();
  void destroy();
  void mark_lost_work();
  bool is_working() const;

  // The argument of the host function.
  struct Mark {
    std::shared_ptr<ProgressValue> progress;
    uint64_t value = 0;
  };

  GpuPointer gpu_;
  CUstream adopted_;
  std::shared_ptr<ProgressValue> progress_;
  std::shared_ptr<ProgressValue> steps_;
  Lanes lanes_;
  CUstream notifications_ = nullptr;
  std::mutex mutex_;
  // A mark is used again when its value has been reached.
  std::vector<std::unique_ptr<Mark>> marks_;
};

}  // namespace clothc::cuda
