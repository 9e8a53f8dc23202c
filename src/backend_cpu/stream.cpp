// stream.cpp - queues lists of commands; drive.cpp executes them.
#include "backend_cpu/stream.h"

#include <algorithm>

namespace clothc::cpu {
namespace {

constexpr uint64_t bytes_per_loop = 4;

// Estimates of the work of a command, in loop iterations of a single lane.
struct LoopCount {
  uint64_t operator()(const Write& write) const { return 1 + write.size / bytes_per_loop; }
  uint64_t operator()(const Copy& copy) const { return copy.count * (1 + copy.element_size / bytes_per_loop); }
  uint64_t operator()(const Fill& fill) const { return fill.size / bytes_per_loop; }
  uint64_t operator()(const Dispatch& dispatch) const {
    const uint64_t iterations = std::max(dispatch.repeat_count, dispatch.program_iterations);
    return dispatch.schedule->loops_once + iterations * dispatch.schedule->loops_per_iteration;
  }
  uint64_t operator()(const Wait&) const { return 1; }
  uint64_t operator()(const Mark&) const { return 1; }
  uint64_t operator()(const Signal&) const { return 1; }
};

}  // namespace

CpuStream::CpuStream(Scheduler& scheduler, const KernelTable& kernels, uint64_t loops_in_caller)
    : scheduler_(scheduler), loops_in_caller_(loops_in_caller), workers_(kernels, scheduler.worker_count()), queue_(8) {
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
  close();
  std::unique_lock<std::mutex> lock(mutex_);
  ended_.wait(lock, [this] { return count_ == 0 && !driving_ && tasks_ == 0; });
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
  if (count_ < queue_.size()) return;
  std::vector<Submission> larger(queue_.size() * 2);
  for (size_t k = 0; k < count_; ++k) std::swap(larger[k], queue_[(first_ + k) % queue_.size()]);
  queue_ = std::move(larger);
  first_ = 0;
}

uint64_t CpuStream::submit(CommandList& list) {
  uint64_t value;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ensure_capacity();
    Submission& last = queue_[(first_ + count_) % queue_.size()];
    ++count_;
    std::swap(last.list, list);
    last.value = value = ++submitted_;
  }
  start();
  return value;
}

bool CpuStream::is_quick() const {
  uint64_t loops = 0;
  for (size_t k = 0; k < count_; ++k) {
    for (const Command& command : queue_[(first_ + k) % queue_.size()].list.commands()) {
      if (loops >= loops_in_caller_) return false;
      loops += std::visit(LoopCount{}, command);
    }
  }
  return loops < loops_in_caller_;
}

void CpuStream::start() {
  bool is_quick_now;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (driving_ || count_ == 0) return;
    driving_ = true;
    is_quick_now = is_quick();
  }
  if (!is_quick_now) {
    submit_task(drive_task);
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
