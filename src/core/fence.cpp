// fence.cpp - waiting and signalling.
#include "core/fence.h"

#include <algorithm>

namespace clothc {

uint64_t Fence::value() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return value_;
}

uint64_t Fence::promised() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return promised_;
}

bool Fence::promise(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value <= promised_ || value <= value_) return false;
  promised_ = value;
  return true;
}

void Fence::signal(uint64_t value) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (value <= value_) return;
  value_ = value;
  promised_ = std::max(promised_, value);
  reached_.notify_all();
  // One at a time, so that nothing is allocated and a waiter may be forgotten in between.
  while (true) {
    const auto due = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& w) { return w.value <= value_; });
    if (due == waiters_.end()) return;
    const Waiter waiter = *due;
    waiters_.erase(due);
    lock.unlock();
    waiter.resume(waiter.argument);
    lock.lock();
  }
}

bool Fence::wait(uint64_t value, uint64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  return clothc::wait_for(reached_, lock, timeout_ns, [&] { return value_ >= value; });
}

bool Fence::call_when(uint64_t value, void (*resume)(void*), void* argument) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value_ >= value) return false;
  waiters_.push_back({value, resume, argument});
  return true;
}

bool Fence::forget(void* argument) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto kept =
      std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& w) { return w.argument == argument; });
  if (kept == waiters_.end()) return false;
  waiters_.erase(kept);
  return true;
}

}  // namespace clothc
