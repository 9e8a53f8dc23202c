// fence.h - the object behind clothc_fence: a 64-bit value that only grows, for which the host and streams can wait.
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
      : Object(object_kind, std::move(device)), value_(value), reserved_(value) {}

  ~Fence() override;

  // share returns the semaphore of a fence, and makes it if the fence has none yet. import makes a fence for a
  // semaphore that was exported, given by its file descriptor.
  static std::shared_ptr<SharedTimeline> share(const std::shared_ptr<Fence>& fence);
  static std::shared_ptr<Fence> import(const std::shared_ptr<Device>& device, int descriptor);

  uint64_t value() const;
  // Reserves value for a later signal. Returns false unless it is above all values signalled or reserved before.
  bool reserve(uint64_t value);
  // Returns the highest value signalled or reserved so far.
  uint64_t reserved() const;
  void signal(uint64_t value) override;
  // Ends every call of wait.
  void close() override;
  // Waits on the host until value is reached. Returns false if the time-out passes first. Fails if the fence is closed
  // or abandoned first.
  bool wait(uint64_t value, uint64_t timeout_ns);
  bool call_when(Waiter& waiter) override;
  bool forget(Waiter& waiter) override;
  void abandon() override;
  std::shared_ptr<SharedTimeline> shared() const override;

 private:
  // Returns the link in the list that points to the first waiter for which is_wanted holds, or the null link at the
  // end.
  template <class IsWanted>
  Waiter** find_waiter(IsWanted is_wanted);

  mutable std::mutex mutex_;
  std::condition_variable reached_;
  uint64_t value_;
  uint64_t reserved_;
  Waiter* waiters_ = nullptr;
  std::shared_ptr<SharedTimeline> shared_;
  bool closed_ = false;
  bool abandoned_ = false;
};

}  // namespace clothc
