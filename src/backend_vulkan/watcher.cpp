// watcher.cpp - implements the watcher's thread, which waits for the first watch and polls the semaphores it follows.
#include "backend_vulkan/watcher.h"

#include <algorithm>

#include "backend_gpu/hang_detection.h"

namespace clothc::vulkan {
namespace {

// Interval at which the thread checks for a loss of the device that the driver does not report to it, in nanoseconds.
constexpr uint64_t look_around_ns = 100'000'000;
// Interval at which the thread reads the semaphores that others raise, in nanoseconds.
constexpr uint64_t look_often_ns = 1'000'000;

}  // namespace

Watcher::~Watcher() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void Watcher::prepare() {
  const std::lock_guard<std::mutex> lock(mutex_);
  watches_.reserve(watches_.size() + reserved_ + 1);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  ++reserved_;
}

void Watcher::watch(std::shared_ptr<TimelineSemaphore> semaphore, uint64_t value, std::shared_ptr<Timeline> timeline,
                    uint64_t timeline_value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (reserved_ > 0) --reserved_;
  if (watches_.empty()) first_since_ = std::chrono::steady_clock::now();
  watches_.push_back({std::move(semaphore), value, std::move(timeline), timeline_value});
  changed_.notify_all();
}

void Watcher::follow(std::shared_ptr<TimelineSemaphore> semaphore, Timeline& timeline) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const uint64_t seen = semaphore->value();
  follows_.push_back({std::move(semaphore), seen, &timeline});
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  changed_.notify_all();
}

void Watcher::forget(const TimelineSemaphore& semaphore) {
  std::unique_lock<std::mutex> lock(mutex_);
  follows_.erase(std::remove_if(follows_.begin(), follows_.end(),
                                [&](const Follow& follow) { return follow.semaphore.get() == &semaphore; }),
                 follows_.end());
  changed_.wait(lock, [&] { return busy_ != &semaphore; });
}

void Watcher::finish(const TimelineSemaphore& semaphore, uint64_t value) {
  const auto concerns = [&](const Watch& watch) { return watch.semaphore.get() == &semaphore && watch.value <= value; };
  std::unique_lock<std::mutex> lock(mutex_);
  changed_.wait(lock, [&] { return busy_ != &semaphore && std::none_of(watches_.begin(), watches_.end(), concerns); });
}

bool Watcher::take_watch(Due& due) {
  if (watches_.empty()) return false;
  const Watch& first = watches_.front();
  if (!gpu_->is_lost() && first.semaphore->value() < first.value) return false;
  due.watch = std::move(watches_.front());
  watches_.erase(watches_.begin());
  first_since_ = std::chrono::steady_clock::now();
  due.semaphore = due.watch.semaphore.get();
  due.timeline = due.watch.timeline.get();
  due.value = due.watch.timeline_value;
  return true;
}

bool Watcher::take_follow(Due& due) {
  for (auto follow = follows_.begin(); follow != follows_.end(); ++follow) {
    const uint64_t value = follow->semaphore->value();
    if (!gpu_->is_lost() && value == follow->value) continue;
    due.semaphore = follow->semaphore.get();
    due.timeline = follow->timeline;
    due.value = follow->value = value;
    if (gpu_->is_lost()) follows_.erase(follow);
    return true;
  }
  return false;
}

void Watcher::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    Due due;
    if (take_watch(due) || take_follow(due)) {
      busy_ = due.semaphore;
      lock.unlock();
      // The lock is released because what this resumes may call watch again.
      if (gpu_->is_lost()) {
        due.timeline->abandon();
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
      const std::shared_ptr<TimelineSemaphore> semaphore = watches_.front().semaphore;
      const uint64_t value = watches_.front().value;
      const uint64_t interval_ns = follows_.empty() ? look_around_ns : look_often_ns;
      lock.unlock();
      semaphore->wait(value, interval_ns);
      lock.lock();
      const auto waited = std::chrono::nanoseconds(std::chrono::steady_clock::now() - first_since_);
      if (semaphore->value() < value && static_cast<uint64_t>(waited.count()) > gpu_->hang_timeout_ns())
        gpu_->lose(gpu::hang_reason);
    }
  }
}

}  // namespace clothc::vulkan
