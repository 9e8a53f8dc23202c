// interrupt.h - lets long computations poll between frames whether the user pressed Ctrl-C.
#pragma once

namespace clothc_tool {

// While an instance exists, the first SIGINT or SIGTERM only sets a flag. A second signal ends the program at once.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  static bool interrupted();
};

}  // namespace clothc_tool
