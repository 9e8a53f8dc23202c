// stream.h - the CPU backend's stream: a queue of lists of commands, which are executed in order, one at a time. Many
// workers together execute a command that runs a schedule. When a list is submitted, either a worker starts, or the
// calling thread executes it itself if that takes less time than waking a worker.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "backend_cpu/scheduler.h"
#include "backend_cpu/worker_group.h"
#include "core/backend/backend.h"

namespace clothc::cpu {

class CpuStream final : public Stream {
 public:
  // loops_in_caller: the calling thread executes the queued commands itself in submit() if they take fewer loop
  // iterations than this, counted for a single lane.
  CpuStream(Scheduler& scheduler, const KernelTable& kernels, uint64_t loops_in_caller);
  ~CpuStream() override;

  void close() override;
  uint64_t submit(CommandList& list) override;
  uint64_t completed() const override { return completed_.load(std::memory_order_acquire); }
  void check() const override {}
  StreamCounters counters() const override { return {}; }
  bool wait(uint64_t value, uint64_t timeout_ns) override;

 private:
  struct Submission {
    CommandList list;
    // The value of the stream's timeline when the list has ended.
    uint64_t value = 0;
  };

  // The lock must be held. Makes the queue large enough for one more submission.
  void ensure_capacity();
  // The lock must be held. Returns whether the queued lists take fewer than loops_in_caller_ loop iterations.
  bool is_quick() const;

  // Unless commands are being executed already, submits a task that executes them, or executes them in the calling
  // thread if they are quick.
  void start();
  void submit_task(clothc_task task);
  void end_task();

  // Who executes commands: a task, which may request helpers and spin while they work, or a thread inside a call of the
  // stream, which may not.
  enum class Driver : uint8_t { task, caller };
  bool run_worker(Driver driver);
  void request_helpers(uint32_t tiles);

  // Executes commands until the queue is empty, a command waits for a timeline, or another worker continues.
  void drive(Driver driver);
  // Goes on behind the current command, in a task.
  void finish_and_drive();
  // Ends the current submission and makes the next one current. Returns false, and stops driving, if there is none.
  bool take_next();
  void end_submission();
  // Executes the current command. Returns false if another task will finish it.
  bool execute(Driver driver);
  bool run(const Dispatch& dispatch, Driver driver);
  // Returns whether the timeline has reached the value. If not, resume will be called.
  bool is_reached(const Wait& wait);

  static void CLOTHC_CALL drive_task(void* stream);
  static void CLOTHC_CALL help_task(void* stream);
  static void CLOTHC_CALL resume_task(void* stream);
  static void resume(void* stream);

  Scheduler& scheduler_;
  const uint64_t loops_in_caller_;
  WorkerGroup workers_;

  // Number of threads that work in the worker group or have been requested as helpers.
  std::atomic<uint32_t> members_{0};

  std::atomic<uint64_t> completed_{0};

  // The list being executed, and the number of its command that is executed now. They belong to the thread that drives,
  // but the list is replaced only under the lock, so that a child of fork can destroy it.
  Submission current_;
  size_t next_command_ = 0;

  Origin origin_;
  ForkMutex mutex_;

  // Notified when a list has ended.
  std::condition_variable reached_;
  // Notified when a task has ended or no list is left.
  std::condition_variable ended_;

  // Ring buffer of count_ submissions from first_ on. The lists behind them are empty, but keep their memory.
  std::vector<Submission> queue_;
  size_t first_ = 0;
  size_t count_ = 0;

  uint64_t submitted_ = 0;

  // Number of tasks that have been submitted and have not ended.
  uint32_t tasks_ = 0;

  bool driving_ = false;
  bool closing_ = false;

  // The timeline that the current command waits for, or null.
  std::shared_ptr<Timeline> awaited_;
  Timeline::Waiter waiter_;
};

}  // namespace clothc::cpu
