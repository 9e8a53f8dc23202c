// stiffness_log.cpp - owns a logarithm that uses only + - * /. Its values affect the simulation, so they must be the
// same on all platforms, which those of the standard library are not. The relative error is below 1e-13 before the
// result is rounded to float.
#include "cook/constraints/stiffness_log.h"

#include <cstdint>
#include <cstring>

namespace clothc::cook {
namespace {

constexpr double two_over_ln2 = 2.8853900817779268147;

// Returns log2((1 + z) / (1 - z)) = 2 / ln 2 (z + z^3 / 3 + z^5 / 5 + ...) for |z| <= 0.2. The terms from z^25 / 25 on
// are left out.
double log2_of_ratio(double z) {
  const double square = z * z;
  double sum = 0;
  for (int n = 23; n >= 1; n -= 2) sum = sum * square + 1.0 / n;
  return two_over_ln2 * z * sum;
}

}  // namespace

float log2_of_one_minus(float stiffness) {
  if (stiffness >= 1) return -128.0f;
  if (stiffness <= 0) return 0.0f;
  const double s = double{stiffness};
  // z = (x - 1) / (x + 1) with x = 1 - s. For small s it is computed from s, so that x need not be rounded first.
  if (s < 0.25) return static_cast<float>(log2_of_ratio(-s / (2 - s)));
  const double x = 1 - s;
  uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  // Split x into mantissa 2^exponent with the mantissa in [0.75, 1.5): where it would be 1.5 or more, it is halved and
  // the exponent is raised by 1.
  int exponent = static_cast<int>(bits >> 52) - 1023;
  const bool upper = (bits >> 51 & 1) != 0;
  exponent += upper;
  const uint64_t biased = upper ? 1022u : 1023u;
  bits = (bits & ((uint64_t{1} << 52) - 1)) | biased << 52;
  double mantissa;
  std::memcpy(&mantissa, &bits, sizeof mantissa);
  return static_cast<float>(exponent + log2_of_ratio((mantissa - 1) / (mantissa + 1)));
}

}  // namespace clothc::cook
