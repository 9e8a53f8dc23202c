// wait.h - waits on a condition variable for a number of nanoseconds, or for ever.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace clothc {

// Waits until done() is true or the time-out has passed, and returns done(). Time-outs beyond a century never pass, so
// that computing the deadline cannot overflow.
template <class Done>
bool wait_for(std::condition_variable& condition, std::unique_lock<std::mutex>& lock, uint64_t timeout_ns, Done done) {
  constexpr uint64_t century = uint64_t{3'000'000'000} * 1'000'000'000;
  if (timeout_ns == 0) return done();
  if (timeout_ns >= century) {
    condition.wait(lock, done);
    return true;
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::nanoseconds(timeout_ns);
  return condition.wait_until(lock, deadline, done);
}

}  // namespace clothc
