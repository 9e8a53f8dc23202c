// watcher.h - a thread that raises fences of the host when work of the GPU has ended, and that follows semaphores which
// other devices, APIs or processes raise. It is started when it is first needed.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "backend_gpu/hang_detection.h"
#include "core/backend/timeline.h"

namespace clothc::gpu {

// Device: has is_lost(), lose(reason) and hang_timeout_ns(). Semaphore: a value that work of the device raises, with
// value() and wait(value, timeout_ns).
template <class Device, class Semaphore>
class Watcher {
 public:
  explicit Watcher(std::shared_ptr<Device> device) : device_(std::move(device)) {}
  ~Watcher();
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

  // Reserves space for one more watch and starts the thread, so that the next call of watch does not fail. Throws
  // Failure.
  void prepare();
  // Raises the timeline when the semaphore has reached value, or abandons it if the device is lost first. Must be
  // called in the order in which the work is submitted to the queue, which is the order in which the work ends.
  // is_raised_there: whether the semaphore that shares the timeline has its value by then.
  void watch(std::shared_ptr<Semaphore> semaphore, uint64_t value, std::shared_ptr<Timeline> timeline,
             uint64_t timeline_value, bool is_raised_there);
  // Raises the timeline whenever the semaphore is raised, until forget is called.
  void follow(std::shared_ptr<Semaphore> semaphore, Timeline& timeline);
  // Ends following a semaphore. Afterwards the watcher no longer uses its timeline.
  void forget(const Semaphore& semaphore);
  // Waits until all watches of the semaphore for values up to value are over.
  void finish(const Semaphore& semaphore, uint64_t value);

 private:
  // Interval at which the thread checks for a loss of the device that the driver does not report to it, in nanoseconds.
  static constexpr uint64_t look_around_ns = 100'000'000;
  // Interval at which the thread reads the semaphores that others raise, in nanoseconds.
  static constexpr uint64_t look_often_ns = 1'000'000;

  struct Watch {
    std::shared_ptr<Semaphore> semaphore;
    uint64_t value = 0;
    std::shared_ptr<Timeline> timeline;
    uint64_t timeline_value = 0;
    bool is_raised_there = false;
  };
  struct Follow {
    std::shared_ptr<Semaphore> semaphore;
    // The value that the semaphore had when it was last read.
    uint64_t value = 0;
    Timeline* timeline = nullptr;
  };
  // A timeline to raise to value.
  struct Due {
    // Owns the timeline if it comes from watches_.
    Watch watch;
    const Semaphore* semaphore = nullptr;
    Timeline* timeline = nullptr;
    uint64_t value = 0;
    // Whether the semaphore that shares the timeline has the value.
    bool is_raised_there = false;
  };
  void run();
  // The lock must be held. Both return false if there is nothing to raise.
  bool take_watch(Due& due);
  bool take_follow(Due& due);

  std::shared_ptr<Device> device_;
  std::mutex mutex_;
  std::condition_variable changed_;

  // Ordered by the time at which they end.
  std::vector<Watch> watches_;
  std::vector<Follow> follows_;

  // Number of calls of prepare that no call of watch has used yet.
  size_t reserved_ = 0;

  // The semaphore whose timeline is being raised without the lock, or null.
  const Semaphore* busy_ = nullptr;

  // With the first watch, from when it became the first one or its semaphore was last raised, to the value reached_.
  Patience patience_;
  uint64_t reached_ = 0;

  bool ending_ = false;
  std::thread thread_;
};

template <class Device, class Semaphore>
Watcher<Device, Semaphore>::~Watcher() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

template <class Device, class Semaphore>
void Watcher<Device, Semaphore>::prepare() {
  const std::lock_guard<std::mutex> lock(mutex_);
  watches_.reserve(watches_.size() + reserved_ + 1);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  ++reserved_;
}

template <class Device, class Semaphore>
void Watcher<Device, Semaphore>::watch(std::shared_ptr<Semaphore> semaphore, uint64_t value,
                                       std::shared_ptr<Timeline> timeline, uint64_t timeline_value,
                                       bool is_raised_there) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (reserved_ > 0) --reserved_;
  if (watches_.empty()) patience_.renew();
  watches_.push_back({std::move(semaphore), value, std::move(timeline), timeline_value, is_raised_there});
  changed_.notify_all();
}

template <class Device, class Semaphore>
void Watcher<Device, Semaphore>::follow(std::shared_ptr<Semaphore> semaphore, Timeline& timeline) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t seen = semaphore->value();
  follows_.push_back({std::move(semaphore), seen, &timeline});
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

template <class Device, class Semaphore>
void Watcher<Device, Semaphore>::forget(const Semaphore& semaphore) {
  std::unique_lock<std::mutex> lock(mutex_);
  follows_.erase(std::remove_if(follows_.begin(), follows_.end(),
                                [&](const Follow& follow) { return follow.semaphore.get() == &semaphore; }),
                 follows_.end());
  changed_.wait(lock, [&] { return busy_ != &semaphore; });
}

template <class Device, class Semaphore>
void Watcher<Device, Semaphore>::finish(const Semaphore& semaphore, uint64_t value) {
  const auto concerns = [&](const Watch& watch) { return watch.semaphore.get() == &semaphore && watch.value <= value; };
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return busy_ != &semaphore && std::none_of(watches_.begin(), watches_.end(), concerns); });
}

template <class Device, class Semaphore>
bool Watcher<Device, Semaphore>::take_watch(Due& due) {
  if (watches_.empty()) return false;
  const Watch& first = watches_.front();
  if (!device_->is_lost() && first.semaphore->value() < first.value) return false;
  due.watch = std::move(watches_.front());
  watches_.erase(watches_.begin());
  patience_.renew();
  due.semaphore = due.watch.semaphore.get();
  due.timeline = due.watch.timeline.get();
  due.value = due.watch.timeline_value;
  due.is_raised_there = due.watch.is_raised_there;
  return true;
}

template <class Device, class Semaphore>
bool Watcher<Device, Semaphore>::take_follow(Due& due) {
  for (auto follow = follows_.begin(); follow != follows_.end(); ++follow) {
    const uint64_t value = follow->semaphore->value();
    if (!device_->is_lost() && value == follow->value) continue;
    due.semaphore = follow->semaphore.get();
    due.timeline = follow->timeline;
    due.value = follow->value = value;
    due.is_raised_there = true;
    if (device_->is_lost()) follows_.erase(follow);
    return true;
  }
  return false;
}

template <class Device, class Semaphore>
void Watcher<Device, Semaphore>::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    Due due;
    if (take_watch(due) || take_follow(due)) {
      busy_ = due.semaphore;
      lock.unlock();
      // The lock is released because what this resumes may call watch again.
      if (device_->is_lost()) {
        due.timeline->abandon();
      } else if (due.is_raised_there) {
        due.timeline->follow(due.value);
      } else {
        due.timeline->signal(due.value);
      }
      due = Due{};
      lock.lock();
      busy_ = nullptr;
      changed_.notify_all();
    } else if (watches_.empty()) {
      if (ending_) return;
      if (follows_.empty()) {
        changed_.wait(lock);
      } else {
        changed_.wait_for(lock, std::chrono::nanoseconds(look_often_ns));
      }
    } else {
      // Only this thread removes watches, so the first one is still the first after the wait.
      const std::shared_ptr<Semaphore> semaphore = watches_.front().semaphore;
      const uint64_t value = watches_.front().value;
      const uint64_t interval_ns = follows_.empty() ? look_around_ns : look_often_ns;
      lock.unlock();
      semaphore->wait(value, interval_ns);
      lock.lock();
      const uint64_t present = semaphore->value();
      if (present != std::exchange(reached_, present)) patience_.renew();
      if (present < value && patience_.ends(device_->hang_timeout_ns())) device_->lose(hang_reason);
    }
  }
}

}  // namespace clothc::gpu
