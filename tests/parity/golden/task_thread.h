// task_thread.h - a minimal application scheduler: one thread that runs tasks in the order in which they were
// submitted.
#pragma once

#include <clothc.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <utility>

namespace golden {

class TaskThread {
 public:
  TaskThread() : thread_([this] { run(); }) {}
  ~TaskThread() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ended_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  static void CLOTHC_CALL submit(clothc_task task, void* argument, void* user) {
    TaskThread& self = *static_cast<TaskThread*>(user);
    {
      const std::lock_guard<std::mutex> lock(self.mutex_);
      self.tasks_.emplace_back(task, argument);
    }
    self.wake_.notify_one();
  }

 private:
  void run() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return ended_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      const std::pair<clothc_task, void*> next = tasks_.front();
      tasks_.pop_front();
      lock.unlock();
      next.first(next.second);
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::pair<clothc_task, void*>> tasks_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace golden
