// hang_detection.h - waits for a timeline of a device and detects that the device is lost or hangs.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace clothc::gpu {

inline constexpr char hang_reason[] = "its driver made no progress for as long as device_desc.hang_timeout_ms allows";

// Waits until the semaphore has reached value, and returns false if the time-out passed first. Throws Failure once the
// device is lost. The device also counts as lost when submitted work makes no progress for device.hang_timeout_ns().
// The function submitted() returns the last value that submitted work signals. Device: has require_alive(),
// lose(reason) and hang_timeout_ns(). Semaphore: has wait(value, timeout_ns) and value().
template <class Device, class Semaphore, class Submitted>
bool wait_unless_hung(Device& device, const Semaphore& semaphore, uint64_t value, uint64_t timeout_ns,
                      Submitted submitted) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point time) {
    return static_cast<uint64_t>(std::chrono::nanoseconds(Clock::now() - time).count());
  };
  constexpr uint64_t slice_ns = 50'000'000;
  const Clock::time_point begin = Clock::now();
  Clock::time_point last_progress = begin;
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
      last_progress = Clock::now();
    } else if (since(last_progress) > device.hang_timeout_ns()) {
      device.lose(hang_reason);
    }
  }
}

}  // namespace clothc::gpu
