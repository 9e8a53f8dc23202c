// shapes.cpp - places shapes by their keyframes and coordinate frames.
#include "scene/colliders/shapes.h"

#include <algorithm>

#include "scene/frames/poses.h"
#include "scene/frames/wave.h"

namespace clothc_tool {
namespace {

SphereState placed(const Pose& pose, const SphereState& sphere) { return {pose(sphere.center), sphere.radius}; }

CapsuleState placed(const Pose& pose, const CapsuleState& capsule) {
  return {placed(pose, capsule.from), placed(pose, capsule.to)};
}

SolidState placed(const Pose& pose, const SolidState& solid) {
  return {pose(solid.center), pose.rotation * solid.rotation, solid.half_size};
}

ScenePlane placed(const Pose& pose, const ScenePlane& plane) {
  const Vector3 normal = rotated(pose.rotation, plane.normal);
  return {normal, plane.offset - dot(normal, pose.translation)};
}

}  // namespace

SceneShapes shapes_at(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time,
                      uint32_t outer) {
  SceneShapes shapes;
  const auto place_all = [&](const auto& keyframed, auto& states) {
    for (const auto& shape : keyframed)
      states.push_back(placed(pose_between(frames, outer, shape.frame, time), value_at(shape.shape, time)));
  };
  place_all(colliders.spheres, shapes.spheres);
  place_all(colliders.capsules, shapes.capsules);
  place_all(colliders.ellipsoids, shapes.ellipsoids);
  place_all(colliders.boxes, shapes.boxes);
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

BodyPlacement placement_at(const std::vector<SceneFrame>& frames, const Attached<SceneBody>& body, float time,
                           uint32_t outer) {
  const BodyPlacement placement = value_at(body.shape.placement, time);
  if (body.frame == outer) return placement;
  const Pose pose = pose_between(frames, outer, body.frame, time);
  return {pose(placement.translation), pose.rotation * placement.rotation, placement.scale};
}

std::vector<Vector3> vertices_at(const std::vector<SceneFrame>& frames, const Attached<SceneBody>& body, float time,
                                 uint32_t outer) {
  const BodyPlacement placement = placement_at(frames, body, time, outer);
  const Pose pose = {placement.translation, placement.rotation};
  std::vector<Vector3> vertices = body.shape.mesh->positions;
  for (Vector3& vertex : vertices) vertex = pose(vertex * placement.scale);
  return vertices;
}

std::vector<Vector3> vertices_at(const std::vector<SceneFrame>& frames, const Attached<SceneTriangles>& triangles,
                                 float time, uint32_t outer) {
  const SceneTriangles& mesh = triangles.shape;
  std::vector<Vector3> vertices = mesh.positions;
  if (!mesh.swings.empty()) {
    const float part = wave(static_cast<double>(time) / static_cast<double>(mesh.swing_period));
    for (size_t i = 0; i < vertices.size(); ++i) vertices[i] += mesh.swings[i] * part;
  }
  if (triangles.frame == outer) return vertices;
  const Pose pose = pose_between(frames, outer, triangles.frame, time);
  for (Vector3& vertex : vertices) vertex = pose(vertex);
  return vertices;
}

bool moves(const SceneColliders& colliders, uint32_t outer) {
  const auto any_keyframed = [&](const auto& shapes) {
    return std::any_of(shapes.begin(), shapes.end(),
                       [&](const auto& shape) { return shape.shape.size() > 1 || shape.frame != outer; });
  };
  const auto any_attached = [&](const auto& shapes) {
    return std::any_of(shapes.begin(), shapes.end(), [&](const auto& shape) { return shape.frame != outer; });
  };
  return any_keyframed(colliders.spheres) || any_keyframed(colliders.capsules) || any_keyframed(colliders.ellipsoids) ||
         any_keyframed(colliders.boxes) || any_attached(colliders.planes) || any_attached(colliders.convexes);
}

bool moves(const Attached<SceneBody>& body, uint32_t outer) {
  return body.frame != outer || body.shape.placement.size() > 1;
}

bool moves(const Attached<SceneTriangles>& triangles, uint32_t outer) {
  return triangles.frame != outer || !triangles.shape.swings.empty();
}

}  // namespace clothc_tool
