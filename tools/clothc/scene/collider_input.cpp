// collider_input.cpp - gives colliders to the library as they stand at a frame, coming from the frame before.
#include <algorithm>

#include "scene_inputs.h"
#include "scene_shapes.h"

namespace clothc_tool {
namespace {

class ColliderInput : public FrameInput {
 public:
  ColliderInput(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, const PlacedColliders& placed)
      : frames_(frames), colliders_(colliders), placed_(placed) {}
  void apply(clothc_solver solver, uint32_t frame) override {
    write_colliders(solver, placed_, frames_, colliders_, frame);
  }

 private:
  const std::vector<SceneFrame>& frames_;
  const SceneColliders& colliders_;
  PlacedColliders placed_;
};

void append(std::vector<float>& values, Vector3 v, float w) { values.insert(values.end(), {v.x, v.y, v.z, w}); }

// Shapes at one time as the library takes them: spheres as x y z radius, planes as nx ny nz d.
struct ShapeArrays {
  std::vector<float> spheres, planes;
  std::vector<uint32_t> convex_ends;

  ShapeArrays(const std::vector<SceneFrame>& frames, const SceneColliders& colliders, float time, uint32_t outer) {
    SceneShapes shapes = shapes_at(frames, colliders, time, outer);
    for (size_t i = 0; i < shapes.capsules.size(); ++i) {
      append_spheres(shapes.capsules[i], spheres_along(colliders.capsules[i].shape), shapes.spheres);
    }
    for (const SphereState& sphere : shapes.spheres) append(spheres, sphere.center, sphere.radius);
    for (const ScenePlane& plane : shapes.planes) add_convex({plane});  // a half-space is a convex of one plane
    for (const auto& convex : shapes.convexes) add_convex(convex);
  }

 private:
  void add_convex(const std::vector<ScenePlane>& convex) {
    for (const ScenePlane& plane : convex) append(planes, plane.normal, plane.offset);
    convex_ends.push_back(static_cast<uint32_t>(planes.size() / 4));
  }
};

}  // namespace

std::unique_ptr<FrameInput> make_collider_input(const std::vector<SceneFrame>& frames, const SceneColliders& colliders,
                                                const PlacedColliders& placed) {
  if (!moves(colliders, placed.frame)) return nullptr;
  return std::make_unique<ColliderInput>(frames, colliders, placed);
}

void write_colliders(clothc_solver solver, const PlacedColliders& placed, const std::vector<SceneFrame>& frames,
                     const SceneColliders& colliders, uint32_t frame) {
  const ShapeArrays target(frames, colliders, static_cast<float>(frame), placed.frame);
  const ShapeArrays start(frames, colliders, static_cast<float>(std::max(frame, 1u) - 1), placed.frame);
  auto shapes = initialised<clothc_collider_shapes>();
  shapes.sphere_count = static_cast<uint32_t>(target.spheres.size() / 4);
  shapes.spheres = target.spheres.data();
  shapes.sphere_starts = start.spheres.data();
  shapes.plane_count = static_cast<uint32_t>(target.planes.size() / 4);
  shapes.planes = target.planes.data();
  shapes.plane_starts = start.planes.data();
  std::vector<uint32_t> members;
  if (!colliders.convexes.empty()) {
    for (uint32_t i = 0; i < shapes.plane_count; ++i) members.push_back(i);
    shapes.convex_count = static_cast<uint32_t>(target.convex_ends.size());
    shapes.convex_ends = target.convex_ends.data();
    shapes.convex_planes = members.data();
  }
  check(clothc_collider_set_write(solver, placed.set, &shapes));
}

}  // namespace clothc_tool
