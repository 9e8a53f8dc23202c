// drive.cpp - the tasks of a stream, and the loop that executes the queued commands. The thread that finishes a command
// continues with the next one; no task waits for another thread.
#include <algorithm>
#include <cstring>

#include "backend_cpu/stream.h"

namespace clothc::cpu {
namespace {

uint8_t* bytes_of(const MemoryPointer& memory) { return static_cast<uint8_t*>(memory->host_pointer()); }

// Copies elements of a size that is known at compile time, so that the compiler emits plain loads and stores.
template <size_t size>
void copy_elements(uint8_t* target, uint64_t target_stride, const uint8_t* source, uint64_t source_stride,
                   uint64_t count) {
  for (uint64_t k = 0; k < count; ++k) std::memcpy(target + k * target_stride, source + k * source_stride, size);
}

void copy_strided(const Copy& copy) {
  uint8_t* target = bytes_of(copy.target) + copy.target_offset;
  const uint8_t* source = bytes_of(copy.source) + copy.source_offset;
  const uint64_t size = copy.element_size;
  if (copy.count == 1 || (copy.source_stride == size && copy.target_stride == size)) {
    std::memmove(target, source, size * copy.count);
  } else if (size == 4) {
    copy_elements<4>(target, copy.target_stride, source, copy.source_stride, copy.count);
  } else if (size == 12) {
    copy_elements<12>(target, copy.target_stride, source, copy.source_stride, copy.count);
  } else if (size == 16) {
    copy_elements<16>(target, copy.target_stride, source, copy.source_stride, copy.count);
  } else {
    for (uint64_t k = 0; k < copy.count; ++k) {
      std::memcpy(target + k * copy.target_stride, source + k * copy.source_stride, size);
    }
  }
}

}  // namespace

void CpuStream::run_task(void* argument) {
  auto* stream = static_cast<CpuStream*>(argument);
  Role role;
  {
    const std::lock_guard<std::mutex> lock(stream->mutex_);
    --stream->coming_tasks_;
    role = stream->take_role_locked();
  }
  stream->work(role, {});
  stream->end_task();
}

// This must be the last action of a task: afterwards the stream may have been destroyed.
void CpuStream::end_task() {
  const std::lock_guard<std::mutex> lock(mutex_);
  --tasks_;
  ended_.notify_all();
}

void CpuStream::resume(void* argument) {
  auto* stream = static_cast<CpuStream*>(argument);
  bool needs_task;
  {
    const std::lock_guard<std::mutex> lock(stream->mutex_);
    stream->awaited_ = nullptr;
    ++stream->next_command_;
    stream->driving_ = false;
    needs_task = stream->needs_task_locked();
    stream->reached_.notify_all();
  }
  if (needs_task) stream->scheduler_.submit(run_task, stream);
}

void CpuStream::work(Role role, const Worker& worker) {
  if (role == Role::none) return;
  const FloatEnvironment environment;
  if (role == Role::helper) {
    if (!run_tiles(worker)) return;
    ++next_command_;
  }
  drive(worker);
}

bool CpuStream::run_tiles(const Worker& worker) {
  const auto may_spin = [&](bool run_goes_on) {
    return worker.is_task() ? scheduler_.may_spin(run_goes_on) : completed() < worker.until;
  };
  const bool finished = workers_.run_worker(may_spin, [&](uint32_t tiles) {
    if (worker.requests_helpers) request_helpers(tiles);
  });
  members_.fetch_sub(1, std::memory_order_relaxed);
  return finished;
}

void CpuStream::request_helpers(uint32_t tiles) {
  const uint32_t useful = std::min(tiles, scheduler_.worker_count());
  uint32_t members = members_.load(std::memory_order_relaxed);
  while (members < useful) {
    if (!members_.compare_exchange_weak(members, members + 1, std::memory_order_relaxed)) continue;
    ++members;
    bool needs_task;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      ++wanted_helpers_;
      needs_task = needs_task_locked();
    }
    if (needs_task) scheduler_.submit(run_task, this);
  }
}

void CpuStream::end_submission() {
  // Nothing holds the memory that the commands used once their end is reported. The lock is not held meanwhile, because
  // freeing memory may call a callback of the application. If the process forks then, a child does not find the list,
  // whose memory stays allocated there.
  CommandList ended;
  const auto swap_lists = [&] { std::swap(ended, current_.list); };
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    swap_lists();
  }
  ended.clear();
  next_command_ = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    swap_lists();
    completed_.store(current_.value, std::memory_order_release);
    current_.value = 0;
  }
  // The lock is not held here, because every thread that wakes up needs it first.
  reached_.notify_all();
}

bool CpuStream::take_next(const Worker& worker) {
  if (current_.value != 0) end_submission();
  bool needs_task;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (count_ > 0 && completed() < worker.until) {
      std::swap(current_, queue_[first_]);
      first_ = (first_ + 1) % queue_.size();
      --count_;
      return true;
    }
    driving_ = false;
    needs_task = needs_task_locked();
    // Threads that wait for what is left need no task to come.
    has_work_locked() ? reached_.notify_all() : ended_.notify_all();
  }
  if (needs_task) scheduler_.submit(run_task, this);
  return false;
}

void CpuStream::drive(const Worker& worker) {
  while (true) {
    while (next_command_ == current_.list.commands().size()) {
      if (!take_next(worker)) return;
    }
    if (!execute(worker)) return;
    ++next_command_;
  }
}

bool CpuStream::run(const Dispatch& dispatch, const Worker& worker) {
  const uint32_t tiles_at_first = workers_.begin(dispatch);
  if (tiles_at_first == 0) return true;
  members_.fetch_add(1, std::memory_order_relaxed);
  if (worker.requests_helpers) request_helpers(tiles_at_first);
  return run_tiles(worker);
}

bool CpuStream::execute(const Worker& worker) {
  const Command& command = current_.list.commands()[next_command_];
  if (const auto* dispatch = std::get_if<Dispatch>(&command)) return run(*dispatch, worker);
  if (const auto* wait = std::get_if<Wait>(&command)) return is_reached(*wait);
  if (const auto* signal = std::get_if<Signal>(&command)) {
    signal->timeline->signal(signal->value);
  } else if (const auto* mark = std::get_if<Mark>(&command)) {
    mark->times->points[mark->point] = now();
    if (mark->point == UpdateTimes::end) mark->times->is_complete.store(true, std::memory_order_release);
  } else if (const auto* write = std::get_if<Write>(&command)) {
    std::memcpy(bytes_of(write->target) + write->offset, current_.list.data_of(*write), write->size);
  } else if (const auto* copy = std::get_if<Copy>(&command)) {
    copy_strided(*copy);
  } else if (const auto* fill = std::get_if<Fill>(&command)) {
    uint8_t* target = bytes_of(fill->target) + fill->offset;
    for (uint64_t k = 0; k < fill->size; k += 16) std::memcpy(target + k, fill->pattern.data(), 16);
  }
  return true;
}

bool CpuStream::is_reached(const Wait& wait) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (closing_) return true;
  awaited_ = wait.timeline;
  waiter_ = {resume, this, wait.value, nullptr};
  if (awaited_->call_when(waiter_)) return false;
  awaited_ = nullptr;
  return true;
}

}  // namespace clothc::cpu
