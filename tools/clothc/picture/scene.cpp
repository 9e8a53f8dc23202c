// scene.cpp - see scene.h.
#include "picture/scene.h"

#include "scene/colliders/shapes.h"
#include "scene/frames/poses.h"

namespace clothc_tool {
namespace {

void add_sphere(Box& box, const SphereState& sphere) {
  const Vector3 extent = {sphere.radius, sphere.radius, sphere.radius};
  box.add(sphere.center - extent);
  box.add(sphere.center + extent);
}

void add_solids(Box& box, const RenderScene& drawn) {
  for (const SphereState& sphere : drawn.spheres) add_sphere(box, sphere);
  for (const CapsuleState& capsule : drawn.capsules) {
    add_sphere(box, capsule.from);
    add_sphere(box, capsule.to);
  }
  for (const auto* solids : {&drawn.ellipsoids, &drawn.boxes}) {
    for (const SolidState& solid : *solids) add_sphere(box, {solid.center, length(solid.half_size)});
  }
  for (const RenderMesh& mesh : drawn.meshes) box.add(bounds_of(mesh.positions));
}

}  // namespace

void place_colliders(const Scene& scene, float time, RenderScene& drawn) {
  const SceneColliders& colliders = scene.colliders;
  SceneShapes shapes = shapes_at(scene.coordinate_frames, colliders, time);
  drawn.spheres = std::move(shapes.spheres);
  drawn.capsules = std::move(shapes.capsules);
  drawn.ellipsoids = std::move(shapes.ellipsoids);
  drawn.boxes = std::move(shapes.boxes);
  drawn.planes = std::move(shapes.planes);
  drawn.convexes = std::move(shapes.convexes);
  drawn.meshes.clear();
  for (const auto& instance : colliders.mesh_instances)
    drawn.meshes.push_back({vertices_at(scene.coordinate_frames, instance, time), instance.shape.mesh->triangles});
  for (const auto& mesh : colliders.triangles)
    drawn.meshes.push_back({vertices_at(scene.coordinate_frames, mesh, time), mesh.shape.triangles});
}

SceneCamera camera_of(const Scene& scene, float aspect) {
  if (scene.camera) return *scene.camera;
  RenderScene drawn;
  place_colliders(scene, 0, drawn);
  Box box;
  for (const SceneCloth& cloth : scene.cloths) box.add(bounds_of(in_scene(scene, cloth, cloth.mesh.positions, 0)));
  add_solids(box, drawn);
  for (const ScenePlane& plane : drawn.planes) {
    const float depth = dot(plane.normal, box.centre()) + plane.offset;
    if (depth > 0 && depth < length(box.size())) box.add(box.centre() - plane.normal * depth);
  }
  return camera_for(box, aspect);
}

}  // namespace clothc_tool
