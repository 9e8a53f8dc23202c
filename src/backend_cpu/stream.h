// stream.h - the CPU backend's stream: a queue of commands that are executed in order, one at a time. Many workers
// together execute a command that runs a schedule. Calls only queue commands. When a mark is queued, either a worker
// starts, or the calling thread executes the commands itself if that takes less time than waking a worker.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "backend_cpu/scheduler.h"
#include "backend_cpu/staging.h"
#include "backend_cpu/worker_group.h"
#include "core/backend/backend.h"

namespace clothc::cpu {

class CpuStream final : public Stream {
 public:
  // loops_in_caller: the calling thread executes the queued commands itself in mark() if they take fewer loop
  // iterations than this, counted for a single lane.
  CpuStream(Scheduler& scheduler, const KernelTable& kernels, uint64_t loops_in_caller);
  ~CpuStream() override;

  void close() override;
  void write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) override;
  void copy(const Copy& copy) override;
  void fill(const MemoryPointer& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]) override;
  void run(const Dispatch& dispatch) override;
  void sort_pairs(const MemoryPointer& keys, const MemoryPointer& values, const MemoryPointer& scratch_keys,
                  const MemoryPointer& scratch_values, uint64_t count) override;
  void exclusive_scan(const MemoryPointer& words, uint64_t count) override;
  void wait_for(const std::shared_ptr<Timeline>& timeline, uint64_t value) override;
  void signal(const std::shared_ptr<Timeline>& timeline, uint64_t value) override;
  uint64_t mark() override;
  void keep() override;
  void discard() override;
  uint64_t completed() const override { return completed_.load(std::memory_order_acquire); }
  void check() const override {}
  StreamCounters counters() const override { return {}; }
  bool wait(uint64_t value, uint64_t timeout_ns) override;

 private:
  enum class Kind : uint8_t { none, write, copy, fill, run, sort, scan, wait, signal, mark };
  struct Command {
    Kind kind = Kind::none;

    // copy uses all fields. sort has its keys in the source and its values in the target. write, fill and scan use only
    // the target; element_size is then the number of bytes to write, and count the number of patterns to fill.
    Copy copy;

    // run
    Dispatch dispatch;

    // sort: scratch arrays for the keys and for the values.
    MemoryPointer scratch[2];

    // fill
    uint32_t pattern[4] = {};

    // write: the bytes to write.
    Staging::Slice slice{};

    // wait, signal
    std::shared_ptr<Timeline> timeline;

    // wait, signal, mark: the value of the timeline. sort, scan: the number of elements.
    uint64_t value = 0;
  };

  // The lock must be held. Makes the queue large enough for one more command and a mark behind it.
  void ensure_capacity();
  // The lock must be held. Appends a command to the queue.
  Command& push(Kind kind);

  // Returns an estimate of the work of a command, in loop iterations of a single lane.
  static uint64_t loop_count_of(const Command& command);
  // The lock must be held. Returns whether the commands that may run take fewer than loops_in_caller_ loop iterations.
  bool is_quick() const;

  // Unless commands are being executed already, submits a task that executes them, or executes them in the calling
  // thread if they are quick.
  void start();
  void submit(clothc_task task);
  void end_task();

  // Who executes commands: a task, which may request helpers and spin while they work, or a thread inside a call of the
  // stream, which may not.
  enum class Driver : uint8_t { task, caller };
  bool run_worker(Driver driver);
  void request_helpers(uint32_t tiles);

  // Executes commands until the queue is empty, a command waits for a timeline, or another worker continues.
  void drive(Driver driver);
  // Finishes the current command and then drives, in a task.
  void finish_and_drive();
  // Makes the next command current. Returns false, and stops driving, if no command may run.
  bool take_next();
  // Executes the current command. Returns false if another task will finish it.
  bool execute(Driver driver);
  void execute_copy();
  bool wait_for_timeline();
  void finish_current();

  static void CLOTHC_CALL drive_task(void* stream);
  static void CLOTHC_CALL help_task(void* stream);
  static void CLOTHC_CALL resume_task(void* stream);
  static void resume(void* stream);

  Scheduler& scheduler_;
  const uint64_t loops_in_caller_;
  Staging staging_;
  WorkerGroup workers_;

  // Number of threads that work in the worker group or have been requested as helpers.
  std::atomic<uint32_t> members_{0};

  std::atomic<uint64_t> completed_{0};

  // The command being executed. It belongs to the thread that drives, which replaces it only while it holds the lock.
  Command current_;

  Origin origin_;
  ForkMutex mutex_;

  // Notified when a mark has been reached.
  std::condition_variable reached_;
  // Notified when a task has ended or no command may run any more.
  std::condition_variable ended_;

  // Ring buffer of count_ commands from first_ on. Only the first ready_ of them may run; the others can be discarded.
  std::vector<Command> queue_;
  size_t first_ = 0;
  size_t count_ = 0;
  size_t ready_ = 0;

  uint64_t marked_ = 0;

  // Number of tasks that have been submitted and have not ended.
  uint32_t tasks_ = 0;

  bool driving_ = false;
  bool closing_ = false;

  // The timeline that the current command waits for, or null.
  std::shared_ptr<Timeline> awaited_;
  Timeline::Waiter waiter_;
};

}  // namespace clothc::cpu
