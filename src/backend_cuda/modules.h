// modules.h - the kernels of the backend: PTX texts, which are compiled into the library, and the functions that the
// driver makes of them, or of native code of theirs, when they are first needed.
#pragma once

#include <atomic>
#include <mutex>
#include <string>

#include "backend_cuda/gpu.h"
#include "backend_cuda/native_code.h"
#include "backend_gpu/entry_points.h"

namespace clothc::cuda {

// Returns the text of an entry point's module, and the name of its function in it.
std::string module_text(gpu::EntryPoint entry);
const char* function_name(gpu::EntryPoint entry);

class Functions {
 public:
  // native: preferred to the texts where it suits the device and its driver takes it; its images must outlive this.
  explicit Functions(GpuPointer gpu, const NativeCode& native = built_in_code())
      : gpu_(std::move(gpu)), native_(native) {}
  ~Functions();
  Functions(const Functions&) = delete;
  Functions& operator=(const Functions&) = delete;

  // Returns the function of an entry point, and loads its module if necessary. The context must be current. Any thread
  // may call this, and waits for no other module. Throws Failure.
  CUfunction of(gpu::EntryPoint entry);

 private:
  struct Entry {
    // Held while the module is loaded.
    std::mutex mutex;
    CUmodule module = nullptr;
    std::atomic<CUfunction> function{nullptr};
  };
  CUfunction load(gpu::EntryPoint entry, CUmodule& module);
  CUmodule load_module(gpu::EntryPoint entry);
  CUmodule compile(gpu::EntryPoint entry);
  // Throws Failure if the result of the named call is an error. log: what the driver's compiler said.
  void require_compiled(CUresult result, const char* call, gpu::EntryPoint entry, const char* log);

  GpuPointer gpu_;
  const NativeCode native_;
  Entry entries_[gpu::entry_point_count];
};

}  // namespace clothc::cuda
