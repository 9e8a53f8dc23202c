// waiting_habit.h - learns from a program's calls whether it waits for its work as soon as it has queued it. Such a
// program gains nothing from a worker that would have to be woken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>

namespace clothc::cpu {

// The begin or the end of a call.
struct Moment {
  // In nanoseconds from any point on.
  uint64_t time;
  std::thread::id thread;
};

class WaitingHabit {
 public:
  // A program that does something else between two calls takes longer than this. It is what waking a worker takes.
  static constexpr uint64_t longest_pause_ns = 10'000;

  // A call that queues work begins, and ends.
  void queuing_begins(Moment now) {
    if (is_unawaited_ && !is_next_call(now)) waits_ = 0;
    is_unawaited_ = true;
  }
  void queuing_ends(Moment now) { last_ = now; }

  // A call waits for all that was queued.
  void wait_begins(Moment now) {
    if (!is_unawaited_) return;
    is_unawaited_ = false;
    waits_ = is_next_call(now) ? std::min(waits_ + 1, enough_waits) : 0;
  }
  // A call waits for a part of what was queued: the program keeps work queued while it goes on.
  void wait_for_part_begins() { waits_ = 0; }

  // Returns whether the program lately waited at once for all that it queued.
  bool expects_wait() const { return waits_ == enough_waits; }

 private:
  bool is_next_call(Moment now) const {
    return now.thread == last_.thread && now.time - last_.time <= longest_pause_ns;
  }

  static constexpr uint32_t enough_waits = 2;
  uint32_t waits_ = 0;
  // Whether work was queued since the last wait.
  bool is_unawaited_ = false;
  // The end of the last call that queued work.
  Moment last_{};
};

}  // namespace clothc::cpu
