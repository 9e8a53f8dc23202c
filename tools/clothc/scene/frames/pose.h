// pose.h - rotations and rigid placements. Made of additions, multiplications, divisions and square roots only, so that
// scenes have the same bits with every C library.
#pragma once

#include "mesh/vector3.h"

namespace clothc_tool {

struct SineAndCosine {
  double sine, cosine;
};
// Of an angle in degrees, within 1e-13; exact at multiples of 90 degrees.
SineAndCosine sine_and_cosine(double degrees);

// A unit quaternion.
struct Rotation {
  float w = 1, x = 0, y = 0, z = 0;
};

// axis: a unit vector; counterclockwise for who looks against it.
Rotation rotation_about(Vector3 axis, double degrees);
Rotation operator*(const Rotation& a, const Rotation& b);  // b, then a
Vector3 rotated(const Rotation& rotation, Vector3 v);
Rotation inverse_of(const Rotation& rotation);
float dot(const Rotation& a, const Rotation& b);
Rotation normalised(const Rotation& rotation);                        // which is not zero
Rotation interpolate(const Rotation& a, const Rotation& b, float t);  // the shorter way; at even speed along the chord

// p in the outer system = rotation * p + translation.
struct Pose {
  Vector3 translation;
  Rotation rotation;

  Vector3 operator()(Vector3 p) const { return rotated(rotation, p) + translation; }
};

Pose operator*(const Pose& outer, const Pose& inner);
Pose inverse_of(const Pose& pose);

}  // namespace clothc_tool
