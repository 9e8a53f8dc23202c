// stopwatch.h - the time since an object of it was made.
#pragma once

#include <chrono>

namespace clothc_test {

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace clothc_test
