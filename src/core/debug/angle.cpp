// angle.cpp - see angle.h.
#include "core/debug/angle.h"

#include <cmath>

namespace clothc {

double angle_of(double sine, double cosine) {
  const double length = std::sqrt(sine * sine + cosine * cosine);
  if (length == 0) return 0;
  if (cosine < 0) return (sine < 0 ? -pi : pi) - angle_of(sine, -cosine);
  // tan(t / 2) = sin t / (1 + cos t)
  double tangent = sine / (length + cosine);
  // tan(t / 2) = tan t / (1 + sqrt(1 + tan^2 t)), twice more: |t / 8| is at most pi / 16.
  for (int k = 0; k < 2; ++k) tangent = tangent / (1 + std::sqrt(1 + tangent * tangent));
  // atan z = z - z^3 / 3 + z^5 / 5 - ...; the terms from z^23 / 23 on are below 1e-17.
  const double square = tangent * tangent;
  double sum = 0;
  for (int n = 21; n >= 1; n -= 2) sum = 1.0 / n - sum * square;
  return 8 * tangent * sum;
}

double least_turn(double angle) {
  if (angle > pi) return angle - 2 * pi;
  if (angle < -pi) return angle + 2 * pi;
  return angle;
}

}  // namespace clothc
