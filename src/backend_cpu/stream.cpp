// stream.cpp - queues the commands of a stream. Commands may run once a mark or keep follows them; drive.cpp executes
// them.
#include "backend_cpu/stream.h"

#include <algorithm>
#include <cstring>

namespace clothc::cpu {
CpuStream::CpuStream(Scheduler& scheduler, const KernelTable& kernels, uint64_t loops_in_caller)
    : scheduler_(scheduler),
      loops_in_caller_(loops_in_caller),
      workers_(kernels, scheduler.worker_count()),
      queue_(256) {
  // There are at most worker_count tasks that drive or help, and one that resumes after waiting for a timeline.
  scheduler.reserve(scheduler.worker_count() + 1);
}

CpuStream::~CpuStream() {
  // In a child of fork, no thread executes the queued commands.
  if (!origin_.is_here()) {
    forget_threads(reached_);
    forget_threads(ended_);
    return;
  }
  discard();
  close();
  start();
  std::unique_lock<std::mutex> lock(mutex_);
  ended_.wait(lock, [this] { return ready_ == 0 && !driving_ && tasks_ == 0; });
  lock.unlock();
  scheduler_.release(scheduler_.worker_count() + 1);
}

void CpuStream::close() {
  std::shared_ptr<Timeline> awaited;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    closing_ = true;
    awaited = awaited_;
  }
  if (awaited != nullptr && awaited->forget(waiter_)) resume(this);
}

void CpuStream::ensure_capacity() {
  if (count_ + 1 < queue_.size()) return;
  std::vector<Command> larger(queue_.size() * 2);
  for (size_t k = 0; k < count_; ++k) larger[k] = std::move(queue_[(first_ + k) % queue_.size()]);
  queue_ = std::move(larger);
  first_ = 0;
}

CpuStream::Command& CpuStream::push(Kind kind) {
  if (kind != Kind::mark) ensure_capacity();
  Command& command = queue_[(first_ + count_) % queue_.size()];
  ++count_;
  command.kind = kind;
  return command;
}

void CpuStream::write(const MemoryPointer& memory, uint64_t offset, const void* data, uint64_t size) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    // The queue grows first, so that nothing can fail once the bytes are staged.
    ensure_capacity();
  }
  const Staging::Slice slice = staging_.allocate(size);
  std::memcpy(slice.bytes, data, size);
  const std::lock_guard<std::mutex> lock(mutex_);
  Command& command = push(Kind::write);
  command.copy.target = memory;
  command.copy.target_offset = offset;
  command.copy.element_size = size;
  command.slice = slice;
}

void CpuStream::copy(const Copy& copy) {
  const std::lock_guard<std::mutex> lock(mutex_);
  push(Kind::copy).copy = copy;
}

void CpuStream::fill(const MemoryPointer& memory, uint64_t offset, uint64_t size, const uint32_t pattern[4]) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Command& command = push(Kind::fill);
  command.copy.target = memory;
  command.copy.target_offset = offset;
  command.copy.count = size / 16;
  std::memcpy(command.pattern, pattern, sizeof(command.pattern));
}

void CpuStream::run(const Dispatch& dispatch) {
  const std::lock_guard<std::mutex> lock(mutex_);
  push(Kind::run).dispatch = dispatch;
}

void CpuStream::sort_pairs(const MemoryPointer& keys, const MemoryPointer& values, const MemoryPointer& scratch_keys,
                           const MemoryPointer& scratch_values, uint64_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Command& command = push(Kind::sort);
  command.copy.source = keys;
  command.copy.target = values;
  command.scratch[0] = scratch_keys;
  command.scratch[1] = scratch_values;
  command.value = count;
}

void CpuStream::exclusive_scan(const MemoryPointer& words, uint64_t count) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Command& command = push(Kind::scan);
  command.copy.target = words;
  command.value = count;
}

void CpuStream::wait_for(const std::shared_ptr<Timeline>& timeline, uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Command& command = push(Kind::wait);
  command.timeline = timeline;
  command.value = value;
}

void CpuStream::signal(const std::shared_ptr<Timeline>& timeline, uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Command& command = push(Kind::signal);
  command.timeline = timeline;
  command.value = value;
}

uint64_t CpuStream::mark() {
  uint64_t value;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    value = ++marked_;
    // A mark directly behind another mark replaces it, so that the queue always has space for a mark.
    Command& last = queue_[(first_ + count_ + queue_.size() - 1) % queue_.size()];
    (count_ > 0 && last.kind == Kind::mark ? last : push(Kind::mark)).value = value;
    ready_ = count_;
  }
  start();
  return value;
}

void CpuStream::keep() {
  const std::lock_guard<std::mutex> lock(mutex_);
  ready_ = count_;
}

void CpuStream::discard() {
  while (true) {
    // This is destroyed after the lock has been released.
    Command discarded;
    const std::lock_guard<std::mutex> lock(mutex_);
    if (count_ == ready_) return;
    --count_;
    std::swap(discarded, queue_[(first_ + count_) % queue_.size()]);
    if (discarded.kind == Kind::write) Staging::release(discarded.slice.block);
  }
}

uint64_t CpuStream::loop_count_of(const Command& command) {
  constexpr uint64_t bytes_per_loop = 4;
  switch (command.kind) {
    case Kind::run: {
      const Schedule& schedule = *command.dispatch.schedule;
      const uint64_t iterations = std::max(command.dispatch.repeat_count, command.dispatch.program_iterations);
      return schedule.loops_once + iterations * schedule.loops_per_iteration;
    }
    case Kind::write:
    case Kind::copy:
      return command.copy.count * (1 + command.copy.element_size / bytes_per_loop);
    case Kind::fill:
      return command.copy.count * sizeof(command.pattern) / bytes_per_loop;
    case Kind::sort:
    case Kind::scan:
      // A sort counts and moves each element once for each of the 4 digits of 8 bits.
      return command.value * 16;
    default:
      return 1;
  }
}

bool CpuStream::is_quick() const {
  uint64_t loops = 0;
  for (size_t k = 0; k < ready_ && loops < loops_in_caller_; ++k)
    loops += loop_count_of(queue_[(first_ + k) % queue_.size()]);
  return loops < loops_in_caller_;
}

void CpuStream::start() {
  bool is_quick_now;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (driving_ || ready_ == 0) return;
    driving_ = true;
    is_quick_now = is_quick();
  }
  if (!is_quick_now) {
    submit(drive_task);
    return;
  }
  const FloatEnvironment environment;
  drive(Driver::caller);
}

bool CpuStream::wait(uint64_t value, uint64_t timeout_ns) {
  if (completed() >= value) return true;
  std::unique_lock<std::mutex> lock(mutex_);
  return clothc::wait_for(reached_, lock, timeout_ns, [&] { return completed() >= value; });
}

}  // namespace clothc::cpu
