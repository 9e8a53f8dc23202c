// progress.h - a progress bar on stderr: frame, ms per frame, time left. Draws only on a terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace clothc_tool {

class Progress {
 public:
  // What is counted, such as "flag"; total in frames.
  Progress(std::string label, uint32_t total);
  // Erases the bar.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Redraws at most ten times a second.
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
