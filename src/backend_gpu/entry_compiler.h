// entry_compiler.h - a thread that compiles entry points before they are needed. It exists while there is something to
// compile.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "backend_gpu/entry_points.h"
#include "core/backend/backend.h"

namespace clothc::gpu {

class EntryCompiler {
 public:
  // compile: compiles one entry point, on the thread. Throws Failure.
  explicit EntryCompiler(std::function<void(EntryPoint)> compile) : compile_(std::move(compile)) {}
  // Waits for the entry point that is being compiled.
  ~EntryCompiler();
  EntryCompiler(const EntryCompiler&) = delete;
  EntryCompiler& operator=(const EntryCompiler&) = delete;

  // Adds entry points that have not been added before, and those that every list of commands may need. A failure of
  // earlier ones is forgotten. Throws Failure and std::system_error.
  void add(const Preparation& wanted);
  // Waits until everything is compiled. Returns false if the time-out passes first. Throws Failure if something was not
  // compiled, or if close was called.
  bool wait(uint64_t timeout_ns, PreparationProgress& progress);
  // Drops what has not begun, and ends every call of wait.
  void close();

 private:
  // The lock must be held.
  void add(EntryPoint entry);
  void start();
  void fail_with(clothc_result result, const char* message);
  // Drops what has not begun, so that it can be added again.
  void drop_waiting();
  void run();
  // Releases the lock while it compiles.
  void compile_next(std::unique_lock<std::mutex>& lock);

  const std::function<void(EntryPoint)> compile_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<EntryPoint> waiting_;
  bool is_known_[entry_point_count] = {};
  PreparationProgress progress_;
  // Whether the thread takes entry points. It ends when it does not.
  bool is_running_ = false;
  bool is_closed_ = false;
  clothc_result failure_ = CLOTHC_SUCCESS;
  // The thread needs no memory to report a failure.
  char failure_message_[512] = "";
  std::thread thread_;
};

}  // namespace clothc::gpu
