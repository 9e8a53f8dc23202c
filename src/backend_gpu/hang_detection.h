// hang_detection.h - waits for a timeline of a device and detects that the device is lost or hangs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

namespace clothc::gpu {

inline constexpr char hang_reason[] = "its driver made no progress for as long as device_desc.hang_timeout_ms allows";

// Whether work has made no progress for longer than a time-out allows that may change meanwhile: a second under a time-out
// of ten counts as much as a tenth of a second under one of one.
class Patience {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Patience(Clock::time_point now = Clock::now()) : last_look_(now) {}
  // Must be called when there was progress.
  void renew(Clock::time_point now = Clock::now()) { *this = Patience(now); }
  // Must be called every now and then with the time-out that holds. Returns whether the work counts as hung. One call
  // counts for at most a quarter of the time-out, so that a process which was stopped does not find itself too late.
  bool ends(uint64_t timeout_ns, Clock::time_point now = Clock::now()) {
    const auto passed = std::chrono::nanoseconds(now - std::exchange(last_look_, now)).count();
    spent_ += std::min(static_cast<double>(passed) / static_cast<double>(timeout_ns), 0.25);
    return spent_ > 1;
  }

 private:
  Clock::time_point last_look_;
  // Part of the time-outs that has passed.
  double spent_ = 0;
};

// Waits until the semaphore has reached value, and returns false if the time-out passed first. Throws Failure once the
// device is lost. The device also counts as lost when submitted work makes no progress for device.hang_timeout_ns().
// The function submitted() returns the last value that submitted work signals. Device: has require_alive(),
// lose(reason) and hang_timeout_ns(). Semaphore: has wait(value, timeout_ns) and value().
template <class Device, class Semaphore, class Submitted>
bool wait_unless_hung(Device& device, const Semaphore& semaphore, uint64_t value, uint64_t timeout_ns,
                      Submitted submitted) {
  using Clock = Patience::Clock;
  const auto since = [](Clock::time_point time) {
    return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now() - time).count());
  };
  constexpr uint64_t slice_ns = 50'000'000;
  const Clock::time_point begin = Clock::now();
  Patience patience(begin);
  uint64_t reached = 0;
  while (true) {
    device.require_alive();
    const uint64_t elapsed = since(begin);
    const uint64_t remaining = elapsed < timeout_ns ? timeout_ns - elapsed : 0;
    if (semaphore.wait(value, std::min(slice_ns, remaining))) return true;
    device.require_alive();
    if (remaining <= slice_ns && since(begin) >= timeout_ns) return false;
    const uint64_t present = semaphore.value();
    if (present != reached || submitted() <= present) {
      reached = present;
      patience.renew();
    } else if (patience.ends(device.hang_timeout_ns())) {
      device.lose(hang_reason);
    }
  }
}

}  // namespace clothc::gpu
