// interrupt.h - Ctrl-C as a question that long work asks between frames.
#pragma once

namespace clothc_tool {

// While one of these lives, SIGINT and SIGTERM only set a flag; a second signal ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
};

}  // namespace clothc_tool
