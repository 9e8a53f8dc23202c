// times.cpp - see times.h.
#include "window/times.h"

#include <algorithm>

namespace clothc_viewer {
namespace {

// Of which means are made.
constexpr size_t MEAN_COUNT = 30;

double milliseconds(uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

template <class T>
void push(std::deque<T>& values, const T& value) {
  values.push_back(value);
  if (values.size() > TimesHistory::MOST) values.pop_front();
}

// Adds a time that may not be known. The sum is known if one of them is.
void add(std::optional<double>& sum, const std::optional<double>& time) {
  if (time) sum = sum.value_or(0) + *time;
}

}  // namespace

void TimesHistory::add_step(double host, const std::optional<clothc_timers>& timers) {
  step_host_ += host;
  ++step_count_;
  if (!timers || timers->update == 0 || (timers_ && timers_->update == timers->update)) return;
  timers_ = timers;
  UpdateTimes times;
  times.total = static_cast<float>(milliseconds(timers->total_ns));
  for (size_t i = 0; i < times.stages.size(); ++i)
    times.stages[i] = static_cast<float>(milliseconds(timers->stage_ns[i]));
  push(updates_, times);
}

void TimesHistory::add_frame(double interval, double draw_host, std::optional<double> draw_device,
                             uint64_t host_copied_bytes) {
  DrawnFrame frame;
  frame.interval = interval;
  frame.times.simulate_host = step_host_;
  frame.times.draw_host = draw_host;
  frame.times.draw_device = draw_device;
  frame.update_count = step_count_;
  frame.host_copied_bytes = host_copied_bytes;
  if (timers_ && step_count_ > 0) frame.times.simulate_device = milliseconds(timers_->total_ns) * step_count_;
  push(frames_, frame);
  step_host_ = 0;
  step_count_ = 0;
}

void TimesHistory::clear() { *this = TimesHistory(); }

DrawnFrame TimesHistory::mean_frame() const {
  DrawnFrame sum;
  const size_t count = std::min(frames_.size(), MEAN_COUNT);
  if (count == 0) return sum;
  for (size_t i = frames_.size() - count; i < frames_.size(); ++i) {
    const DrawnFrame& frame = frames_[i];
    sum.interval += frame.interval;
    sum.times.simulate_host += frame.times.simulate_host;
    sum.times.draw_host += frame.times.draw_host;
    add(sum.times.simulate_device, frame.times.simulate_device);
    add(sum.times.draw_device, frame.times.draw_device);
  }
  const auto divisor = static_cast<double>(count);
  sum.interval /= divisor;
  sum.times.simulate_host /= divisor;
  sum.times.draw_host /= divisor;
  if (sum.times.simulate_device) *sum.times.simulate_device /= divisor;
  if (sum.times.draw_device) *sum.times.draw_device /= divisor;
  sum.update_count = frames_.back().update_count;
  sum.host_copied_bytes = frames_.back().host_copied_bytes;
  return sum;
}

UpdateTimes TimesHistory::mean_update() const {
  UpdateTimes mean;
  const size_t count = std::min(updates_.size(), MEAN_COUNT);
  for (size_t i = updates_.size() - count; i < updates_.size(); ++i) {
    mean.total += updates_[i].total / static_cast<float>(count);
    for (size_t k = 0; k < mean.stages.size(); ++k) mean.stages[k] += updates_[i].stages[k] / static_cast<float>(count);
  }
  return mean;
}

}  // namespace clothc_viewer
