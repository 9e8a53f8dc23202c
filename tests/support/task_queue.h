// task_queue.h - an application's scheduler for tests, and the floating-point environment of its threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "support/scene.h"

namespace clothc_test {

// A suite for backends that run tasks of the application. It skips all other backends.
class WithTasks : public testing::TestWithParam<clothc_backend> {
 protected:
  void SetUp() override {
    clothc_device_desc desc = initialised<clothc_device_desc>();
    desc.backend = GetParam();
    const clothc_device device = create_device(desc);
    clothc_device_info info = initialised<clothc_device_info>();
    ASSERT_OK(clothc_device_get_info(device, &info));
    ASSERT_OK(clothc_device_destroy(device));
    if ((info.capabilities & CLOTHC_CAPABILITY_APPLICATION_TASKS) == 0) {
      GTEST_SKIP() << "backend " << GetParam() << " runs no application tasks";
    }
  }
};

constexpr clothc_schedule schedules[] = {CLOTHC_SCHEDULE_AUTO, CLOTHC_SCHEDULE_CLOTH, CLOTHC_SCHEDULE_PASS};

// Access to the floating-point control register, on the architectures that this test supports.
#if defined(__x86_64__) || defined(__i386__)
constexpr bool has_register = true;
constexpr uint32_t default_environment = 0x1f80;
constexpr uint32_t hostile_environment =
    // Flush to zero, denormals are zero, and rounding upwards.
    0x1f80 | 0x8000 | 0x0040 | 0x4000;
// Reads the register without its exception flags.
inline uint32_t read_environment() { return __builtin_ia32_stmxcsr() & ~0x3fu; }
inline void write_environment(uint32_t value) { __builtin_ia32_ldmxcsr(value); }
#else
constexpr bool has_register = false;
constexpr uint32_t default_environment = 0;
constexpr uint32_t hostile_environment = 0;
inline uint32_t read_environment() { return 0; }
inline void write_environment(uint32_t) {}
#endif

// Changes the floating-point environment of the calling thread for the duration of a scope.
struct Environment {
  uint32_t wanted;
  uint32_t saved = read_environment();
  explicit Environment(uint32_t value) : wanted(value) { write_environment(value); }
  ~Environment() { write_environment(saved); }
};

// An application's scheduler with one queue and threads that take tasks from it. Without threads, tasks run when pump()
// is called.
class TaskQueue {
 public:
  explicit TaskQueue(uint32_t threads, uint32_t environment = default_environment) {
    for (uint32_t k = 0; k < threads; ++k) threads_.emplace_back([=] { job(environment); });
  }
  ~TaskQueue() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      stopping_ = true;
    }
    added_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    EXPECT_TRUE(queue_.empty()) << "tasks were left when the device was destroyed";
    EXPECT_EQ(environments_changed_, 0u) << "tasks left another floating-point environment than they found";
  }
  void use_in(clothc_device_desc& desc) {
    desc.submit = submit;
    desc.submit_user = this;
  }
  // Runs the oldest task on the calling thread, or returns false if there is none.
  bool pump() {
    std::unique_lock<std::mutex> lock(mutex_);
    return run_one(lock);
  }
  uint64_t submitted() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return submitted_;
  }

 private:
  static void CLOTHC_CALL submit(clothc_task task, void* argument, void* user) {
    auto* self = static_cast<TaskQueue*>(user);
    {
      const std::lock_guard<std::mutex> lock(self->mutex_);
      self->queue_.emplace_back(task, argument);
      ++self->submitted_;
    }
    self->added_.notify_one();
  }
  bool run_one(std::unique_lock<std::mutex>& lock) {
    if (queue_.empty()) return false;
    const auto task = queue_.front();
    queue_.pop_front();
    lock.unlock();
    const uint32_t before = read_environment();
    task.first(task.second);
    const bool changed = read_environment() != before;
    lock.lock();
    if (changed) ++environments_changed_;
    return true;
  }
  void job(uint32_t environment) {
    const Environment changed(environment);
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      added_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
      if (!run_one(lock)) return;
    }
  }

  std::mutex mutex_;
  std::condition_variable added_;
  std::deque<std::pair<clothc_task, void*>> queue_;
  uint64_t submitted_ = 0;
  uint32_t environments_changed_ = 0;
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace clothc_test
