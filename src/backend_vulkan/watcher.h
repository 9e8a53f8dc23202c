// watcher.h - a thread that raises fences of the host when work of the GPU has ended; started by the first signal.
#pragma once

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
  // Raises the timeline whenever the semaphore is raised, as long as the timeline lives.
  void follow(std::shared_ptr<TimelineSemaphore> semaphore, const std::shared_ptr<Timeline>& timeline);
  // Signals the timeline when the semaphore has reached value; abandons it if the device is lost first.
  void watch(std::shared_ptr<TimelineSemaphore> semaphore, uint64_t value, std::shared_ptr<Timeline> timeline,
             uint64_t timeline_value);

 private:
  struct Watch {
    std::shared_ptr<TimelineSemaphore> semaphore;
    uint64_t value = 0;
    std::shared_ptr<Timeline> timeline;  // null if it is followed
    uint64_t timeline_value = 0;
    std::weak_ptr<Timeline> followed;
  };
  void add(Watch watch);
  void run();
  void wake();
  // With the lock held: takes a watch that is due; false if there is none.
  bool take_due(Watch& due);
  // Waits until a watch may be due. lock is let go meanwhile.
  void sleep(std::unique_lock<std::mutex>& lock);

  GpuPointer gpu_;
  std::mutex mutex_;
  std::vector<Watch> watches_;
  size_t promised_ = 0;  // rooms made and not used yet
  std::unique_ptr<TimelineSemaphore> waker_;
  uint64_t waker_value_ = 0;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace clothc::vulkan
