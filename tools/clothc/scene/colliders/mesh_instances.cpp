// mesh_instances.cpp - reads collider meshes and their motion, and computes the signed distance fields of the meshes
// that use them.
#include "scene/colliders/mesh_instances.h"

#include <algorithm>

#include "mesh/file.h"
#include "scene/frames/keyframes.h"
#include "scene/meshes/file.h"
#include "scene/frames/rotation.h"

namespace clothc_tool {
namespace {

// m
constexpr double SMALLEST_REACH = 1e-6, LARGEST_REACH = 1e9;

// Range of the scale in keyframes.
constexpr double SMALLEST_SCALE = 1e-3, LARGEST_SCALE = 1e3;
constexpr uint32_t LOWEST_RESOLUTION = 8, RESOLUTION = 64, HIGHEST_RESOLUTION = 512;

InstanceTransform read_unscaled_transform(const SceneField& field) {
  return {field.vector("translation", {}), read_rotation(field)};
}

InstanceTransform read_keyed_transform(const SceneField& key) {
  InstanceTransform transform = read_unscaled_transform(key);
  transform.scale = key.number("scale", SMALLEST_SCALE, LARGEST_SCALE, 1);
  return transform;
}

Keyframes<InstanceTransform> read_motion(const SceneField& field) {
  auto keys =
      read_keyframes<InstanceTransform>(field, {"frame", "translation", "rotation", "scale"}, read_keyed_transform);
  for (size_t i = 1; i < keys.size(); ++i)
    check_arc(field.elements()[i], keys[i - 1].value.rotation, keys[i].value.rotation);
  return keys;
}

// Distance from the mesh to the sides of the grid: the margin and two cells.
float padding_of(const ColliderMesh& mesh, uint32_t resolution, float margin) {
  const Vector3 size = bounds_of(mesh.positions).size();
  const float largest = std::max({size.x, size.y, size.z});
  const float cell = (largest + 2 * margin) / static_cast<float>(resolution - 5);
  return margin + 2 * cell;
}

clothc::DistanceField cook_sdf(const ColliderMesh& mesh, uint32_t resolution, float margin) {
  auto desc = clothc::initialised<clothc_sdf_cook_desc>();
  desc.vertex_count = static_cast<uint32_t>(mesh.positions.size());
  desc.vertices = &mesh.positions[0].x;
  desc.triangle_count = static_cast<uint32_t>(mesh.triangles.size() / 3);
  desc.triangles = mesh.triangles.data();
  desc.resolution = resolution;
  desc.padding = padding_of(mesh, resolution, margin);
  return clothc::DistanceField::cook(desc).value();
}

// file: the field that names the mesh file, for error messages.
std::shared_ptr<const clothc::DistanceField> cook_closed_mesh(const SceneField& file, const ColliderMesh& mesh,
                                                              uint32_t resolution, float margin) {
  auto sdf = std::make_shared<clothc::DistanceField>();
  try {
    *sdf = cook_sdf(mesh, resolution, margin);
  } catch (const clothc::Error& error) {
    file.fail(std::string("it has no signed distance field: ") + error.what());
  }
  if (std::none_of(sdf->values().begin(), sdf->values().end(), [](float value) { return value < 0; })) {
    file.fail("nothing lies inside of it at resolution " + std::to_string(resolution) +
              "; want a closed body, a higher resolution for a thin one, or \"triangles\"");
  }
  return sdf;
}

}  // namespace

SceneMeshInstance MeshInstanceReader::triangles(const SceneField& field) {
  SceneMeshInstance instance = read_instance(field, "reach");
  instance.reach = field.number("reach", SMALLEST_REACH, LARGEST_REACH, instance.reach);
  return instance;
}

SceneMeshInstance MeshInstanceReader::signed_distance_field(const SceneField& field) {
  SceneMeshInstance instance = read_instance(field, "resolution");
  const uint32_t resolution = field.integer("resolution", LOWEST_RESOLUTION, HIGHEST_RESOLUTION, RESOLUTION);
  float smallest = 1;
  for (const auto& key : instance.transform) smallest = std::min(smallest, key.value.scale);
  const float margin = margin_ / smallest;
  auto& shared = sdfs_[{instance.mesh.get(), resolution, margin}];
  if (!shared) shared = cook_closed_mesh(field.member("file"), *instance.mesh, resolution, margin);
  instance.sdf = shared;
  return instance;
}

SceneMeshInstance MeshInstanceReader::read_instance(const SceneField& field, const char* own) {
  field.only({"file", "scale", "rotation", "translation", "keyframes", own, "frame"});
  const auto keyframes = field.find("keyframes");
  if (keyframes) field.only({"file", "scale", "keyframes", own, "frame"});
  SceneMeshInstance instance;
  instance.transform =
      keyframes ? read_motion(*keyframes) : Keyframes<InstanceTransform>{{0, read_unscaled_transform(field)}};
  instance.mesh = read_shared(field);
  return instance;
}

std::shared_ptr<const ColliderMesh> MeshInstanceReader::read_shared(const SceneField& field) {
  const std::string path = mesh_path(field, folder_);
  const float scale = mesh_scale(field);
  auto& shared = meshes_[{path, scale}];
  if (shared) return shared;
  const Mesh mesh = read_mesh(path);
  auto scaled = std::make_shared<ColliderMesh>(ColliderMesh{mesh.positions, triangulated(mesh)});
  for (Vector3& p : scaled->positions) p = p * scale;
  return shared = scaled;
}

}  // namespace clothc_tool
