// compile_together.cpp - see compile_together.h.
#include "backend_gpu/compile_together.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

#include "core/backend/backend.h"

namespace clothc::gpu {
namespace {

class Work {
 public:
  Work(const std::vector<EntryPoint>& entries, const std::function<void(EntryPoint)>& compile)
      : entries_(entries), compile_(compile) {}
  // Compiles what no thread has begun, until nothing is left.
  void take() {
    for (size_t k = next_++; k < entries_.size(); k = next_++) take(entries_[k]);
  }
  void throw_failure() const {
    if (failure_ != CLOTHC_SUCCESS) fail(failure_, "%s", message_);
  }

 private:
  void take(EntryPoint entry) {
    try {
      compile_(entry);
    } catch (const Failure& failure) {
      end_with(failure.result, failure_message());
    } catch (...) {
      end_with(CLOTHC_ERROR_OUT_OF_MEMORY, "out of memory while kernels were compiled; free some");
    }
  }
  void end_with(clothc_result result, const char* message) {
    const std::lock_guard<std::mutex> lock(mutex_);
    next_ = entries_.size();
    if (failure_ != CLOTHC_SUCCESS) return;
    failure_ = result;
    std::snprintf(message_, sizeof(message_), "%s", message);
  }

  const std::vector<EntryPoint>& entries_;
  const std::function<void(EntryPoint)>& compile_;
  std::atomic<size_t> next_{0};
  std::mutex mutex_;
  clothc_result failure_ = CLOTHC_SUCCESS;
  // Threads need no memory to report a failure.
  char message_[512] = "";
};

}  // namespace

void compile_together(const std::vector<EntryPoint>& entries, const std::function<void(EntryPoint)>& compile) {
  Work work(entries, compile);
  const size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  std::vector<std::thread> threads;
  threads.reserve(most_compiling_threads);
  try {
    while (threads.size() + 1 < std::min({entries.size(), cores, most_compiling_threads})) {
      threads.emplace_back([&work] {
        const FloatEnvironment environment;
        work.take();
      });
    }
  } catch (const std::system_error&) {
    // Those that there are do all of it.
  }
  work.take();
  for (std::thread& thread : threads) thread.join();
  work.throw_failure();
}

}  // namespace clothc::gpu
