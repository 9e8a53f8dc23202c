// times.h - what the last frames took: stages of the simulation, drawing, and what the host copied.
// Invariant: an update is listed once, when its times have arrived.
#pragma once

#include <array>
#include <clothc.hpp>
#include <cstdint>
#include <deque>
#include <optional>

namespace clothc_viewer {

// Milliseconds of a frame.
struct FrameTimes {
  // Wall time that the host spent in queueing updates, and in recording the drawing.
  double simulate_host = 0, draw_host = 0;

  // Time of the device; none if it cannot tell.
  std::optional<double> simulate_device, draw_device;
};

// Milliseconds of an update.
struct UpdateTimes {
  std::array<float, CLOTHC_STAGE_COUNT> stages = {};
  float total = 0;
};

// Of a drawn frame. simulate_host is the sum of its updates.
struct DrawnFrame {
  FrameTimes times;

  // Milliseconds from the last frame to this one.
  double interval = 0;
  uint32_t update_count = 0;
  uint64_t host_copied_bytes = 0;
};

class TimesHistory {
 public:
  static constexpr size_t MOST = 180;

  // host: milliseconds in which the update was queued.
  void add_step(double host, const std::optional<clothc_timers>& timers);

  // Adds a frame, with the updates since the last one. draw_device: of the last frame whose time is known.
  void add_frame(double interval, double draw_host, std::optional<double> draw_device, uint64_t host_copied_bytes);

  void clear();

  const std::deque<UpdateTimes>& updates() const { return updates_; }
  const std::deque<DrawnFrame>& frames() const { return frames_; }

  // Of the last update whose times are known.
  const std::optional<clothc_timers>& timers() const { return timers_; }

  // Means over the last frames and updates, which numbers are shown of, because single ones change too quickly.
  DrawnFrame mean_frame() const;
  UpdateTimes mean_update() const;

 private:
  std::deque<UpdateTimes> updates_;
  std::deque<DrawnFrame> frames_;
  std::optional<clothc_timers> timers_;

  // Since the last frame.
  double step_host_ = 0;
  uint32_t step_count_ = 0;
};

}  // namespace clothc_viewer
