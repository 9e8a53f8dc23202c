// fence.cpp - shares fences with other devices, and destroys them.
#include "core/objects/fence.h"

#include "core/objects/device.h"

namespace clothc {

Fence::~Fence() {
  if (is_left_behind()) {
    // This fence has no semaphore: those of a driver are not destroyed in a child process (see let_go in handles.cpp).
    forget_waiting_threads();
  } else {
    unshare();
  }
}

std::shared_ptr<SharedTimeline> Fence::get_semaphore(const std::shared_ptr<Fence>& fence) {
  return fence->share([&](uint64_t value) { return fence->device()->backend().share(*fence, value); });
}

std::shared_ptr<Fence> Fence::import(const std::shared_ptr<Device>& device, platform::OsHandle handle) {
  auto fence = std::make_shared<Fence>(device, 0);
  std::shared_ptr<SharedTimeline> imported = device->backend().import_timeline(handle, *fence);
  const uint64_t value = imported->value();
  fence->share([&](uint64_t) { return imported; });
  fence->follow(value);
  return fence;
}

}  // namespace clothc
