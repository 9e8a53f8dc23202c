// stream.h - the CPU backend's stream: a queue of commands that workers execute in order, one command at a time, a run
// of a schedule by many workers at once. Calls only queue; workers start when a mark is queued, or the thread that marks
// executes what is there, if that takes less time than waking a worker.
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
  // loops_in_caller: loop iterations of one lane each that the thread which marks may do itself.
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
    Copy copy;                 // write, copy, fill: target; sort: keys and values
    Dispatch dispatch;         // run
    MemoryPointer scratch[2];  // sort
    uint32_t pattern[4] = {};  // fill
    Staging::Slice slice{};    // write
    std::shared_ptr<Timeline> timeline;
    uint64_t value = 0;  // fences, mark; sort, scan: count
  };

  // With the lock held: room for a command and a mark behind it; a command in that room.
  void make_room();
  Command& push(Kind kind);
  // How much a command is, in loop iterations of one lane each.
  static uint64_t loop_count_of(const Command& command);
  // With the lock held: whether what may run is little.
  bool is_quick() const;
  // Makes a worker execute what is queued, or does it at once, unless somebody does.
  void start();
  void submit(clothc_task task);
  void end_task();
  // Who executes: a task, which may ask others for help and wait for them a while, or a thread that calls.
  enum class Driver : uint8_t { task, caller };
  bool run_worker(Driver driver);
  void request_helpers(uint32_t tiles);
  // Executes commands until the queue is empty, a fence is waited for, or others carry on.
  void drive(Driver driver);
  // The same in a task, with the present command done.
  void finish_and_drive();
  bool take_next();
  // False if the present command goes on elsewhere.
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
  std::atomic<uint32_t> members_{0};  // tasks that work in the worker group or were asked to
  std::atomic<uint64_t> completed_{0};
  Command current_;  // belongs to whoever drives; replaced with the lock held

  Origin origin_;
  ForkMutex mutex_;
  std::condition_variable reached_;  // a mark
  std::condition_variable ended_;    // a task, or the queue
  std::vector<Command> queue_;       // ring
  size_t first_ = 0;
  size_t count_ = 0;
  size_t ready_ = 0;  // of count_, those that may run
  uint64_t marked_ = 0;
  uint32_t tasks_ = 0;  // submitted and not ended
  bool driving_ = false;
  bool closing_ = false;
  std::shared_ptr<Timeline> awaited_;
  Timeline::Waiter waiter_;
};

}  // namespace clothc::cpu
