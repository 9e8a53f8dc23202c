// frame_motion.h - poses of cloths' frames in double precision, as a translation and a rotation vector, and their
// conversion to the structs of the API.
#pragma once

#include <algorithm>
#include <cmath>

#include "support/world.h"

namespace physics {

struct Vector3 {
  double x = 0, y = 0, z = 0;
};
inline Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vector3 operator*(const Vector3& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline double dot(const Vector3& a, const Vector3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double length(const Vector3& v) { return std::sqrt(dot(v, v)); }

// Returns v rotated by a rotation vector (axis times angle). Source: Rodrigues.
inline Vector3 rotated(const Vector3& turn, const Vector3& v) {
  const double angle = length(turn);
  if (angle == 0) return v;
  const Vector3 axis = turn * (1 / angle);
  return v * std::cos(angle) + cross(axis, v) * std::sin(angle) + axis * (dot(axis, v) * (1 - std::cos(angle)));
}

struct FramePose {
  Vector3 translation;

  // Rotation vector in rad.
  Vector3 turn;
};

inline void write_pose(const FramePose& pose, float (&translation)[3], float (&rotation)[4]) {
  const double angle = length(pose.turn);
  const double part = angle == 0 ? 0 : std::sin(angle / 2) / angle;
  const double t[3] = {pose.translation.x, pose.translation.y, pose.translation.z};
  const double q[4] = {pose.turn.x * part, pose.turn.y * part, pose.turn.z * part, std::cos(angle / 2)};
  std::transform(t, t + 3, translation, [](double v) { return static_cast<float>(v); });
  std::transform(q, q + 4, rotation, [](double v) { return static_cast<float>(v); });
}

inline clothc_cloth_frame frame_at(const FramePose& pose, uint32_t flags = 0) {
  auto frame = initialised<clothc_cloth_frame>();
  frame.flags = flags;
  write_pose(pose, frame.translation, frame.rotation);
  return frame;
}

// Makes the frame start the next update at a pose. Its target is there too, unless another one is set.
inline void start_at(World& world, clothc_cloth_id cloth, const FramePose& pose) {
  clothc_cloth_frame frame = frame_at(pose, CLOTHC_FRAME_START);
  write_pose(pose, frame.start_translation, frame.start_rotation);
  world.set_frame(cloth, frame);
}

}  // namespace physics
