// watcher.h - a thread that raises fences of the host when work of the GPU has ended, and follows semaphores that
// others raise; started by the first signal.
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

  // Makes room for one more watch and starts the thread, so that watch does not fail; throws Failure.
  void prepare();
  // Signals the timeline when the semaphore has reached value; abandons it if the device is lost first. Called in the
  // order in which the work is handed to the queue, which is the order in which it ends.
  void watch(std::shared_ptr<TimelineSemaphore> semaphore, uint64_t value, std::shared_ptr<Timeline> timeline,
             uint64_t timeline_value);
  // Raises the timeline whenever the semaphore is raised, until it is forgotten.
  void follow(std::shared_ptr<TimelineSemaphore> semaphore, Timeline& timeline);
  void forget(const TimelineSemaphore& semaphore);
  // Waits until the watches of a semaphore for values up to this are over.
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
    uint64_t value = 0;  // seen
    Timeline* timeline = nullptr;
  };
  // What to raise.
  struct Due {
    Watch watch;  // owns the timeline, if it is one of watches_
    const TimelineSemaphore* semaphore = nullptr;
    Timeline* timeline = nullptr;
    uint64_t value = 0;
  };
  void run();
  // With the lock held: something to raise, or false.
  bool take_watch(Due& due);
  bool take_follow(Due& due);

  GpuPointer gpu_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Watch> watches_;  // in the order in which they end
  std::vector<Follow> follows_;
  size_t promised_ = 0;                                     // rooms made and not used yet
  const TimelineSemaphore* busy_ = nullptr;                 // whose timeline is being raised
  std::chrono::steady_clock::time_point first_since_ = {};  // since when the first watch is the first
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace clothc::vulkan
