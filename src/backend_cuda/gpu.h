// gpu.h - a CUDA device as the backend uses it: the driver's functions, the context and whether the device is lost.
// Everything that is created on the device shares this object.
#pragma once

#include <memory>

#include "backend_cuda/adapter.h"
#include "backend_gpu/device_state.h"
#include "core/backend/backend.h"

namespace clothc::cuda {

class Gpu : public gpu::DeviceState {
 public:
  // The context and the stream of the application in which the device works, or null.
  struct Adopted {
    CUcontext context = nullptr;
    CUstream stream = nullptr;
  };
  // Retains the device's primary context if no other is adopted. Throws Failure.
  Gpu(std::shared_ptr<Driver> driver, const Adapter& adapter, uint64_t hang_timeout_ns,
      const Adopted& adopted = {nullptr, nullptr});
  ~Gpu();

  const Adapter& adapter() const { return adapter_; }
  const Driver& driver() const { return *driver_; }
  CUcontext context() const { return context_; }
  // The stream to which all work goes, null if each solver has a stream of its own.
  CUstream adopted_stream() const { return adopted_.stream; }

  // Throws Failure if the result of the named call is an error, such as OUT_OF_MEMORY. If the result says that the
  // context is broken, the device counts as lost from then on.
  void check(CUresult result, const char* call);
  // The same for a call that imports a handle, where most errors tell that the handle is a wrong one, even those that
  // break the context elsewhere. wanted: what it should be, as in "a semaphore".
  void check_import(CUresult result, const char* call, const char* wanted);
  // Whether a call that gives this result tells that the context is broken, with everything that runs in it.
  static bool breaks_context(CUresult result);
  // Whether a call gives this result because a capture of the application forbids it or has failed.
  static bool is_refused_by_capture(CUresult result);
  // The same as check without throwing: returns whether the result is a success.
  bool note(CUresult result);
  void lose_context() { is_context_gone_.store(true, std::memory_order_release); }
  // Whether the context is destroyed, with everything in it.
  bool is_context_gone() const { return is_context_gone_.load(std::memory_order_acquire); }
  // Whether objects are there to be freed, and calls that free them return: on a device that hangs, they would wait
  // forever, so what it has is left to the end of the process.
  bool may_free() const { return !is_hung() && !is_context_gone(); }

 private:
  std::shared_ptr<Driver> driver_;
  Adapter adapter_;
  Adopted adopted_;
  CUcontext context_ = nullptr;
  std::atomic<bool> is_context_gone_{false};
};

using GpuPointer = std::shared_ptr<Gpu>;

// Makes the device's context current on this thread, and the context that was current before when it is destroyed.
// Meanwhile, calls of this thread do not disturb captures of streams that the application makes.
class CurrentContext {
 public:
  // If the context cannot be made current, the device counts as lost.
  explicit CurrentContext(Gpu& gpu);
  ~CurrentContext();
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;
  // Whether calls of the driver work on the device's context. Without it they could work on another one.
  bool is_current() const { return result_ == CUDA_SUCCESS; }
  // What the driver gave.
  CUresult result() const { return result_; }

 private:
  Gpu& gpu_;
  CUresult result_;
  // The mode of the thread's captures before, if the driver has exchanged it.
  CUstreamCaptureMode mode_ = CU_STREAM_CAPTURE_MODE_RELAXED;
  bool has_exchanged_mode_ = false;
};

// The same for calls that make something or hand work over. Throws Failure if the device is lost.
class WorkingContext {
 public:
  explicit WorkingContext(Gpu& gpu) : current_(gpu) { gpu.require_alive(); }

 private:
  CurrentContext current_;
};

}  // namespace clothc::cuda
