// rotation.cpp - reads rotations and rejects ambiguous arcs between keyframes.
#include "scene/frames/rotation.h"

namespace clothc_tool {
namespace {

// Smallest cosine of half the angle between keyframes, which allows 168.5 degrees.
constexpr float SMALLEST_COSINE = 0.1f;

}  // namespace

Vector3 read_axis(const SceneField& object, Vector3 absent) {
  const auto axis = object.find("axis");
  return axis ? axis->direction() : absent;
}

Rotation read_rotation(const SceneField& object) {
  const auto rotation = object.find("rotation");
  if (!rotation) return {};
  rotation->only({"axis", "degrees"});
  const float degrees = rotation->member("degrees").number(-LARGEST_ANGLE, LARGEST_ANGLE);
  return rotation_about(read_axis(*rotation, DEFAULT_AXIS), static_cast<double>(degrees));
}

void check_arc(const SceneField& keyframe, const Rotation& a, const Rotation& b) {
  if (std::fabs(dot(a, b)) >= SMALLEST_COSINE) return;
  keyframe.fail(
      "it is half a turn away from the keyframe before, and which way around is open; add a keyframe between them");
}

}  // namespace clothc_tool
