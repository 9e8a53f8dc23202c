// scene_colliders.cpp - reads spheres, capsules, planes and convexes.
#include "scene_colliders.h"

#include "scene_frames.h"
#include "scene_keyframes.h"
#include "scene_shapes.h"

namespace clothc_tool {
namespace {

constexpr double LARGEST_RADIUS = 1e6, SMALLEST_CAPSULE_RADIUS = 1e-4;  // m
constexpr uint32_t MOST_SPHERES_PER_CAPSULE = 1024;

SphereState read_sphere_state(const SceneField& field) {
  return {field.member("center").vector(), field.member("radius").number(0, LARGEST_RADIUS)};
}

Keyframes<SphereState> read_sphere(const SceneField& field) {
  field.only({"center", "radius", "keyframes", "frame"});
  const auto keyframes = field.find("keyframes");
  if (!keyframes) return {{0, read_sphere_state(field)}};
  field.only({"keyframes", "frame"});
  return read_keyframes<SphereState>(*keyframes, {"frame", "center", "radius"}, read_sphere_state);
}

CapsuleState read_capsule_state(const SceneField& field) {
  CapsuleState capsule;
  capsule.from.center = field.member("from").vector();
  capsule.to.center = field.member("to").vector();
  if (field.has("radius") == field.has("radii")) field.fail("want either radius or radii");
  if (const auto radii = field.find("radii")) {
    const std::vector<SceneField> ends = radii->elements();
    if (ends.size() != 2) radii->fail("want two radii, at from and at to");
    capsule.from.radius = ends[0].number(SMALLEST_CAPSULE_RADIUS, LARGEST_RADIUS);
    capsule.to.radius = ends[1].number(SMALLEST_CAPSULE_RADIUS, LARGEST_RADIUS);
  } else {
    capsule.from.radius = capsule.to.radius = field.member("radius").number(SMALLEST_CAPSULE_RADIUS, LARGEST_RADIUS);
  }
  if (spheres_along({{0, capsule}}) > MOST_SPHERES_PER_CAPSULE) {
    field.fail("it is too long for its radius; want a length of at most 286 times the smaller radius");
  }
  return capsule;
}

Keyframes<CapsuleState> read_capsule(const SceneField& field) {
  field.only({"from", "to", "radius", "radii", "keyframes", "frame"});
  const auto keyframes = field.find("keyframes");
  if (!keyframes) return {{0, read_capsule_state(field)}};
  field.only({"keyframes", "frame"});
  return read_keyframes<CapsuleState>(*keyframes, {"frame", "from", "to", "radius", "radii"}, read_capsule_state);
}

ScenePlane read_plane_state(const SceneField& field) {
  const Vector3 normal = field.member("normal").direction();
  return {normal, -dot(normal, field.member("point").vector())};
}

ScenePlane read_plane(const SceneField& field) {
  field.only({"point", "normal", "frame"});
  return read_plane_state(field);
}

std::vector<ScenePlane> read_convex(const SceneField& field) {
  field.only({"planes", "frame"});
  std::vector<ScenePlane> planes;
  for (const SceneField& element : field.member("planes").elements(1)) {
    element.only({"point", "normal"});
    planes.push_back(read_plane_state(element));
  }
  return planes;
}

}  // namespace

SceneColliders read_colliders(const SceneField& field, const std::vector<SceneFrame>& frames) {
  field.only({"spheres", "capsules", "planes", "convexes"});
  SceneColliders colliders;
  const auto read_all = [&](const char* name, auto& shapes, auto read) {
    const auto list = field.find(name);
    if (!list) return;
    for (const SceneField& element : list->elements()) {
      shapes.push_back({read(element), read_attachment(element, frames, SCENE_FRAME)});
    }
  };
  read_all("spheres", colliders.spheres, read_sphere);
  read_all("capsules", colliders.capsules, read_capsule);
  read_all("planes", colliders.planes, read_plane);
  read_all("convexes", colliders.convexes, read_convex);
  return colliders;
}

}  // namespace clothc_tool
