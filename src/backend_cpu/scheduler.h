// scheduler.h - who runs tasks: the library's own threads, or the application's scheduler. A task never waits for
// another one, so any number of workers makes progress.
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
  virtual ~Scheduler() = default;  // every task has ended
  // Makes room for that many more tasks at a time, so that submit never allocates; throws std::bad_alloc.
  virtual void reserve(uint32_t task_count) = 0;
  // Gives such room back.
  virtual void release(uint32_t task_count) noexcept = 0;
  virtual void submit(clothc_task task, void* argument) noexcept = 0;
  virtual uint32_t worker_count() const = 0;
  // Whether a task may wait a while for work: of the run that goes on, or for the next one, which then need not wake a
  // thread.
  virtual bool may_spin(bool run_goes_on) const = 0;
};

// worker_count threads of the library's own, which sleep when there is nothing to do.
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
  std::vector<Entry> queue_;  // ring, at least as long as the tasks reserved
  size_t reserved_ = 0;
  size_t first_ = 0;
  std::atomic<size_t> count_{0};  // changed with the lock held
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

 private:
  clothc_submit_callback callback_;
  void* user_;
  uint32_t worker_count_;
};

}  // namespace clothc::cpu
