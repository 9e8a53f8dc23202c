// calls.h - what all calls of the API have in common: they are counted, fail if a rule says so, are refused in host
// functions, before cuInit, without a context and in a context that has failed, and hold the state's lock.
#pragma once

#include <new>
#include <optional>
#include <string>
#include <system_error>

#include "cuda/device/driver/sanitizer.h"
#include "cuda/device/driver/state.h"

namespace clothc::cuda_device {

// What a call needs. One that destroys an object needs a context that lives, not one without an error.
enum class Needs : uint8_t { nothing, driver, context, working_context };

class Call {
 public:
  Call(Function function, Needs needs);

  // The current context, if the call needs one.
  ContextPointer context;
  std::unique_lock<std::mutex> lock;
  // The result if the call ends before it has begun.
  std::optional<CUresult> stopped;

  // Records that the program misuses the API, and returns the error to throw.
  Failure misuse(CUresult result, const std::string& message) const;
  // Ends the process, as it ends when a driver looks into an object that is not there.
  [[noreturn]] void end_process(const std::string& message) const;
  // What the call returns if it has not failed.
  CUresult result() const;

 private:
  std::optional<CUresult> begin(Needs needs);
  std::optional<CUresult> find_context(Needs needs);
  const Function function_;
};

// Performs a call. The body gets the Call and throws Failure if it fails.
template <typename Body>
CUresult perform(Function function, Needs needs, Body body) {
  const InsideDevice inside;
  try {
    Call call(function, needs);
    if (call.stopped) return *call.stopped;
    body(call);
    return call.result();
  } catch (const Failure& failure) {
    return failure.result;
  } catch (const std::bad_alloc&) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  } catch (const std::system_error&) {
    // There are too many threads.
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

inline void require(bool condition, CUresult result) {
  if (!condition) throw Failure(result);
}

// The contexts that are current on a thread, the last of which counts. It has no destructor: ThreadSanitizer would take
// the end of one thread for a race with the beginning of another that gets its memory.
class CurrentContexts {
 public:
  bool empty() const { return count_ == 0; }
  CUcontext back() const { return contexts_[count_ - 1]; }
  void push_back(CUcontext context) {
    require(count_ < max_count, CUDA_ERROR_OUT_OF_MEMORY);
    contexts_[count_++] = context;
  }
  void pop_back() { --count_; }

 private:
  static constexpr size_t max_count = 64;
  CUcontext contexts_[max_count] = {};
  size_t count_ = 0;
};
// Those of this thread.
CurrentContexts& current_contexts();

// Whether this thread runs a host function.
bool& is_in_host_function();

// Returns the object of a handle. Throws if it belongs to another context than the current one. If there is no such object,
// a handle that is an address ends the process; drivers look up those that are numbers.
template <typename Handle, typename Object>
std::shared_ptr<Object> find_any(const Call& call, const Table<Handle, Object>& table, Handle handle,
                                 const char* what) {
  require(handle != Handle{}, CUDA_ERROR_INVALID_HANDLE);
  std::shared_ptr<Object> object = table.find(handle);
  if (object) return object;
  const std::string message = std::string("there is no such ") + what;
  if constexpr (std::is_pointer_v<Handle>) call.end_process(message);
  throw call.misuse(CUDA_ERROR_INVALID_HANDLE, message);
}
template <typename Handle, typename Object>
std::shared_ptr<Object> find_here(const Call& call, const Table<Handle, Object>& table, Handle handle,
                                  const char* what) {
  std::shared_ptr<Object> object = find_any(call, table, handle, what);
  if (object->context != call.context) {
    throw call.misuse(CUDA_ERROR_INVALID_HANDLE, std::string("the ") + what + " belongs to another context");
  }
  return object;
}

// As find_here, for a stream whose handle may be that of the default stream.
StreamPointer find_stream(const Call& call, CUstream handle);

}  // namespace clothc::cuda_device
