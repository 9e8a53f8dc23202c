// angle.h - angles from their sines and cosines, computed by + - * / and square roots only, so that they have the same
// bits on every machine.
#pragma once

namespace clothc {

constexpr double pi = 3.14159265358979323846;

// Returns the angle of the direction (cosine, sine), which need not have the length 1, in -pi .. pi; 0 if both are 0.
double angle_of(double sine, double cosine);
// Returns an angle of at most 2 pi as one in -pi .. pi.
double least_turn(double angle);

}  // namespace clothc
