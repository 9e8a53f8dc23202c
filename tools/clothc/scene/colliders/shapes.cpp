// shapes.cpp - transforms shapes by their keyframes and coordinate frames.
#include "scene/colliders/shapes.h"

#include <algorithm>

#include "scene/frames/poses.h"
#include "scene/frames/wave.h"

namespace clothc_tool {
namespace {

SphereState transformed(const Pose& pose, const SphereState& sphere) { return {pose(sphere.center), sphere.radius}; }

CapsuleState transformed(const Pose& pose, const CapsuleState& capsule) {
  return {transformed(pose, capsule.from), transformed(pose, capsule.to)};
}

SolidState transformed(const Pose& pose, const SolidState& solid) {
  return {pose(solid.center), pose.rotation * solid.rotation, solid.half_size};
}

ScenePlane transformed(const Pose& pose, const ScenePlane& plane) {
  const Vector3 normal = rotated(pose.rotation, plane.normal);
  return {normal, plane.offset - dot(normal, pose.translation)};
}

}  // namespace

SceneShapes shapes_at(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time,
                      uint32_t outer) {
  SceneShapes shapes;
  const auto transform_all = [&](const auto& keyframed, auto& states) {
    for (const auto& shape : keyframed)
      states.push_back(transformed(pose_between(frames, outer, shape.frame, time), value_at(shape.shape, time)));
  };
  transform_all(colliders.spheres, shapes.spheres);
  transform_all(colliders.capsules, shapes.capsules);
  transform_all(colliders.ellipsoids, shapes.ellipsoids);
  transform_all(colliders.boxes, shapes.boxes);
  for (const auto& plane : colliders.planes) {
    shapes.planes.push_back(transformed(pose_between(frames, outer, plane.frame, time), plane.shape));
  }
  for (const auto& convex : colliders.convexes) {
    const Pose pose = pose_between(frames, outer, convex.frame, time);
    shapes.convexes.emplace_back();
    for (const ScenePlane& plane : convex.shape) shapes.convexes.back().push_back(transformed(pose, plane));
  }
  return shapes;
}

InstanceTransform transform_at(const std::vector<SceneFrame>& frames, const Attached<SceneMeshInstance>& instance,
                               float time, uint32_t outer) {
  const InstanceTransform transform = value_at(instance.shape.transform, time);
  if (instance.frame == outer) return transform;
  const Pose pose = pose_between(frames, outer, instance.frame, time);
  return {pose(transform.translation), pose.rotation * transform.rotation, transform.scale};
}

std::vector<Vector3> vertices_at(const std::vector<SceneFrame>& frames, const Attached<SceneMeshInstance>& instance,
                                 float time, uint32_t outer) {
  const InstanceTransform transform = transform_at(frames, instance, time, outer);
  const Pose pose = {transform.translation, transform.rotation};
  std::vector<Vector3> vertices = instance.shape.mesh->positions;
  for (Vector3& vertex : vertices) vertex = pose(vertex * transform.scale);
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

bool moves(const Attached<SceneMeshInstance>& instance, uint32_t outer) {
  return instance.frame != outer || instance.shape.transform.size() > 1;
}

bool moves(const Attached<SceneTriangles>& triangles, uint32_t outer) {
  return triangles.frame != outer || !triangles.shape.swings.empty();
}

}  // namespace clothc_tool
