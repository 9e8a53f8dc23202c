// scheduler.h - runs tasks, either on the library's own threads or in the application's scheduler. A task never waits
// for another task, so any number of workers makes progress.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "clothc.h"
#include "core/base/process.h"

namespace clothc::cpu {

class Scheduler {
 public:
  // Precondition: every task has ended.
  virtual ~Scheduler() = default;

  // Reserves queue capacity for task_count more pending tasks, so that submit never allocates. Throws std::bad_alloc.
  virtual void reserve(uint32_t task_count) = 0;
  // Gives capacity back that was reserved before.
  virtual void release(uint32_t task_count) noexcept = 0;

  virtual void submit(clothc_task task, void* argument) noexcept = 0;
  virtual uint32_t worker_count() const = 0;

  // Returns whether a task that finds nothing to do may spin for a while. If run_goes_on, it would wait for tiles of
  // the current run; otherwise for the next run, which then does not need to wake a thread.
  virtual bool may_spin(bool run_goes_on) const = 0;

  // Returns whether tasks run on threads of the library, so that they begin whatever the application does.
  virtual bool has_own_threads() const { return true; }
};

// Owns worker_count threads of the library, which block when there is nothing to do.
class ThreadPool final : public Scheduler {
 public:
  explicit ThreadPool(uint32_t worker_count);
  ~ThreadPool() override;
  void reserve(uint32_t task_count) override;
  void release(uint32_t task_count) noexcept override;
  void submit(clothc_task task, void* argument) noexcept override;
  uint32_t worker_count() const override { return static_cast<uint32_t>(threads_.size()); }
  bool may_spin(bool) const override { return count_.load(std::memory_order_relaxed) == 0; }

 private:
  struct Entry {
    clothc_task task;
    void* argument;
  };
  void run_worker();
  void stop();

  Origin origin_;
  ForkMutex mutex_;
  std::condition_variable added_;

  // Ring buffer with at least reserved_ elements, of which count_ are in use from first_ on.
  std::vector<Entry> queue_;
  size_t reserved_ = 0;
  size_t first_ = 0;
  // Changes only while the mutex is held, but may be read without it.
  std::atomic<size_t> count_{0};

  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

class ApplicationScheduler final : public Scheduler {
 public:
  ApplicationScheduler(clothc_submit_callback callback, void* user, uint32_t worker_count)
      : callback_(callback), user_(user), worker_count_(worker_count) {}
  void reserve(uint32_t) override {}
  void release(uint32_t) noexcept override {}
  void submit(clothc_task task, void* argument) noexcept override { callback_(task, argument, user_); }
  uint32_t worker_count() const override { return worker_count_; }
  bool may_spin(bool run_goes_on) const override { return run_goes_on; }
  bool has_own_threads() const override { return false; }

 private:
  clothc_submit_callback callback_;
  void* user_;
  uint32_t worker_count_;
};

}  // namespace clothc::cpu
