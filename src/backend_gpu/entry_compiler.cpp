// entry_compiler.cpp - orders what is to be compiled, and compiles it on a thread.
#include "backend_gpu/entry_compiler.h"

#include <cstdio>

namespace clothc::gpu {

EntryCompiler::~EntryCompiler() {
  close();
  if (thread_.joinable()) thread_.join();
}

void EntryCompiler::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  is_closed_ = true;
  drop_waiting();
  changed_.notify_all();
}

void EntryCompiler::drop_waiting() {
  for (const EntryPoint entry : waiting_) is_known_[static_cast<uint32_t>(entry)] = false;
  progress_.total -= static_cast<uint32_t>(waiting_.size());
  waiting_.clear();
}

void EntryCompiler::add(EntryPoint entry) {
  bool& is_known = is_known_[static_cast<uint32_t>(entry)];
  if (is_known) return;
  waiting_.push_back(entry);
  is_known = true;
  ++progress_.total;
}

void EntryCompiler::add(const Preparation& wanted) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (is_closed_) return;
  failure_ = CLOTHC_SUCCESS;
  try {
    add(EntryPoint::copy);
    for (uint32_t k = 0; k < static_cast<uint32_t>(TableKernel::count); ++k) add(entry_of(static_cast<TableKernel>(k)));
    for (const Kernel kernel : wanted.kernels) add(entry_of(kernel));
    for (const ProgramFeature program : wanted.programs) add(entry_of(program));
    if (!is_running_ && !waiting_.empty()) start();
  } catch (...) {
    drop_waiting();
    throw;
  }
}

void EntryCompiler::start() {
  if (thread_.joinable()) thread_.join();
  thread_ = std::thread([this] { run(); });
  is_running_ = true;
}

void EntryCompiler::run() {
  const FloatEnvironment environment;
  std::unique_lock<std::mutex> lock(mutex_);
  while (!waiting_.empty()) compile_next(lock);
  is_running_ = false;
  changed_.notify_all();
}

void EntryCompiler::compile_next(std::unique_lock<std::mutex>& lock) {
  const EntryPoint entry = waiting_.front();
  waiting_.pop_front();
  lock.unlock();
  clothc_result result = CLOTHC_SUCCESS;
  const char* message = "out of memory while kernels were compiled; free some";
  try {
    compile_(entry);
  } catch (const Failure& failure) {
    result = failure.result;
    message = failure_message();
  } catch (...) {
    result = CLOTHC_ERROR_OUT_OF_MEMORY;
  }
  lock.lock();
  if (result == CLOTHC_SUCCESS) {
    ++progress_.done;
  } else {
    is_known_[static_cast<uint32_t>(entry)] = false;
    --progress_.total;
    fail_with(result, message);
  }
  changed_.notify_all();
}

void EntryCompiler::fail_with(clothc_result result, const char* message) {
  failure_ = result;
  std::snprintf(failure_message_, sizeof(failure_message_), "%s", message);
  drop_waiting();
}

bool EntryCompiler::wait(uint64_t timeout_ns, PreparationProgress& progress) {
  std::unique_lock<std::mutex> lock(mutex_);
  const bool ended =
      wait_for(changed_, lock, timeout_ns, [&] { return is_closed_ || (!is_running_ && waiting_.empty()); });
  progress = progress_;
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, !is_closed_, "the device was destroyed while the call waited for it");
  if (ended && failure_ != CLOTHC_SUCCESS) fail(failure_, "%s", failure_message_);
  return ended;
}

}  // namespace clothc::gpu
