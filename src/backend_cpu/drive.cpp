// drive.cpp - the tasks of a stream, and the loop that executes the queued commands. The thread that finishes a command
// continues with the next one; no thread waits for another.
#include <algorithm>
#include <cstring>

#include "backend_cpu/radix.h"
#include "backend_cpu/stream.h"

namespace clothc::cpu {
namespace {

uint8_t* bytes_of(const MemoryPointer& memory) { return static_cast<uint8_t*>(memory->host_pointer()); }
uint32_t* words_of(const MemoryPointer& memory) { return static_cast<uint32_t*>(memory->host_pointer()); }

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

void CpuStream::submit(clothc_task task) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++tasks_;
  }
  scheduler_.submit(task, this);
}

// This must be the last action of a task: afterwards the stream may have been destroyed.
void CpuStream::end_task() {
  const std::lock_guard<std::mutex> lock(mutex_);
  --tasks_;
  ended_.notify_all();
}

void CpuStream::drive_task(void* argument) {
  auto* stream = static_cast<CpuStream*>(argument);
  {
    const FloatEnvironment environment;
    stream->drive(Driver::task);
  }
  stream->end_task();
}

void CpuStream::help_task(void* argument) {
  auto* stream = static_cast<CpuStream*>(argument);
  {
    const FloatEnvironment environment;
    if (stream->run_worker(Driver::task)) stream->finish_and_drive();
  }
  stream->end_task();
}

void CpuStream::resume(void* argument) { static_cast<CpuStream*>(argument)->submit(resume_task); }

void CpuStream::resume_task(void* argument) {
  auto* stream = static_cast<CpuStream*>(argument);
  {
    const FloatEnvironment environment;
    {
      const std::lock_guard<std::mutex> lock(stream->mutex_);
      stream->awaited_ = nullptr;
    }
    stream->finish_and_drive();
  }
  stream->end_task();
}

// Runs tiles in the worker group. The caller has already counted this thread in members_.
bool CpuStream::run_worker(Driver driver) {
  const bool is_task = driver == Driver::task;
  const bool finished =
      workers_.run_worker([&](bool run_goes_on) { return is_task && scheduler_.may_spin(run_goes_on); },
                          [&](uint32_t tiles) {
                            if (is_task) request_helpers(tiles);
                          });
  members_.fetch_sub(1, std::memory_order_relaxed);
  return finished;
}

// Submits helper tasks until there are as many members as the pass can use.
void CpuStream::request_helpers(uint32_t tiles) {
  const uint32_t useful = std::min(tiles, scheduler_.worker_count());
  uint32_t members = members_.load(std::memory_order_relaxed);
  while (members < useful) {
    if (!members_.compare_exchange_weak(members, members + 1, std::memory_order_relaxed)) continue;
    ++members;
    submit(help_task);
  }
}

bool CpuStream::take_next() {
  // This is destroyed after the lock has been released, because destroying what the command holds may call a callback
  // of the application.
  Command done;
  const std::lock_guard<std::mutex> lock(mutex_);
  std::swap(done, current_);
  if (ready_ == 0) {
    driving_ = false;
    ended_.notify_all();
    return false;
  }
  current_ = std::move(queue_[first_]);
  queue_[first_] = Command{};
  first_ = (first_ + 1) % queue_.size();
  --count_;
  --ready_;
  return true;
}

void CpuStream::drive(Driver driver) {
  while (take_next()) {
    if (!execute(driver)) return;
    finish_current();
  }
}

void CpuStream::finish_and_drive() {
  finish_current();
  drive(Driver::task);
}

bool CpuStream::execute(Driver driver) {
  switch (current_.kind) {
    case Kind::run: {
      const uint32_t tiles_at_first = workers_.begin(current_.dispatch);
      if (tiles_at_first == 0) return true;
      members_.fetch_add(1, std::memory_order_relaxed);
      if (driver == Driver::task) request_helpers(tiles_at_first);
      return run_worker(driver);
    }
    case Kind::sort:
      cpu::sort_pairs(words_of(current_.copy.source), words_of(current_.copy.target), words_of(current_.scratch[0]),
                      words_of(current_.scratch[1]), current_.value);
      return true;
    case Kind::scan:
      cpu::exclusive_scan(words_of(current_.copy.target), current_.value);
      return true;
    case Kind::wait:
      return !wait_for_timeline();
    case Kind::signal:
      current_.timeline->signal(current_.value);
      return true;
    default:
      execute_copy();
      return true;
  }
}

void CpuStream::execute_copy() {
  const Copy& copy = current_.copy;
  if (current_.kind == Kind::write) {
    std::memcpy(bytes_of(copy.target) + copy.target_offset, current_.slice.bytes, copy.element_size);
    Staging::release(current_.slice.block);
  } else if (current_.kind == Kind::copy) {
    copy_strided(copy);
  } else if (current_.kind == Kind::fill) {
    uint8_t* target = bytes_of(copy.target) + copy.target_offset;
    for (uint64_t k = 0; k < copy.count; ++k) std::memcpy(target + 16 * k, current_.pattern, 16);
  }
}

// Returns true if the timeline has not reached the value yet, in which case resume will be called.
bool CpuStream::wait_for_timeline() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (closing_) return false;
  awaited_ = current_.timeline;
  waiter_ = {resume, this, current_.value, nullptr};
  if (awaited_->call_when(waiter_)) return true;
  awaited_ = nullptr;
  return false;
}

void CpuStream::finish_current() {
  if (current_.kind != Kind::mark) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    completed_.store(current_.value, std::memory_order_release);
  }
  // The lock is not held here, because every thread that wakes up needs it first.
  reached_.notify_all();
}

}  // namespace clothc::cpu
