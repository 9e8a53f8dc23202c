// shared_timeline.cpp - imports timeline semaphores, and signals them from the host.
#include "backend_cuda/shared_timeline.h"

#include "backend_gpu/import_handle.h"

namespace clothc::cuda {

std::shared_ptr<GpuTimeline> GpuTimeline::import(const GpuPointer& gpu, platform::OsHandle handle) {
  gpu->require_alive();
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu->adapter().has_timeline_semaphores,
                    "\"%s\" imports no semaphores; look for %s, or wait for the fence on the host",
                    gpu->adapter().info.name, imports_semaphores_name);
  return gpu::import_handle(handle, [&](platform::OsHandle copy) { return std::make_shared<GpuTimeline>(gpu, copy); });
}

void GpuTimeline::signal(uint64_t value) {
  Gpu& gpu = *semaphore_.gpu();
  if (gpu.is_lost()) return;
  const CurrentContext current(gpu);
  if (!current.is_current()) return;
  if (!gpu.note(semaphore_.signal_in(signals_.stream(), value))) gpu.lose("its driver does not signal a semaphore");
}

// A signal of the host and one of queued work could reach the semaphore in either order.
void GpuTimeline::require_order(uint64_t value, uint64_t queued) const {
  fail(CLOTHC_ERROR_INVALID_STATE,
       "a queued update will raise the fence to %llu, and CUDA cannot tell whether the host's signal of %llu comes "
       "before it; let the API that made the semaphore signal it, or wait for the update first",
       static_cast<unsigned long long>(queued), static_cast<unsigned long long>(value));
}

void GpuTimeline::require_expected(uint64_t value) const {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, value <= semaphore_.awaited(),
                    "the fence is an imported semaphore, which CUDA cannot read, and no queued update signals or waits "
                    "for %llu; let an update wait for it, with dt 0 if nothing is to move, and wait for that update",
                    static_cast<unsigned long long>(value));
}

platform::OsHandle GpuTimeline::export_handle() const {
  fail(CLOTHC_ERROR_UNSUPPORTED,
       "CUDA exports no semaphores; export one of Vulkan, and import it here with clothc_fence_import");
}

}  // namespace clothc::cuda
