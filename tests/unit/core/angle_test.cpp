// angle_test.cpp - compares angles with those of the C library.
#include "core/debug/angle.h"

#include <gtest/gtest.h>

#include <cmath>

namespace clothc::angle_test {
namespace {

TEST(Angles, are_those_of_their_sines_and_cosines) {
  for (int k = -1800; k <= 1800; ++k) {
    const double angle = k * pi / 1800, size = std::exp2(k % 40);
    EXPECT_NEAR(angle_of(size * std::sin(angle), size * std::cos(angle)), angle, 1e-15) << k;
  }
  EXPECT_EQ(angle_of(0, 0), 0);
  EXPECT_EQ(angle_of(0, 1), 0);
  EXPECT_EQ(angle_of(0, -1), pi);
  EXPECT_NEAR(angle_of(-1e-300, -1), -pi, 1e-15);
}

TEST(Angles, take_the_shorter_way_around) {
  EXPECT_EQ(least_turn(1), 1);
  EXPECT_EQ(least_turn(-pi), -pi);
  EXPECT_NEAR(least_turn(4), 4 - 2 * pi, 1e-15);
  EXPECT_NEAR(least_turn(-4), 2 * pi - 4, 1e-15);
}

}  // namespace
}  // namespace clothc::angle_test
