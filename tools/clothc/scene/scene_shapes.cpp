// scene_shapes.cpp - places shapes by their keyframes and coordinate frames, and makes capsules of spheres.
#include "scene_shapes.h"

#include <algorithm>
#include <cmath>

#include "frame_poses.h"

namespace clothc_tool {
namespace {

// Between spheres of radius r that are d apart, the surface sags by r - sqrt(r^2 - d^2 / 4); of d = 0.28 r that is 0.985 %.
// Where the radii differ, their common tangent touches them less than d apart, and the smaller radius is the worse one.
constexpr float LARGEST_SPACING = 0.28f;  // in radii

SphereState placed(const Pose& pose, const SphereState& sphere) { return {pose(sphere.center), sphere.radius}; }

ScenePlane placed(const Pose& pose, const ScenePlane& plane) {
  const Vector3 normal = rotated(pose.rotation, plane.normal);
  return {normal, plane.offset - dot(normal, pose.translation)};
}

}  // namespace

SceneShapes shapes_at(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time,
                      uint32_t outer) {
  SceneShapes shapes;
  for (const auto& sphere : colliders.spheres) {
    shapes.spheres.push_back(placed(pose_between(frames, outer, sphere.frame, time), value_at(sphere.shape, time)));
  }
  for (const auto& capsule : colliders.capsules) {
    const Pose pose = pose_between(frames, outer, capsule.frame, time);
    const CapsuleState state = value_at(capsule.shape, time);
    shapes.capsules.push_back({placed(pose, state.from), placed(pose, state.to)});
  }
  for (const auto& plane : colliders.planes) {
    shapes.planes.push_back(placed(pose_between(frames, outer, plane.frame, time), plane.shape));
  }
  for (const auto& convex : colliders.convexes) {
    const Pose pose = pose_between(frames, outer, convex.frame, time);
    shapes.convexes.emplace_back();
    for (const ScenePlane& plane : convex.shape) shapes.convexes.back().push_back(placed(pose, plane));
  }
  return shapes;
}

bool moves(const SceneColliders& colliders, uint32_t outer) {
  const auto is_keyframed = [&](const auto& shape) { return shape.shape.size() > 1 || shape.frame != outer; };
  const auto is_attached = [&](const auto& shape) { return shape.frame != outer; };
  return std::any_of(colliders.spheres.begin(), colliders.spheres.end(), is_keyframed) ||
         std::any_of(colliders.capsules.begin(), colliders.capsules.end(), is_keyframed) ||
         std::any_of(colliders.planes.begin(), colliders.planes.end(), is_attached) ||
         std::any_of(colliders.convexes.begin(), colliders.convexes.end(), is_attached);
}

// Enough at every keyframe is enough between them: there, lengths are convex functions of time and the smaller radius a
// concave one, so that their ratio is largest at a keyframe.
uint32_t spheres_along(const Keyframes<CapsuleState>& capsule) {
  float spacings = 0;
  for (const auto& key : capsule) {
    const float radius = std::min(key.value.from.radius, key.value.to.radius);
    spacings = std::max(spacings, length(key.value.to.center - key.value.from.center) / (LARGEST_SPACING * radius));
  }
  return 1 + static_cast<uint32_t>(std::ceil(spacings));
}

void append_spheres(const CapsuleState& capsule, uint32_t count, std::vector<SphereState>& spheres) {
  const float last = static_cast<float>(std::max(count, 2u) - 1);
  for (uint32_t i = 0; i < count; ++i) {
    spheres.push_back(interpolate(capsule.from, capsule.to, static_cast<float>(i) / last));
  }
}

}  // namespace clothc_tool
