// pose.cpp - the arithmetic of rotations. Source: Shoemake 1985, "Animating rotation with quaternion curves".
#include "scene/frames/pose.h"

namespace clothc_tool {
namespace {

constexpr double HALF_PI = 1.57079632679489661923;

// The series sum of (-x2)^k / ((first + 2) (first + 3) ...)!, which is cosine for first = 0 and sine / x for first = 1.
double series(double x2, int first) {
  double sum = 1, term = 1;
  for (int k = 1; k <= 9; ++k) {
    term *= -x2 / static_cast<double>((2 * k - 1 + first) * (2 * k + first));
    sum += term;
  }
  return sum;
}

}  // namespace

SineAndCosine sine_and_cosine(double degrees) {
  const double quarters = degrees / 90, nearest = std::floor(quarters + 0.5);
  // -pi/4 .. pi/4
  const double x = (quarters - nearest) * HALF_PI;
  const double sine = x * series(x * x, 1), cosine = series(x * x, 0);
  const double quadrant = nearest - 4 * std::floor(nearest / 4);
  if (quadrant == 0) return {sine, cosine};
  if (quadrant == 1) return {cosine, -sine};
  if (quadrant == 2) return {-sine, -cosine};
  return {-cosine, sine};
}

Rotation rotation_about(Vector3 axis, double degrees) {
  const SineAndCosine half = sine_and_cosine(degrees / 2);
  const auto sine = static_cast<float>(half.sine);
  return {static_cast<float>(half.cosine), sine * axis.x, sine * axis.y, sine * axis.z};
}

Rotation operator*(const Rotation& a, const Rotation& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

Vector3 rotated(const Rotation& rotation, Vector3 v) {
  const Vector3 q = {rotation.x, rotation.y, rotation.z};
  const Vector3 t = 2 * cross(q, v);
  return v + rotation.w * t + cross(q, t);
}

Rotation inverse_of(const Rotation& rotation) { return {rotation.w, -rotation.x, -rotation.y, -rotation.z}; }

float dot(const Rotation& a, const Rotation& b) { return a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z; }

Rotation normalised(const Rotation& rotation) {
  const float scale = 1 / std::sqrt(dot(rotation, rotation));
  return {rotation.w * scale, rotation.x * scale, rotation.y * scale, rotation.z * scale};
}

Rotation interpolate(const Rotation& a, const Rotation& b, float t) {
  const float u = dot(a, b) < 0 ? -t : t, s = 1 - t;
  return normalised({s * a.w + u * b.w, s * a.x + u * b.x, s * a.y + u * b.y, s * a.z + u * b.z});
}

Pose operator*(const Pose& outer, const Pose& inner) {
  return {outer(inner.translation), outer.rotation * inner.rotation};
}

Pose inverse_of(const Pose& pose) {
  const Rotation back = inverse_of(pose.rotation);
  return {-rotated(back, pose.translation), back};
}

}  // namespace clothc_tool
