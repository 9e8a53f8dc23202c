// input.cpp - writes colliders to the library at their poses at the end of a frame; the library moves them there from
// their previous poses.
#include "scene/document/inputs.h"
#include "scene/colliders/shapes.h"

namespace clothc_tool {
namespace {

class ColliderInput : public FrameInput {
 public:
  ColliderInput(const std::vector<SceneFrame>& frames, const SceneColliders& colliders,
                const FramedColliderSet& collider_set)
      : frames_(frames), colliders_(colliders), collider_set_(collider_set) {}
  void apply(const clothc::Solver&, uint32_t frame) override {
    write_colliders(collider_set_, frames_, colliders_, frame);
  }

 private:
  const std::vector<SceneFrame>& frames_;
  const SceneColliders& colliders_;
  FramedColliderSet collider_set_;
};

class TriangleInput : public FrameInput {
 public:
  TriangleInput(const std::vector<SceneFrame>& frames, const Attached<SceneTriangles>& triangles,
                const FramedColliderSet& collider_set)
      : frames_(frames), triangles_(triangles), collider_set_(collider_set) {}
  void apply(const clothc::Solver&, uint32_t frame) override {
    write_triangles(collider_set_, frames_, triangles_, frame);
  }

 private:
  const std::vector<SceneFrame>& frames_;
  const Attached<SceneTriangles>& triangles_;
  FramedColliderSet collider_set_;
};

void append(std::vector<float>& values, Vector3 v, float w) { values.insert(values.end(), {v.x, v.y, v.z, w}); }

void append(std::vector<float>& values, const SolidState& solid) {
  const Vector3 p = solid.center, size = solid.half_size;
  const Rotation q = solid.rotation;
  values.insert(values.end(), {p.x, p.y, p.z, q.x, q.y, q.z, q.w, size.x, size.y, size.z});
}

// All shapes at one time in the layout of clothc_collider_shapes. The spheres of capsules come in pairs after all
// others.
struct ShapeArrays {
  std::vector<float> spheres, ellipsoids, boxes, planes;
  std::vector<uint32_t> capsules, convex_ends;

  ShapeArrays(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time, uint32_t outer) {
    const SceneShapes shapes = shapes_at(frames, colliders, time, outer);
    for (const SphereState& sphere : shapes.spheres) append(spheres, sphere.center, sphere.radius);
    for (const CapsuleState& capsule : shapes.capsules) add_capsule(capsule);
    for (const SolidState& ellipsoid : shapes.ellipsoids) append(ellipsoids, ellipsoid);
    for (const SolidState& box : shapes.boxes) append(boxes, box);
    // A half-space is a convex with one plane.
    for (const ScenePlane& plane : shapes.planes) add_convex({plane});
    for (const auto& convex : shapes.convexes) add_convex(convex);
  }

 private:
  void add_capsule(const CapsuleState& capsule) {
    for (const SphereState& end : {capsule.from, capsule.to}) {
      capsules.push_back(static_cast<uint32_t>(spheres.size() / 4));
      append(spheres, end.center, end.radius);
    }
  }
  void add_convex(const std::vector<ScenePlane>& convex) {
    for (const ScenePlane& plane : convex) append(planes, plane.normal, plane.offset);
    convex_ends.push_back(static_cast<uint32_t>(planes.size() / 4));
  }
};

template <typename T>
uint32_t rows(const std::vector<T>& values, size_t columns) {
  return static_cast<uint32_t>(values.size() / columns);
}

void set_starts(const ShapeArrays& start, clothc_collider_shapes& shapes) {
  shapes.sphere_starts = start.spheres.data();
  shapes.ellipsoid_starts = start.ellipsoids.data();
  shapes.box_starts = start.boxes.data();
  shapes.plane_starts = start.planes.data();
}

}  // namespace

std::unique_ptr<FrameInput> make_collider_input(const std::vector<SceneFrame>& frames, const SceneColliders& colliders,
                                                const FramedColliderSet& collider_set) {
  if (!moves(colliders, collider_set.frame)) return nullptr;
  return std::make_unique<ColliderInput>(frames, colliders, collider_set);
}

std::unique_ptr<FrameInput> make_triangle_input(const std::vector<SceneFrame>& frames,
                                                const Attached<SceneTriangles>& triangles,
                                                const FramedColliderSet& collider_set) {
  if (!moves(triangles, collider_set.frame)) return nullptr;
  return std::make_unique<TriangleInput>(frames, triangles, collider_set);
}

void write_colliders(const FramedColliderSet& collider_set, const std::vector<SceneFrame>& frames,
                     const SceneColliders& colliders, uint32_t frame) {
  const ShapeArrays target(frames, colliders, static_cast<float>(frame), collider_set.frame);
  std::optional<ShapeArrays> start;
  auto shapes = clothc::initialised<clothc_collider_shapes>();
  shapes.space = collider_set.space;
  shapes.sphere_count = rows(target.spheres, 4);
  shapes.spheres = target.spheres.data();
  shapes.capsule_count = rows(target.capsules, 2);
  shapes.capsules = target.capsules.data();
  shapes.ellipsoid_count = rows(target.ellipsoids, 10);
  shapes.ellipsoids = target.ellipsoids.data();
  shapes.box_count = rows(target.boxes, 10);
  shapes.boxes = target.boxes.data();
  shapes.plane_count = rows(target.planes, 4);
  shapes.planes = target.planes.data();
  if (needs_start(frame)) set_starts(start.emplace(frames, colliders, 0.0f, collider_set.frame), shapes);
  std::vector<uint32_t> members;
  if (!colliders.convexes.empty()) {
    for (uint32_t i = 0; i < shapes.plane_count; ++i) members.push_back(i);
    shapes.convex_count = rows(target.convex_ends, 1);
    shapes.convex_ends = target.convex_ends.data();
    shapes.convex_planes = members.data();
  }
  collider_set.set.write(shapes).check();
}

void write_triangles(const FramedColliderSet& collider_set, const std::vector<SceneFrame>& frames,
                     const Attached<SceneTriangles>& triangles, uint32_t frame) {
  const std::vector<Vector3> target = vertices_at(frames, triangles, static_cast<float>(frame), collider_set.frame);
  std::vector<Vector3> start;
  auto shapes = clothc::initialised<clothc_collider_shapes>();
  shapes.space = collider_set.space;
  shapes.vertex_count = rows(target, 1);
  shapes.vertices = &target[0].x;
  if (needs_start(frame)) {
    start = vertices_at(frames, triangles, 0, collider_set.frame);
    shapes.vertex_starts = &start[0].x;
  }
  shapes.triangle_count = rows(triangles.shape.triangles, 3);
  shapes.triangles = triangles.shape.triangles.data();
  shapes.triangle_reach = triangles.shape.reach;
  collider_set.set.write(shapes).check();
}

}  // namespace clothc_tool
