// stream.h - the CPU backend's stream: a queue of lists of commands, which are executed in order, one at a time. One
// thread drives, which means that it executes the commands; others help it with a command that runs a schedule. These
// roles are open to the tasks of the scheduler and to the threads that wait for the stream: whoever comes first takes
// one. A task that finds none ends.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "backend_cpu/scheduler.h"
#include "backend_cpu/waiting_habit.h"
#include "backend_cpu/worker_group.h"
#include "core/backend/backend.h"

namespace clothc::cpu {

class CpuStream final : public Stream {
 public:
  // loops_in_caller: the number of loop iterations, counted for a single lane, that take as long as waking a worker
  // (wake_up_ns). submit() executes commands that take fewer in the calling thread. If 0, calls execute no commands.
  CpuStream(Scheduler& scheduler, const KernelTable& kernels, uint64_t loops_in_caller);
  ~CpuStream() override;
  static constexpr uint64_t wake_up_ns = 10'000;

  void close() override;
  uint64_t submit(CommandList& list) override;
  uint64_t completed() const override { return completed_.load(std::memory_order_acquire); }
  void check() const override {}
  StreamCounters counters() const override { return {}; }
  void help(uint64_t value, uint64_t timeout_ns) override;
  bool wait(uint64_t value, uint64_t timeout_ns) override;
  // A thread that waits executes the commands that no task has begun, if it may.
  bool runs_by_itself() const override { return loops_in_caller_ > 0 || scheduler_.has_own_threads(); }

 private:
  struct Submission {
    CommandList list;
    // The value of the stream's timeline when the list has ended.
    uint64_t value = 0;
  };

  // A thread that has a role: a task, or a thread inside a call, which works until the stream has reached a value.
  struct Worker {
    static constexpr uint64_t no_value = UINT64_MAX;
    bool is_task() const { return until == no_value; }
    uint64_t until = no_value;
    bool requests_helpers = true;
  };
  enum class Role : uint8_t { none, driver, helper };

  // In functions whose names end in _locked, the lock must be held.

  // Makes the queue large enough for one more submission.
  void ensure_capacity_locked();
  bool has_work_locked() const { return count_ > 0 || current_.value != 0; }
  bool is_driver_wanted_locked() const { return !driving_ && has_work_locked(); }
  // Returns whether the lists that have not ended, up to that value, take fewer loop iterations.
  bool is_shorter_locked(uint64_t loops, uint64_t until) const;
  // Takes a role that is open, if there is one.
  Role take_role_locked();
  // The same for a thread that waits for a value. It takes no role that may keep it for longer than its time-out.
  Role take_role_of_waiter_locked(uint64_t until, uint64_t timeout_ns);
  // Tells habit_ of a wait.
  void note_wait_locked(uint64_t value, uint64_t timeout_ns);
  // Returns whether there are more roles open than tasks on their way. If so, the caller must submit one with
  // scheduler_.submit(run_task, this) after it has released the lock.
  bool needs_task_locked();

  static void CLOTHC_CALL run_task(void* stream);
  void end_task();
  static void resume(void* stream);

  // Does what the role is about.
  void work(Role role, const Worker& worker);
  // Executes commands until none is left that the worker wants, a command waits for a timeline, or another worker
  // continues.
  void drive(const Worker& worker);
  // Ends the current submission and makes the next one current. Returns false, and stops driving, if there is none that
  // the worker wants.
  bool take_next(const Worker& worker);
  void end_submission();
  // Executes the current command. Returns false if another worker will finish it.
  bool execute(const Worker& worker);
  bool run(const Dispatch& dispatch, const Worker& worker);
  // Runs tiles in the worker group. This thread must have been counted in members_.
  bool run_tiles(const Worker& worker);
  // Offers roles to helpers until there are as many members as the pass can use.
  void request_helpers(uint32_t tiles);
  // Returns whether the timeline has reached the value. If not, resume will be called.
  bool is_reached(const Wait& wait);

  Scheduler& scheduler_;
  const uint64_t loops_in_caller_;
  WorkerGroup workers_;

  // Number of threads that work in the worker group or have been requested as helpers.
  std::atomic<uint32_t> members_{0};

  std::atomic<uint64_t> completed_{0};

  // The list being executed, and the number of its command that is executed now. They belong to the thread that drives,
  // but the list is replaced only under the lock, so that other threads and a child of fork can read it.
  Submission current_;
  size_t next_command_ = 0;

  Origin origin_;
  ForkMutex mutex_;

  // Notified when a list has ended, and when a driver is wanted in the place of one that has gone.
  std::condition_variable reached_;
  // Notified when a task has ended or no list is left.
  std::condition_variable ended_;

  // Ring buffer of count_ submissions from first_ on. The lists behind them are empty, but keep their memory.
  std::vector<Submission> queue_;
  size_t first_ = 0;
  size_t count_ = 0;

  uint64_t submitted_ = 0;

  // Number of tasks that have been submitted and have not ended, and of those among them that have not begun.
  uint32_t tasks_ = 0;
  uint32_t coming_tasks_ = 0;

  // Whether a thread drives, or the current command waits for a timeline.
  bool driving_ = false;
  // Number of helpers that have been requested and not come yet.
  uint32_t wanted_helpers_ = 0;
  bool closing_ = false;
  WaitingHabit habit_;

  // The timeline that the current command waits for, or null.
  std::shared_ptr<Timeline> awaited_;
  Timeline::Waiter waiter_;
};

}  // namespace clothc::cpu
