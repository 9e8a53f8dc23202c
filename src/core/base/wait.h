// wait.h - waits on a condition variable for a number of nanoseconds, or for ever, possibly in several parts.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
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

// Tells how much of a time-out is left.
class TimeLeft {
 public:
  explicit TimeLeft(uint64_t timeout_ns) : timeout_(timeout_ns), begin_(std::chrono::steady_clock::now()) {}
  // In nanoseconds. What is left of CLOTHC_WAIT_FOREVER is still more than a century.
  uint64_t get() const {
    const std::chrono::nanoseconds elapsed = std::chrono::steady_clock::now() - begin_;
    return timeout_ - std::min(timeout_, static_cast<uint64_t>(elapsed.count()));
  }

 private:
  uint64_t timeout_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace clothc
