// math_test.cpp - the dialect's mathematics: minima with a defined result for NaN, interpolation that ends exactly at
// the target, bounds, and rough reciprocals.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "unit/kernels/scalar_functions.h"

namespace clothc::scalar_functions::math_test {
namespace {

constexpr float quiet_nan = __builtin_nanf("");

TEST(Minimum, takes_the_second_unless_the_first_is_less) {
  EXPECT_EQ(minimum(1.0f, 2.0f), 1.0f);
  EXPECT_EQ(minimum(2.0f, 1.0f), 1.0f);
  EXPECT_EQ(minimum(quiet_nan, 1.0f), 1.0f);
  EXPECT_TRUE(std::isnan(minimum(1.0f, quiet_nan)));
  EXPECT_TRUE(std::signbit(minimum(0.0f, -0.0f)));
}

TEST(Maximum, takes_the_second_unless_the_first_is_greater) {
  EXPECT_EQ(maximum(1.0f, 2.0f), 2.0f);
  EXPECT_EQ(maximum(2.0f, 1.0f), 2.0f);
  EXPECT_EQ(maximum(quiet_nan, 1.0f), 1.0f);
  EXPECT_TRUE(std::isnan(maximum(1.0f, quiet_nan)));
  EXPECT_TRUE(std::signbit(maximum(0.0f, -0.0f)));
}

TEST(Absolute, only_drops_the_sign) {
  EXPECT_EQ(absolute(-2.5f), 2.5f);
  EXPECT_FALSE(std::signbit(absolute(-0.0f)));
  EXPECT_EQ(absolute(-INFINITY), INFINITY);
}

TEST(Dot3, adds_from_left_to_right) {
  const real3 a = {1e8f, 1.0f, -1e8f}, ones = {1.0f, 1.0f, 1.0f};
  // Rounding gives (1e8 + 1) - 1e8 = 0.
  EXPECT_EQ(dot3(a, ones), 0.0f);
  EXPECT_EQ(dot3({1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}), 32.0f);
}

TEST(Cross3, is_right_handed) {
  const real3 z = cross3({1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f});
  EXPECT_EQ(z.x, 0.0f);
  EXPECT_EQ(z.y, 0.0f);
  EXPECT_EQ(z.z, 1.0f);
}

TEST(Interpolate, ends_exactly) {
  EXPECT_EQ(interpolate(0.1f, 0.7f, 0.0f), 0.1f);
  EXPECT_EQ(interpolate(0.1f, 0.7f, 1.0f), 0.7f);
  // 1e8 + (0.7 - 1e8) would be 0.
  EXPECT_EQ(interpolate(1e8f, 0.7f, 1.0f), 0.7f);
  EXPECT_FLOAT_EQ(interpolate(2.0f, 4.0f, 0.25f), 2.5f);
}

TEST(IsBounded, is_false_for_what_no_range_allows) {
  EXPECT_TRUE(is_bounded(0.0f));
  EXPECT_TRUE(is_bounded(-1e9f));
  EXPECT_FALSE(is_bounded(1.001e9f));
  EXPECT_FALSE(is_bounded(INFINITY));
  EXPECT_FALSE(is_bounded(-INFINITY));
  EXPECT_FALSE(is_bounded(quiet_nan));
  EXPECT_FALSE(is_bounded3({0.0f, quiet_nan, 0.0f}));
}

TEST(RoughReciprocal, is_at_most_1_3_per_cent_too_small) {
  double least = 1, most = 0;
  for (uint32_t bits = 0x01000000u; bits < 0x7e800000u; bits += 997) {
    float value;
    std::memcpy(&value, &bits, 4);
    const double product = double{value} * double{rough_reciprocal(value)};
    least = std::fmin(least, product);
    most = std::fmax(most, product);
  }
  EXPECT_GT(least, 1 - 0.013);
  EXPECT_LT(most, 1 + 1e-6);
}

TEST(RoughReciprocal, is_finite_at_zero) {
  EXPECT_TRUE(std::isfinite(rough_reciprocal(0.0f)));
  EXPECT_EQ(0.0f * rough_reciprocal(0.0f), 0.0f);
}

}  // namespace
}  // namespace clothc::scalar_functions::math_test
