// timeline.cpp - implements waiting for a timeline and signalling it, by the host and by streams.
#include "core/backend/timeline.h"

#include <algorithm>

#include "core/backend/stream.h"
#include "core/base/process.h"
#include "core/base/result.h"
#include "core/base/wait.h"

namespace clothc {

std::shared_ptr<SharedTimeline> Timeline::shared() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return shared_;
}

uint64_t Timeline::value() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return value_;
}

uint64_t Timeline::reserved() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return reserved_.empty() ? value_ : reserved_.back().value;
}

bool Timeline::reserve(uint64_t value, Signaller signaller) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value <= value_ || (!reserved_.empty() && value <= reserved_.back().value)) return false;
  reserved_.push_back({value, std::move(signaller)});
  return true;
}

void Timeline::take_back(uint64_t value) {
  const std::lock_guard<std::mutex> lock(mutex_);
  reserved_.erase(std::remove_if(reserved_.begin(), reserved_.end(),
                                 [&](const Reservation& reservation) { return reservation.value == value; }),
                  reserved_.end());
}

std::vector<Timeline::Reservation>::const_iterator Timeline::find_reservation(uint64_t value) const {
  return std::lower_bound(reserved_.begin(), reserved_.end(), value,
                          [](const Reservation& reservation, uint64_t wanted) { return reservation.value < wanted; });
}

template <class IsWanted>
Timeline::Waiter** Timeline::find_waiter(IsWanted is_wanted) {
  Waiter** link = &waiters_;
  while (*link != nullptr && !is_wanted(**link)) link = &(*link)->next;
  return link;
}

void Timeline::signal(uint64_t value) { raise(std::unique_lock<std::mutex>(mutex_), value, true); }

void Timeline::follow(uint64_t value) { raise(std::unique_lock<std::mutex>(mutex_), value, false); }

// The device may have raised the semaphore already when the host does not know of it yet.
void Timeline::signal_for_program(uint64_t value) {
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t present = shared_ == nullptr ? value_ : std::max(value_, shared_->value());
  CLOTHC_REQUIRE(value > present, "fence value %llu is not above the present one, %llu; fences only grow",
                 static_cast<unsigned long long>(value), static_cast<unsigned long long>(present));
  const auto queued = find_reservation(present + 1);
  if (shared_ != nullptr && queued != reserved_.end()) shared_->require_order(value, queued->value);
  raise(std::move(lock), value, true);
}

void Timeline::raise(std::unique_lock<std::mutex> lock, uint64_t value, bool raises_semaphore) {
  if (value <= value_) return;
  value_ = value;
  reserved_.erase(reserved_.begin(), find_reservation(value + 1));
  reached_.notify_all();
  if (shared_ != nullptr && raises_semaphore) shared_->signal(value);
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

void Timeline::help_signaller(uint64_t value, uint64_t timeout_ns) {
  std::shared_ptr<Stream> stream;
  uint64_t list = 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto reservation = find_reservation(value);
    if (reservation == reserved_.end()) return;
    stream = reservation->signaller.stream.lock();
    list = reservation->signaller.list;
  }
  if (stream != nullptr) stream->help(list, timeout_ns);
}

bool Timeline::wait(uint64_t value, uint64_t timeout_ns) {
  const TimeLeft left(timeout_ns);
  help_signaller(value, timeout_ns);
  std::unique_lock<std::mutex> lock(mutex_);
  const uint64_t promised = reserved_.empty() ? value_ : reserved_.back().value;
  if (promised < value && shared_ != nullptr) shared_->require_expected(value);
  if (!clothc::wait_for(reached_, lock, left.get(), [&] { return value_ >= value || closed_ || abandoned_; }))
    return false;
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_DEVICE_LOST, value_ >= value || !abandoned_,
                    "the fence is at %llu and will not be raised by the work that was to do it: its device is lost",
                    static_cast<unsigned long long>(value_));
  CLOTHC_REQUIRE_AS(CLOTHC_ERROR_INVALID_HANDLE, value_ >= value,
                    "the fence was destroyed while the call waited for it");
  return true;
}

void Timeline::end_waits() {
  const std::lock_guard<std::mutex> lock(mutex_);
  closed_ = true;
  reached_.notify_all();
}

void Timeline::abandon() {
  const std::lock_guard<std::mutex> lock(mutex_);
  abandoned_ = true;
  reached_.notify_all();
}

bool Timeline::call_when(Waiter& waiter) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (value_ >= waiter.value) return false;
  waiter.next = nullptr;
  *find_waiter([](const Waiter&) { return false; }) = &waiter;
  return true;
}

bool Timeline::forget(Waiter& waiter) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Waiter** kept = find_waiter([&](const Waiter& w) { return &w == &waiter; });
  if (*kept == nullptr) return false;
  *kept = waiter.next;
  return true;
}

void Timeline::unshare() {
  std::shared_ptr<SharedTimeline> ending;
  const std::lock_guard<std::mutex> lock(mutex_);
  ending.swap(shared_);
}

void Timeline::forget_waiting_threads() { forget_threads(reached_); }

}  // namespace clothc
