// progress.h - a progress bar on stderr that shows the frame, the time per frame and the time left. It is drawn only if
// stderr is a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace clothc_tool {

class Progress {
 public:
  // label: what is being counted, for example "flag". total: number of frames.
  Progress(std::string label, uint32_t total);

  // Erases the bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Updates the bar after `done` frames; it is redrawn at most ten times a second.
  void show(uint32_t done);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  uint32_t total_;
  bool enabled_;
  bool drawn_ = false;
  Clock::time_point begin_;
  Clock::time_point last_;
};

}  // namespace clothc_tool
