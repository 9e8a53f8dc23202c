// scheduler.cpp - implements the pool of the library's own threads.
#include "backend_cpu/scheduler.h"

#include <cassert>

namespace clothc::cpu {

ThreadPool::ThreadPool(uint32_t worker_count) {
  threads_.reserve(worker_count);
  try {
    for (uint32_t k = 0; k < worker_count; ++k) threads_.emplace_back([this] { run_worker(); });
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  if (origin_.is_here()) {
    stop();
    return;
  }
  for (std::thread& thread : threads_) forget_threads(thread);
  forget_threads(added_);
}

void ThreadPool::stop() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    stopping_ = true;
  }
  added_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::reserve(uint32_t task_count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (reserved_ + task_count > queue_.size()) {
    std::vector<Entry> larger(2 * reserved_ + task_count);
    for (size_t k = 0; k < count_; ++k) larger[k] = queue_[(first_ + k) % queue_.size()];
    queue_ = std::move(larger);
    first_ = 0;
  }
  reserved_ += task_count;
}

void ThreadPool::release(uint32_t task_count) noexcept {
  const std::lock_guard<std::mutex> lock(mutex_);
  reserved_ -= task_count;
}

void ThreadPool::submit(clothc_task task, void* argument) noexcept {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    assert(count_ < queue_.size());
    queue_[(first_ + count_) % queue_.size()] = {task, argument};
    ++count_;
  }
  added_.notify_one();
}

void ThreadPool::run_worker() {
  std::unique_lock<std::mutex> lock(mutex_);
  while (true) {
    added_.wait(lock, [this] { return count_ > 0 || stopping_; });
    if (count_ == 0) return;
    const Entry entry = queue_[first_];
    first_ = (first_ + 1) % queue_.size();
    --count_;
    lock.unlock();
    entry.task(entry.argument);
    lock.lock();
  }
}

}  // namespace clothc::cpu
