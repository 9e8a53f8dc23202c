// timed_intervals.h - the timestamps that a GPU writes during an update whose times were asked for, and what the time
// between each two of them counts for.
#pragma once

#include <memory>
#include <vector>

#include "backend_gpu/schedule_launches.h"
#include "core/backend/commands.h"

namespace clothc::gpu {

class TimedIntervals {
 public:
  // Makes space for as many timestamps as the list needs.
  TimedIntervals(const CommandList& list, std::shared_ptr<UpdateTimes> times);

  // Number of the repetitions of a dispatch whose passes get timestamps. The other repetitions count as being like
  // them.
  static uint32_t timed_repetitions(const Dispatch& dispatch);

  uint32_t capacity() const { return capacity_; }
  uint32_t count() const { return static_cast<uint32_t>(intervals_.size()); }
  // These return the number of the timestamp that the device must write next: for a point in time, or to begin with, or
  // for the time since the timestamp before.
  uint32_t add_point(UpdateTimes::Point point);
  uint32_t add_begin() { return add({}); }
  uint32_t add_end(const Dispatch& dispatch, DispatchTimes::Part part, Stage stage) {
    return add({dispatch.times, part, stage, false, UpdateTimes::point_count});
  }
  // The same, but the time is divided among stages like that of the part's timestamps so far.
  uint32_t add_end(const Dispatch& dispatch, DispatchTimes::Part part) {
    return add({dispatch.times, part, Stage::none, true, UpdateTimes::point_count});
  }

  // Fills the times, and completes them. nanoseconds[k] is the time of timestamp k, counted from any point in time.
  void collect(const std::vector<uint64_t>& nanoseconds);

 private:
  // What the time from the timestamp before to this one counts for: nothing if times is null.
  struct Interval {
    std::shared_ptr<DispatchTimes> times;
    DispatchTimes::Part part = DispatchTimes::before;
    Stage stage = Stage::none;
    bool by_samples = false;
    // The point in time at which this timestamp is, or point_count.
    UpdateTimes::Point point = UpdateTimes::point_count;
  };
  uint32_t add(Interval interval);

  std::shared_ptr<UpdateTimes> times_;
  uint32_t capacity_ = 0;
  std::vector<Interval> intervals_;
};

// Launches everything that a dispatch runs, and calls record(number) for the timestamps between. max_loops: see
// launch_programs.
template <class Launcher, class Record>
void launch_timed(const Dispatch& dispatch, uint32_t max_loops, TimedIntervals& intervals, Launcher& launcher,
                  Record record) {
  const Schedule& schedule = *dispatch.schedule;
  const auto timed = [&](uint32_t begin, uint32_t end, DispatchTimes::Part part) {
    for (uint32_t k = begin; k < end; ++k) {
      launch_passes(schedule, k, k + 1, launcher);
      record(intervals.add_end(dispatch, part, schedule.passes[k].stage));
    }
  };
  record(intervals.add_begin());
  if (!schedule.programs.empty()) {
    launch_programs(schedule, dispatch.program_iterations, max_loops, launcher);
    record(intervals.add_end(dispatch, DispatchTimes::programs, Stage::program));
  }
  timed(0, schedule.repeat_begin, DispatchTimes::before);
  const uint32_t repetitions = schedule.repeat_begin < schedule.repeat_end ? dispatch.repeat_count : 0;
  const uint32_t timed_repetitions = std::min(repetitions, TimedIntervals::timed_repetitions(dispatch));
  for (uint32_t k = 0; k < timed_repetitions; ++k)
    timed(schedule.repeat_begin, schedule.repeat_end, DispatchTimes::repeated);
  for (uint32_t k = timed_repetitions; k < repetitions; ++k)
    launch_passes(schedule, schedule.repeat_begin, schedule.repeat_end, launcher);
  if (timed_repetitions < repetitions) record(intervals.add_end(dispatch, DispatchTimes::repeated));
  timed(schedule.repeat_end, static_cast<uint32_t>(schedule.passes.size()), DispatchTimes::after);
}

}  // namespace clothc::gpu
