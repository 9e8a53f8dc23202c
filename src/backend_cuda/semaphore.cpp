// semaphore.cpp - see semaphore.h.
#include "backend_cuda/semaphore.h"

#include "backend_cuda/external.h"

namespace clothc::cuda {

Semaphore::Semaphore(GpuPointer gpu, platform::OsHandle exported) : gpu_(std::move(gpu)) {
  const WorkingContext current(*gpu_);
  const Driver& driver = gpu_->driver();
  gpu_->check(driver.EventCreate(&last_, CU_EVENT_DISABLE_TIMING), "cuEventCreate");
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC handle{};
  handle.type = timeline_handle_type;
  handle.handle = external_handle(exported);
  try {
    gpu_->check_import(driver.ImportExternalSemaphore(&semaphore_, &handle), "cuImportExternalSemaphore",
                       "a timeline semaphore");
  } catch (...) {
    driver.EventDestroy(last_);
    throw;
  }
}

Semaphore::~Semaphore() {
  if (!gpu_->may_free()) return;
  const CurrentContext current(*gpu_);
  gpu_->driver().DestroyExternalSemaphore(semaphore_);
  gpu_->driver().EventDestroy(last_);
}

CUresult Semaphore::signal_in(CUstream stream, uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const Driver& driver = gpu_->driver();
  CUresult result = signalled_ == 0 ? CUDA_SUCCESS : driver.StreamWaitEvent(stream, last_, 0);
  if (value <= signalled_) return result;
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
  parameters.params.fence.value = value;
  if (result == CUDA_SUCCESS) result = driver.SignalExternalSemaphoresAsync(&semaphore_, &parameters, 1, stream);
  if (result != CUDA_SUCCESS) return result;
  signalled_ = value;
  return driver.EventRecord(last_, stream);
}

void Semaphore::will_wait_for(uint64_t value) {
  uint64_t before = awaited_.load();
  while (before < value && !awaited_.compare_exchange_weak(before, value)) {
  }
}

CUresult Semaphore::wait_in(CUstream stream, uint64_t value) const {
  CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS parameters{};
  parameters.params.fence.value = value;
  return gpu_->driver().WaitExternalSemaphoresAsync(&semaphore_, &parameters, 1, stream);
}

}  // namespace clothc::cuda
