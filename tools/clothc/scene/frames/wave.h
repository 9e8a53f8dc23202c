// wave.h - a smooth wave that looks like a sine and is made of additions and multiplications only, so that scenes have
// the same bits with every C library.
#pragma once

#include <cmath>

namespace clothc_tool {

// Near sin(2 pi phase), within 0.002: two parabolas, refined. Exact at multiples of a quarter.
inline float wave(double phase) {
  const double x = 2 * (phase - std::floor(phase + 0.5));  // -1 .. 1 over a period
  const double parabola = 4 * x * (1 - std::fabs(x));
  return static_cast<float>(parabola + 0.225 * parabola * (std::fabs(parabola) - 1));
}

}  // namespace clothc_tool
