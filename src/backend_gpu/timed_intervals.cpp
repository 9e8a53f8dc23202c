// timed_intervals.cpp - counts timestamps and turns them into times.
#include "backend_gpu/timed_intervals.h"

namespace clothc::gpu {
namespace {

// Number of timestamps of a dispatch.
uint32_t timestamp_count(const Dispatch& dispatch) {
  const Schedule& schedule = *dispatch.schedule;
  const uint32_t repeated = schedule.repeat_end - schedule.repeat_begin;
  const auto once = static_cast<uint32_t>(schedule.passes.size()) - repeated;
  return 3 + once + repeated * TimedIntervals::timed_repetitions(dispatch);
}

}  // namespace

uint32_t TimedIntervals::timed_repetitions(const Dispatch& dispatch) {
  constexpr uint32_t most = 4096;
  const uint32_t passes = dispatch.schedule->repeat_end - dispatch.schedule->repeat_begin;
  return std::min(dispatch.repeat_count, std::max(most / std::max(passes, 1u), 1u));
}

TimedIntervals::TimedIntervals(const CommandList& list, std::shared_ptr<UpdateTimes> times) : times_(std::move(times)) {
  for (const Command& command : list.commands()) {
    const auto* dispatch = std::get_if<Dispatch>(&command);
    if (dispatch != nullptr && dispatch->times != nullptr) capacity_ += timestamp_count(*dispatch);
    capacity_ += std::holds_alternative<Mark>(command) ? 1 : 0;
  }
  intervals_.reserve(capacity_);
}

uint32_t TimedIntervals::add(Interval interval) {
  intervals_.push_back(std::move(interval));
  return count() - 1;
}

uint32_t TimedIntervals::add_point(UpdateTimes::Point point) {
  Interval interval;
  interval.point = point;
  return add(std::move(interval));
}

void TimedIntervals::collect(const std::vector<uint64_t>& nanoseconds) {
  const DispatchTimes* sampled = nullptr;
  StageTimes samples{};
  for (size_t k = 0; k < intervals_.size(); ++k) {
    const Interval& interval = intervals_[k];
    if (interval.point != UpdateTimes::point_count) times_->points[interval.point] = nanoseconds[k] - nanoseconds[0];
    if (interval.times == nullptr) continue;
    const uint64_t elapsed = nanoseconds[k] - nanoseconds[k - 1];
    if (interval.by_samples) {
      interval.times->add_by_samples(interval.part, samples, elapsed, Stage::none);
      continue;
    }
    interval.times->add(interval.part, interval.stage, elapsed);
    if (sampled != interval.times.get()) samples = {};
    sampled = interval.times.get();
    if (interval.part == DispatchTimes::repeated && interval.stage != Stage::none)
      samples[static_cast<size_t>(interval.stage)] += elapsed;
  }
  times_->is_complete.store(true, std::memory_order_release);
}

}  // namespace clothc::gpu
