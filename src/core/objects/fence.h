// fence.h - a 64-bit value that only grows, waited for by the host and by streams.
#pragma once

#include <condition_variable>
#include <mutex>

#include "core/backend/backend.h"
#include "core/objects/handles.h"

namespace clothc {

class Fence final : public Object, public Timeline {
 public:
  static constexpr ObjectKind object_kind = ObjectKind::fence;

  Fence(std::shared_ptr<Device> device, uint64_t value)
      : Object(object_kind, std::move(device)), value_(value), promised_(value) {}

  ~Fence() override;

  // The fence's semaphore, made if it has none yet; and a fence of a semaphore.
  static std::shared_ptr<SharedTimeline> share(const std::shared_ptr<Fence>& fence);
  static std::shared_ptr<Fence> import(const std::shared_ptr<Device>& device, int descriptor);

  uint64_t value() const;
  // Reserves value for a signal to come; false unless it is above all values signalled or promised before.
  bool promise(uint64_t value);
  uint64_t promised() const;
  void signal(uint64_t value) override;
  // Hosts that wait stop waiting.
  void close() override;
  // False if the time-out passed first; fails if the fence was closed or abandoned first.
  bool wait(uint64_t value, uint64_t timeout_ns);
  bool call_when(Waiter& waiter) override;
  bool forget(Waiter& waiter) override;
  void abandon() override;
  std::shared_ptr<SharedTimeline> shared() const override;

 private:
  // The link of the first waiter for which is_wanted holds, or the last, null one.
  template <class IsWanted>
  Waiter** find_waiter(IsWanted is_wanted);

  mutable std::mutex mutex_;
  std::condition_variable reached_;
  uint64_t value_;
  uint64_t promised_;
  Waiter* waiters_ = nullptr;
  std::shared_ptr<SharedTimeline> shared_;
  bool closed_ = false;
  bool abandoned_ = false;
};

}  // namespace clothc
