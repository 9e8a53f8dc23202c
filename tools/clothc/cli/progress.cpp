// progress.cpp - redraws the progress bar in place by a carriage return and erases it at the end.
#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace clothc_tool {

Progress::Progress(std::string label, uint32_t total)
    : label_(std::move(label)), total_(total), enabled_(isatty(STDERR_FILENO) != 0), begin_(Clock::now()) {}

Progress::~Progress() {
  if (drawn_) std::fprintf(stderr, "\r\033[K");
}

void Progress::show(uint32_t done) {
  const auto now = Clock::now();
  if (!enabled_ || done == 0 || (drawn_ && now - last_ < std::chrono::milliseconds(100))) return;
  last_ = now;
  drawn_ = true;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const double per_frame = seconds / done;
  constexpr int width = 30;
  const int filled = static_cast<int>(uint64_t{width} * std::min(done, total_) / std::max(total_, 1u));
  const std::string bar = std::string(filled, '#') + std::string(width - filled, '.');
  std::fprintf(stderr, "\r%s [%s] frame %u/%u  %.2f ms/frame  %.0f s left\033[K", label_.c_str(), bar.c_str(), done,
               total_, 1000 * per_frame, per_frame * (total_ - std::min(done, total_)));
  std::fflush(stderr);
}

}  // namespace clothc_tool
