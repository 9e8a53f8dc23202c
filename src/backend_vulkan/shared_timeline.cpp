// shared_timeline.cpp - creates, imports and exports shared timelines, and registers them with the watcher.
#include "backend_vulkan/shared_timeline.h"

#include "backend_gpu/import_handle.h"

namespace clothc::vulkan {
namespace {

void require_sharing(const Gpu& gpu) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu.adapter().shares_semaphores, no_external_semaphores);
}

}  // namespace

std::shared_ptr<GpuTimeline> GpuTimeline::create(const GpuPointer& gpu, const std::shared_ptr<GpuWatcher>& watcher,
                                                 Timeline& timeline, uint64_t value) {
  gpu->require_alive();
  const bool exportable = gpu->adapter().shares_semaphores;
  return std::make_shared<GpuTimeline>(watcher, std::make_shared<TimelineSemaphore>(gpu, value, exportable), timeline);
}

std::shared_ptr<GpuTimeline> GpuTimeline::import(const GpuPointer& gpu, const std::shared_ptr<GpuWatcher>& watcher,
                                                 Timeline& timeline, platform::OsHandle handle) {
  gpu->require_alive();
  require_sharing(*gpu);
  return gpu::import_handle(handle, [&](platform::OsHandle copy) {
    return std::make_shared<GpuTimeline>(watcher, std::make_shared<TimelineSemaphore>(gpu, 0, false, copy), timeline);
  });
}

GpuTimeline::GpuTimeline(std::shared_ptr<GpuWatcher> watcher, std::shared_ptr<TimelineSemaphore> semaphore,
                         Timeline& timeline)
    : watcher_(std::move(watcher)), semaphore_(std::move(semaphore)) {
  watcher_->follow(semaphore_, timeline);
}

GpuTimeline::~GpuTimeline() { watcher_->forget(*semaphore_); }

// VUID-VkSemaphoreSignalInfo-value-03259: a signal of the host must be below all that are pending.
void GpuTimeline::require_order(uint64_t value, uint64_t queued) const {
  CLOTHC_REQUIRE(
      value < queued,
      "fence value %llu is not below %llu, to which a queued update will raise it; wait for the update first",
      static_cast<unsigned long long>(value), static_cast<unsigned long long>(queued));
}

platform::OsHandle GpuTimeline::export_handle() const {
  require_sharing(*semaphore_->gpu());
  return semaphore_->export_handle();
}

}  // namespace clothc::vulkan
