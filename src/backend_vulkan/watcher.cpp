// watcher.cpp - see watcher.h.
#include "backend_vulkan/watcher.h"

#include <chrono>

namespace clothc::vulkan {
namespace {

// A loss that the driver does not report to this thread is found out this often.
constexpr uint64_t look_around_ns = 100'000'000;
// Semaphores waited for at a time; what lies beyond is looked at often instead.
constexpr size_t most_semaphores = 64;
constexpr uint64_t look_often_ns = 500'000;

}  // namespace

Watcher::~Watcher() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ending_ = true;
    wake();
  }
  if (thread_.joinable()) thread_.join();
}

void Watcher::prepare() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (waker_ == nullptr) waker_ = std::make_unique<TimelineSemaphore>(gpu_);
  watches_.reserve(watches_.size() + promised_ + 1);
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  ++promised_;
}

// With the lock held.
void Watcher::wake() {
  if (waker_ == nullptr || gpu_->is_lost()) return;
  VkSemaphoreSignalInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO;
  info.semaphore = waker_->handle();
  info.value = ++waker_value_;
  if (gpu_->SignalSemaphore(gpu_->handle(), &info) != VK_SUCCESS) gpu_->lose("the driver refused to signal a semaphore");
}

void Watcher::add(Watch watch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (promised_ > 0) --promised_;
  watches_.push_back(std::move(watch));
  wake();
}

void Watcher::watch(std::shared_ptr<TimelineSemaphore> semaphore, uint64_t value, std::shared_ptr<Timeline> timeline,
                    uint64_t timeline_value) {
  add({std::move(semaphore), value, std::move(timeline), timeline_value, {}});
}

void Watcher::follow(std::shared_ptr<TimelineSemaphore> semaphore, const std::shared_ptr<Timeline>& timeline) {
  const uint64_t next = semaphore->value() + 1;
  add({std::move(semaphore), next, nullptr, 0, timeline});
}

bool Watcher::take_due(Watch& due) {
  for (auto watch = watches_.begin(); watch != watches_.end(); ++watch) {
    const bool follows = watch->timeline == nullptr;
    const bool forgotten = follows && watch->followed.expired();
    const uint64_t value = watch->semaphore->value();
    if (!gpu_->is_lost() && !forgotten && value < watch->value) continue;
    if (follows && !forgotten && !gpu_->is_lost()) {
      watch->value = value + 1;
      due = {watch->semaphore, value, watch->followed.lock(), value, {}};
    } else {
      due = std::move(*watch);
      watches_.erase(watch);
      if (follows) due.timeline = due.followed.lock();
    }
    return true;
  }
  return false;
}

void Watcher::sleep(std::unique_lock<std::mutex>& lock) {
  VkSemaphore semaphores[most_semaphores];
  uint64_t values[most_semaphores];
  semaphores[0] = waker_->handle();
  values[0] = waker_value_ + 1;
  uint32_t count = 1;
  // Only this thread removes watches, so their semaphores outlast the wait.
  for (const Watch& watch : watches_) {
    if (count == most_semaphores) break;
    semaphores[count] = watch.semaphore->handle();
    values[count++] = watch.value;
  }
  const bool all = count == watches_.size() + 1;
  lock.unlock();
  if (gpu_->is_lost()) {
    std::this_thread::sleep_for(std::chrono::nanoseconds(look_around_ns));
  } else {
    VkSemaphoreWaitInfo info{};
    info.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO;
    info.flags = VK_SEMAPHORE_WAIT_ANY_BIT;
    info.semaphoreCount = count;
    info.pSemaphores = semaphores;
    info.pValues = values;
    if (gpu_->WaitSemaphores(gpu_->handle(), &info, all ? look_around_ns : look_often_ns) < 0)
      gpu_->lose("the driver reported an error while work was waited for");
  }
  lock.lock();
}

void Watcher::run() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    Watch due;
    if (take_due(due)) {
      lock.unlock();
      // What this resumes may watch anew.
      if (due.timeline != nullptr && gpu_->is_lost()) {
        due.timeline->abandon();
      } else if (due.timeline != nullptr) {
        due.timeline->signal(due.timeline_value);
      }
      due = Watch{};
      lock.lock();
    } else if (ending_) {
      return;
    } else {
      sleep(lock);
    }
  }
}

}  // namespace clothc::vulkan
