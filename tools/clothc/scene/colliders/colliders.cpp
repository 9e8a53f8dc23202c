// colliders.cpp - reads spheres, capsules, ellipsoids, boxes, planes and convexes.
#include "scene/colliders/colliders.h"

#include "scene/colliders/mesh_instances.h"
#include "scene/frames/frames.h"
#include "scene/frames/keyframes.h"
#include "scene/frames/rotation.h"

namespace clothc_tool {
namespace {

constexpr double LARGEST_RADIUS = 1e6;  // m

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
    capsule.from.radius = ends[0].number(0, LARGEST_RADIUS);
    capsule.to.radius = ends[1].number(0, LARGEST_RADIUS);
  } else {
    capsule.from.radius = capsule.to.radius = field.member("radius").number(0, LARGEST_RADIUS);
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

// size: name of the field that contains the radii or half extents.
SolidState read_solid_state(const SceneField& field, const char* size) {
  return {field.member("center").vector(), read_rotation(field), field.member(size).vector_between(0, LARGEST_RADIUS)};
}

Keyframes<SolidState> read_solid(const SceneField& field, const char* size) {
  field.only({"center", "rotation", size, "keyframes", "frame"});
  const auto keyframes = field.find("keyframes");
  if (!keyframes) return {{0, read_solid_state(field, size)}};
  field.only({"keyframes", "frame"});
  auto keys = read_keyframes<SolidState>(*keyframes, {"frame", "center", "rotation", size},
                                         [&](const SceneField& key) { return read_solid_state(key, size); });
  for (size_t i = 1; i < keys.size(); ++i)
    check_arc(keyframes->elements()[i], keys[i - 1].value.rotation, keys[i].value.rotation);
  return keys;
}

Keyframes<SolidState> read_ellipsoid(const SceneField& field) { return read_solid(field, "radii"); }
Keyframes<SolidState> read_box(const SceneField& field) { return read_solid(field, "half_extents"); }

bool read_is_in_world(const SceneField& space) {
  const std::string name = space.text();
  if (name != "local" && name != "world") space.fail("want local or world");
  return name == "world";
}

ScenePlane read_plane_state(const SceneField& field) {
  const Vector3 normal = field.member("normal").direction();
  // Subtracted from 0, so that a plane through the origin has the offset 0 and not -0.
  return {normal, 0.0f - dot(normal, field.member("point").vector())};
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

SceneColliders read_colliders(const SceneField& field, const std::string& folder, const std::vector<SceneFrame>& frames,
                              float contact_margin) {
  field.only({"spheres", "capsules", "ellipsoids", "boxes", "planes", "convexes", "triangles", "signed_distance_fields",
              "space"});
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
  read_all("ellipsoids", colliders.ellipsoids, read_ellipsoid);
  read_all("boxes", colliders.boxes, read_box);
  read_all("planes", colliders.planes, read_plane);
  read_all("convexes", colliders.convexes, read_convex);
  MeshInstanceReader reader(folder, contact_margin);
  read_all("triangles", colliders.mesh_instances, [&](const SceneField& element) { return reader.triangles(element); });
  read_all("signed_distance_fields", colliders.mesh_instances,
           [&](const SceneField& element) { return reader.signed_distance_field(element); });
  if (const auto space = field.find("space")) colliders.in_world = read_is_in_world(*space);
  return colliders;
}

}  // namespace clothc_tool
