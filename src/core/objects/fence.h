// fence.h - the object behind clothc_fence: a timeline that a program has a handle of.
#pragma once

#include "core/backend/backend.h"
#include "core/objects/handles.h"

namespace clothc {

class Fence final : public Object, public Timeline {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::fence;

  Fence(std::shared_ptr<Device> device, uint64_t value) : Object(object_kind, std::move(device)), Timeline(value) {}
  ~Fence() override;

  // get_semaphore returns the semaphore of a fence, and makes it if the fence has none yet. import makes a fence for a
  // semaphore that was exported, given by its file descriptor.
  static std::shared_ptr<SharedTimeline> get_semaphore(const std::shared_ptr<Fence>& fence);
  static std::shared_ptr<Fence> import(const std::shared_ptr<Device>& device, platform::OsHandle handle);

  // Ends every call of wait.
  void close() override { end_waits(); }
};

}  // namespace clothc
