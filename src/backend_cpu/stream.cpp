// stream.cpp - queues lists of commands and decides which threads execute them; drive.cpp executes them.
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

Moment this_moment() { return {now(), std::this_thread::get_id()}; }

}  // namespace

CpuStream::CpuStream(Scheduler& scheduler, const KernelTable& kernels, uint64_t loops_in_caller)
    : scheduler_(scheduler), loops_in_caller_(loops_in_caller), workers_(kernels, scheduler.worker_count()), queue_(8) {
  // There are at most as many tasks on their way as there are roles.
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
  wait(submitted_, UINT64_MAX);
  std::unique_lock<std::mutex> lock(mutex_);
  ended_.wait(lock, [this] { return !driving_ && tasks_ == 0; });
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

void CpuStream::ensure_capacity_locked() {
  if (count_ < queue_.size()) return;
  std::vector<Submission> larger(queue_.size() * 2);
  for (size_t k = 0; k < count_; ++k) std::swap(larger[k], queue_[(first_ + k) % queue_.size()]);
  queue_ = std::move(larger);
  first_ = 0;
}

uint64_t CpuStream::submit(CommandList& list) {
  // A program that waits for its work at once gets it done in the call up to this multiple of what it gets anyway,
  // which is some half of a millisecond. If it does something else this time, that is what it loses once.
  constexpr uint64_t multiple_if_waited_for = 50;
  std::unique_lock<std::mutex> lock(mutex_);
  habit_.queuing_begins(this_moment());
  ensure_capacity_locked();
  Submission& last = queue_[(first_ + count_) % queue_.size()];
  ++count_;
  std::swap(last.list, list);
  const uint64_t value = last.value = ++submitted_;
  const uint64_t loops = loops_in_caller_ * (habit_.expects_wait() ? multiple_if_waited_for : 1);
  if (!driving_ && is_shorter_locked(loops, value)) {
    const bool is_quick = is_shorter_locked(loops_in_caller_, value);
    const Role role = take_role_locked();
    lock.unlock();
    work(role, {value, !is_quick});
    lock.lock();
  } else if (needs_task_locked()) {
    lock.unlock();
    scheduler_.submit(run_task, this);
    lock.lock();
  }
  habit_.queuing_ends(this_moment());
  return value;
}

bool CpuStream::is_shorter_locked(uint64_t loops, uint64_t until) const {
  uint64_t sum = 0;
  const auto add = [&](const Submission& submission) {
    if (submission.value > until) return;
    for (const Command& command : submission.list.commands()) {
      if (sum >= loops) return;
      sum += std::visit(LoopCount{}, command);
    }
  };
  add(current_);
  for (size_t k = 0; k < count_; ++k) add(queue_[(first_ + k) % queue_.size()]);
  return sum < loops;
}

CpuStream::Role CpuStream::take_role_locked() {
  if (is_driver_wanted_locked()) {
    driving_ = true;
    return Role::driver;
  }
  if (wanted_helpers_ == 0) return Role::none;
  --wanted_helpers_;
  return Role::helper;
}

CpuStream::Role CpuStream::take_role_of_waiter_locked(uint64_t until, uint64_t timeout_ns) {
  // How long the work takes is only estimated.
  constexpr uint64_t margin = 4;
  if (completed() >= until) return Role::none;
  const uint64_t loops = loops_in_caller_ * (timeout_ns / (margin * wake_up_ns));
  return is_shorter_locked(loops, until) ? take_role_locked() : Role::none;
}

bool CpuStream::needs_task_locked() {
  const uint32_t roles = wanted_helpers_ + (is_driver_wanted_locked() ? 1 : 0);
  if (coming_tasks_ >= roles) return false;
  ++coming_tasks_;
  ++tasks_;
  return true;
}

void CpuStream::note_wait_locked(uint64_t value, uint64_t timeout_ns) {
  // Waits that are shorter look for the end now and then, as polling does.
  constexpr uint64_t shortest = 1'000'000;
  if (timeout_ns < shortest) return;
  if (value == submitted_) {
    habit_.wait_begins(this_moment());
  } else if (value > completed()) {
    habit_.wait_for_part_begins();
  }
}

void CpuStream::help(uint64_t value, uint64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  note_wait_locked(value, timeout_ns);
  while (true) {
    const Role role = take_role_of_waiter_locked(value, timeout_ns);
    if (role == Role::none) return;
    lock.unlock();
    work(role, {value});
    lock.lock();
  }
}

bool CpuStream::wait(uint64_t value, uint64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  note_wait_locked(value, timeout_ns);
  if (completed() >= value) return true;
  const TimeLeft time_left(timeout_ns);
  while (true) {
    Role role = Role::none;
    const auto has_role_or_is_over = [&] {
      role = take_role_of_waiter_locked(value, time_left.get());
      return role != Role::none || completed() >= value;
    };
    if (!clothc::wait_for(reached_, lock, time_left.get(), has_role_or_is_over)) return false;
    if (role == Role::none) return true;
    lock.unlock();
    work(role, {value});
    lock.lock();
  }
}

}  // namespace clothc::cpu
