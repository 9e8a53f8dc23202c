// pose.h - rotations and rigid transforms. They use only additions, multiplications, divisions and square roots, so
// that scenes are bit-identical with every C library.
#pragma once

#include "mesh/vector3.h"

namespace clothc_tool {

struct SineAndCosine {
  double sine, cosine;
};

// Returns sine and cosine of an angle in degrees, within 1e-13 and exact at multiples of 90 degrees.
SineAndCosine sine_and_cosine(double degrees);

// A unit quaternion.
struct Rotation {
  float w = 1, x = 0, y = 0, z = 0;
};

// Returns the counter-clockwise rotation as seen by a viewer who looks against the axis, a unit vector.
Rotation rotation_about(Vector3 axis, double degrees);

// Applies b first, then a.
Rotation operator*(const Rotation& a, const Rotation& b);

Vector3 rotated(const Rotation& rotation, Vector3 v);
Rotation inverse_of(const Rotation& rotation);
float dot(const Rotation& a, const Rotation& b);

// The argument must not be zero.
Rotation normalised(const Rotation& rotation);

// Interpolates linearly along the chord of the shorter arc and normalises the result.
Rotation interpolate(const Rotation& a, const Rotation& b, float t);

// Maps a point to the outer coordinate system: rotation * p + translation.
struct Pose {
  Vector3 translation;
  Rotation rotation;

  Vector3 operator()(Vector3 p) const { return rotated(rotation, p) + translation; }
};

Pose operator*(const Pose& outer, const Pose& inner);
Pose inverse_of(const Pose& pose);

}  // namespace clothc_tool
