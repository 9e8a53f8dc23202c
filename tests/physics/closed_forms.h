// closed_forms.h - formulae of hanging chains, and the frequency of a measured signal, for the tests that compare them.
#pragma once

#include <cmath>
#include <vector>

namespace physics {

// Sag / span of a chain that hangs between two pins as a catenary, given length / span. With u = span / (2 a): length /
// span = sinh(u) / u and sag / span = (cosh(u) - 1) / (2 u).
inline double catenary_sag(double ratio) {
  double low = 1e-6, high = 20;
  for (int k = 0; k < 100; ++k) {
    const double u = (low + high) / 2;
    (std::sinh(u) / u < ratio ? low : high) = u;
  }
  return (std::cosh(low) - 1) / (2 * low);
}

// Returns the angular frequency of a signal sampled every dt, measured from its first to its last zero crossing.
inline double angular_frequency(const std::vector<double>& signal, double dt) {
  double first = -1, last = -1;
  int crossings = 0;
  for (size_t k = 1; k < signal.size(); ++k) {
    if ((signal[k - 1] < 0) == (signal[k] < 0)) continue;
    last = dt * (static_cast<double>(k) - signal[k] / (signal[k] - signal[k - 1]));
    if (crossings++ == 0) first = last;
  }
  return crossings < 3 ? 0 : std::acos(-1.0) * (crossings - 1) / (last - first);
}

}  // namespace physics
