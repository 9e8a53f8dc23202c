// watcher.h - a thread that raises fences of the host when work of the GPU has ended, and that follows semaphores which
// other devices, APIs or processes raise. It is started when it is first needed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <thread>
#include <vector>

#include "backend_vulkan/gpu.h"

namespace clothc::vulkan {

class Watcher {
 public:
  explicit Watcher(GpuPointer gpu) : gpu_(std::move(gpu)) {}
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Reserves space for one more watch and starts the thread, so that the next call of watch does not fail. Throws
  // Failure.
  void prepare();
  // Signals the timeline when the semaphore has reached value, or abandons it if the device is lost first. Must be
  // called in the order in which the work is submitted to the queue, which is the order in which the work ends.
  void watch(std::shared_ptr<TimelineSemaphore> semaphore, uint64_t value, std::shared_ptr<Timeline> timeline,
             uint64_t timeline_value);
  // Raises the timeline whenever the semaphore is raised, until forget is called.
  void follow(std::shared_ptr<TimelineSemaphore> semaphore, Timeline& timeline);
  // Ends following a semaphore. Afterwards the watcher no longer uses its timeline.
  void forget(const TimelineSemaphore& semaphore);
  // Waits until all watches of the semaphore for values up to value are over.
  void finish(const TimelineSemaphore& semaphore, uint64_t value);

 private:
  struct Watch {
    std::shared_ptr<TimelineSemaphore> semaphore;
    uint64_t value = 0;
    std::shared_ptr<Timeline> timeline;
    uint64_t timeline_value = 0;
  };
  struct Follow {
    std::shared_ptr<TimelineSemaphore> semaphore;
    // The value that the semaphore had when it was last read.
    uint64_t value = 0;
    Timeline* timeline = nullptr;
  };
  // A timeline to raise to value.
  struct Due {
    // Owns the timeline if it comes from watches_.
    Watch watch;
    const TimelineSemaphore* semaphore = nullptr;
    Timeline* timeline = nullptr;
    uint64_t value = 0;
  };
  void run();
  // The lock must be held. Both return false if there is nothing to raise.
  bool take_watch(Due& due);
  bool take_follow(Due& due);

  GpuPointer gpu_;
  std::mutex mutex_;
  std::condition_variable changed_;

  // Ordered by the time at which they end.
  std::vector<Watch> watches_;
  std::vector<Follow> follows_;

  // Number of calls of prepare that no call of watch has used yet.
  size_t reserved_ = 0;

  // The semaphore whose timeline is being raised without the lock, or null.
  const TimelineSemaphore* busy_ = nullptr;

  // Time at which the first watch became the first one.
  std::chrono::steady_clock::time_point first_since_ = {};

  bool ending_ = false;
  std::thread thread_;
};

}  // namespace clothc::vulkan
