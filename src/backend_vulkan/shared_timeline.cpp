// shared_timeline.cpp - see shared_timeline.h.
#include "backend_vulkan/shared_timeline.h"

namespace clothc::vulkan {
namespace {

void require_descriptors(const Gpu& gpu) {
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_UNSUPPORTED, gpu.adapter().has_semaphore_descriptors, no_external_semaphores);
}

std::shared_ptr<GpuTimeline> follow(const GpuPointer& gpu, Watcher& watcher, const std::shared_ptr<Timeline>& timeline,
                                    std::shared_ptr<TimelineSemaphore> semaphore) {
  auto shared = std::make_shared<GpuTimeline>(gpu, semaphore);
  watcher.prepare();
  watcher.follow(std::move(semaphore), timeline);
  return shared;
}

}  // namespace

std::shared_ptr<GpuTimeline> GpuTimeline::create(const GpuPointer& gpu, Watcher& watcher,
                                                 const std::shared_ptr<Timeline>& timeline, uint64_t value) {
  gpu->require_alive();
  const bool exportable = gpu->adapter().has_semaphore_descriptors;
  return follow(gpu, watcher, timeline, std::make_shared<TimelineSemaphore>(gpu, value, exportable));
}

std::shared_ptr<GpuTimeline> GpuTimeline::import(const GpuPointer& gpu, Watcher& watcher,
                                                 const std::shared_ptr<Timeline>& timeline, int descriptor) {
  gpu->require_alive();
  require_descriptors(*gpu);
  return follow(gpu, watcher, timeline, std::make_shared<TimelineSemaphore>(gpu, 0, false, descriptor));
}

int GpuTimeline::export_file_descriptor() const {
  require_descriptors(*gpu_);
  return semaphore_->export_file_descriptor();
}

}  // namespace clothc::vulkan
