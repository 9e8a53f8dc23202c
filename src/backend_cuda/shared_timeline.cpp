// shared_timeline.cpp - imports timeline semaphores, and signals them from the host.
#include "backend_cuda/shared_timeline.h"

#include <algorithm>

#include "backend_gpu/file_descriptor.h"

namespace clothc::cuda {

std::shared_ptr<GpuTimeline> GpuTimeline::import(const GpuPointer& gpu, int descriptor) {
  gpu->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu->adapter().has_timeline_semaphores,
                    "\"%s\" imports no semaphores; look for CLOTHC_CAPABILITY_IMPORTED_SEMAPHORE_FD, or wait for the "
                    "fence on the host",
                    gpu->adapter().info.name);
  return gpu::import_descriptor(descriptor, [&](int copy) { return std::make_shared<GpuTimeline>(gpu, copy); });
}

GpuTimeline::GpuTimeline(const GpuPointer& gpu, int descriptor) : gpu_(gpu), signals_(gpu) {
  const WorkingContext current(*gpu_);
  CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC handle{};
  handle.type = CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  handle.handle.fd = descriptor;
  const CUresult result = gpu_->driver().ImportExternalSemaphore(&semaphore_, &handle);
  CLOTHC_REQUIRE(
      result != CUDA_ERROR_INVALID_VALUE && result != CUDA_ERROR_INVALID_HANDLE,
      "cuImportExternalSemaphore gave %s on \"%s\"; the handle is not a timeline semaphore that such a device "
      "exported",
      gpu_->driver().name_of(result), gpu_->adapter().info.name);
  gpu_->check(result, "cuImportExternalSemaphore");
}

// Work that uses the semaphore shares ownership of this object until it has ended.
GpuTimeline::~GpuTimeline() {
  signals_.drain();
  if (!gpu_->may_free()) return;
  const CurrentContext current(*gpu_);
  gpu_->driver().DestroyExternalSemaphore(semaphore_);
}

uint64_t GpuTimeline::value() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return known_;
}

void GpuTimeline::will_reach(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  expected_ = std::max(expected_, value);
}

void GpuTimeline::signal(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  known_ = std::max(known_, value);
  if (value <= expected_ || gpu_->is_lost()) return;
  const CurrentContext current(*gpu_);
  if (!current.is_current()) return;
  CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS parameters{};
  parameters.params.fence.value = expected_ = value;
  if (!gpu_->note(gpu_->driver().SignalExternalSemaphoresAsync(&semaphore_, &parameters, 1, signals_.stream())))
    gpu_->lose("its driver does not signal a semaphore");
}

void GpuTimeline::require_expected(uint64_t value) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, value <= expected_,
                    "the fence is an imported semaphore, which CUDA cannot read, and no queued update signals or waits "
                    "for %llu; let an update wait for it, with dt 0 if nothing is to move, and wait for that update",
                    static_cast<unsigned long long>(value));
}

int GpuTimeline::export_file_descriptor() const {
  fail(CLOTHC_ERROR_UNSUPPORTED,
       "CUDA exports no semaphores; export one of Vulkan, and import it here with clothc_fence_import");
}

}  // namespace clothc::cuda
