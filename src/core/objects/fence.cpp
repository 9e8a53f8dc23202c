// fence.cpp - implements waiting for a fence and signalling it, by the host and by streams.
#include "core/objects/fence.h"

#include <algorithm>

#include "core/objects/device.h"

namespace clothc {

// Destroys the semaphore before all other members. It raises the fence until it is destroyed.
Fence::~Fence() {
  if (is_left_behind()) {
    // This fence has no semaphore: those of a driver are not destroyed in a child process (see let_go in handles.cpp).
    forget_threads(reached_);
    return;
  }
  std::shared_ptr<SharedTimeline> ending;
  const std::lock_guard<std::mutex> lock(mutex_);
  ending.swap(shared_);
}

std::shared_ptr<SharedTimeline> Fence::share(const std::shared_ptr<Fence>& fence) {
  const std::lock_guard<std::mutex> lock(fence->mutex_);
  if (fence->shared_ == nullptr) fence->shared_ = fence->device()->backend().share(*fence, fence->value_);
  return fence->shared_;
}

std::shared_ptr<Fence> Fence::import(const std::shared_ptr<Device>& device, int descriptor) {
  auto fence = std::make_shared<Fence>(device, 0);
  std::shared_ptr<SharedTimeline> imported = device->backend().import_timeline(descriptor, *fence);
  const uint64_t value = imported->value();
  {
    const std::lock_guard<std::mutex> lock(fence->mutex_);
    fence->shared_ = std::move(imported);
  }
  fence->signal(value);
  return fence;
}

std::shared_ptr<SharedTimeline> Fence::shared() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return shared_;
}

uint64_t Fence::value() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return value_;
}

uint64_t Fence::reserved() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reserved_;
}

bool Fence::reserve(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value <= reserved_ || value <= value_) return false;
  reserved_ = value;
  return true;
}

template <class IsWanted>
Timeline::Waiter** Fence::find_waiter(IsWanted is_wanted) {
  Waiter** link = &waiters_;
  while (*link != nullptr && !is_wanted(**link)) link = &(*link)->next;
  return link;
}

void Fence::signal(uint64_t value) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (value <= value_) return;
  value_ = value;
  reserved_ = std::max(reserved_, value);
  reached_.notify_all();
  if (shared_ != nullptr) shared_->signal(value);
  // Resumes one waiter at a time without the lock, because other waiters may be removed from the list meanwhile.
  while (true) {
    Waiter** due = find_waiter([&](const Waiter& w) { return w.value <= value_; });
    if (*due == nullptr) return;
    const Waiter waiter = **due;
    *due = waiter.next;
    lock.unlock();
    waiter.resume(waiter.argument);
    lock.lock();
  }
}

bool Fence::wait(uint64_t value, uint64_t timeout_ns) {
  std::unique_lock<std::mutex> lock(mutex_);
  if (!clothc::wait_for(reached_, lock, timeout_ns, [&] { return value_ >= value || closed_ || abandoned_; }))
    return false;
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_DEVICE_LOST, value_ >= value || !abandoned_,
                    "the fence is at %llu and will not be raised by the work that was to do it: its device is lost",
                    static_cast<unsigned long long>(value_));
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, value_ >= value,
                    "the fence was destroyed while the call waited for it");
  return true;
}

void Fence::close() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  reached_.notify_all();
}

void Fence::abandon() {
  const std::lock_guard<std::mutex> lock(mutex_);
  abandoned_ = true;
  reached_.notify_all();
}

bool Fence::call_when(Waiter& waiter) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value_ >= waiter.value) return false;
  waiter.next = nullptr;
  *find_waiter([](const Waiter&) { return false; }) = &waiter;
  return true;
}

bool Fence::forget(Waiter& waiter) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Waiter** kept = find_waiter([&](const Waiter& w) { return &w == &waiter; });
  if (*kept == nullptr) return false;
  *kept = waiter.next;
  return true;
}

}  // namespace clothc
