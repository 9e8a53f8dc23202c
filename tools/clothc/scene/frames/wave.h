// wave.h - a smooth approximation of a sine that uses only additions and multiplications, so that scenes are
// bit-identical with every C library.
#pragma once

#include <cmath>

namespace clothc_tool {

// Approximates sin(2 pi phase) within 0.002 by two parabolas and a correction. Exact at multiples of a quarter.
inline float wave(double phase) {
  // -1 .. 1 over one period
  const double x = 2 * (phase - std::floor(phase + 0.5));
  const double parabola = 4 * x * (1 - std::fabs(x));
  return static_cast<float>(parabola + 0.225 * parabola * (std::fabs(parabola) - 1));
}

}  // namespace clothc_tool
