// stream_progress.h - how far a stream has come: which of its lists the device has ended, and that the timelines which
// they signal have been raised by then.
#pragma once

#include <atomic>

#include "backend_gpu/watcher.h"

namespace clothc::gpu {

// Device and Semaphore: as those of Watcher. The last batch of each list signals the semaphore with the list's value.
template <class Device, class Semaphore>
class StreamProgress {
 public:
  StreamProgress(std::shared_ptr<Device> device, std::shared_ptr<Watcher<Device, Semaphore>> watcher,
                 std::shared_ptr<Semaphore> semaphore)
      : device_(std::move(device)), watcher_(std::move(watcher)), semaphore_(std::move(semaphore)) {}

  const std::shared_ptr<Semaphore>& semaphore() const { return semaphore_; }
  // Must be called before the last batch of a list is sent. raises: whether that batch signals timelines.
  void sending(uint64_t value, bool raises) {
    submitted_ = value;
    if (raises) watched_ = value;
  }
  // Returns the value of the last list whose last batch was sent.
  uint64_t submitted() const { return submitted_; }

  // Returns the value of the last list that has ended.
  uint64_t completed() const {
    uint64_t known = completed_.load(std::memory_order_acquire);
    if (device_->is_lost()) return known;
    const uint64_t present = semaphore_->value();
    // The semaphore of a lost device may have any value.
    if (present > submitted_.load(std::memory_order_acquire))
      device_->lose("the driver tells of work that it never got");
    if (device_->is_lost()) return known;
    // The fences that the work raises must be raised before its end is reported.
    if (known < present && known < watched_.load(std::memory_order_acquire)) watcher_->finish(*semaphore_, present);
    while (known < present && !completed_.compare_exchange_weak(known, present, std::memory_order_acq_rel)) {
    }
    return std::max(known, present);
  }
  // Waits until the list has ended. Returns false if the time-out passes first. Throws Failure if the device is lost.
  bool wait(uint64_t value, uint64_t timeout_ns) const {
    if (completed() >= value) return true;
    const bool reached =
        wait_unless_hung(*device_, *semaphore_, value, timeout_ns, [this] { return submitted_.load(); });
    if (reached) completed();
    return reached;
  }

 private:
  std::shared_ptr<Device> device_;
  std::shared_ptr<Watcher<Device, Semaphore>> watcher_;
  std::shared_ptr<Semaphore> semaphore_;
  std::atomic<uint64_t> submitted_{0};
  // Value of the last list whose last batch signals timelines.
  std::atomic<uint64_t> watched_{0};
  mutable std::atomic<uint64_t> completed_{0};
};

}  // namespace clothc::gpu
