// bodies.cpp - reads collider meshes and their motion, and computes signed distance fields for the bodies that use
// them.
#include "scene/colliders/bodies.h"

#include <algorithm>

#include "cli/api.h"
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

BodyPlacement read_body_placement(const SceneField& field) {
  return {field.vector("translation", {}), read_rotation(field)};
}

BodyPlacement read_keyed_placement(const SceneField& key) {
  BodyPlacement placement = read_body_placement(key);
  placement.scale = key.number("scale", SMALLEST_SCALE, LARGEST_SCALE, 1);
  return placement;
}

Keyframes<BodyPlacement> read_motion(const SceneField& field) {
  auto keys = read_keyframes<BodyPlacement>(field, {"frame", "translation", "rotation", "scale"}, read_keyed_placement);
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

ColliderField cook_field(const ColliderMesh& mesh, uint32_t resolution, float margin) {
  auto desc = initialised<clothc_sdf_cook_desc>();
  desc.vertex_count = static_cast<uint32_t>(mesh.positions.size());
  desc.vertices = &mesh.positions[0].x;
  desc.triangle_count = static_cast<uint32_t>(mesh.triangles.size() / 3);
  desc.triangles = mesh.triangles.data();
  desc.resolution = resolution;
  desc.padding = padding_of(mesh, resolution, margin);
  ColliderField field = {initialised<clothc_sdf_desc>(), {}};
  uint64_t size = 0;
  check(clothc_sdf_cook(&desc, &field.grid, nullptr, &size));
  field.values.resize(size / sizeof(float));
  check(clothc_sdf_cook(&desc, &field.grid, field.values.data(), &size));
  return field;
}

// file: the field that names the mesh file, for error messages.
std::shared_ptr<const ColliderField> cook_solid(const SceneField& file, const ColliderMesh& mesh, uint32_t resolution,
                                                float margin) {
  auto field = std::make_shared<ColliderField>();
  try {
    *field = cook_field(mesh, resolution, margin);
  } catch (const ApiError& error) {
    file.fail(std::string("it has no signed distance field: ") + error.what());
  }
  field->grid.values = field->values.data();
  if (std::none_of(field->values.begin(), field->values.end(), [](float value) { return value < 0; })) {
    file.fail("nothing lies inside of it at resolution " + std::to_string(resolution) +
              "; want a closed body, a higher resolution for a thin one, or \"triangles\"");
  }
  return field;
}

}  // namespace

SceneBody BodyReader::triangles(const SceneField& field) {
  SceneBody body = read_placed(field, "reach");
  body.reach = field.number("reach", SMALLEST_REACH, LARGEST_REACH, body.reach);
  return body;
}

SceneBody BodyReader::signed_distance_field(const SceneField& field) {
  SceneBody body = read_placed(field, "resolution");
  const uint32_t resolution = field.integer("resolution", LOWEST_RESOLUTION, HIGHEST_RESOLUTION, RESOLUTION);
  float smallest = 1;
  for (const auto& key : body.placement) smallest = std::min(smallest, key.value.scale);
  const float margin = margin_ / smallest;
  auto& shared = fields_[{body.mesh.get(), resolution, margin}];
  if (!shared) shared = cook_solid(field.member("file"), *body.mesh, resolution, margin);
  body.field = shared;
  return body;
}

SceneBody BodyReader::read_placed(const SceneField& field, const char* own) {
  field.only({"file", "scale", "rotation", "translation", "keyframes", own, "frame"});
  const auto keyframes = field.find("keyframes");
  if (keyframes) field.only({"file", "scale", "keyframes", own, "frame"});
  SceneBody body;
  body.placement = keyframes ? read_motion(*keyframes) : Keyframes<BodyPlacement>{{0, read_body_placement(field)}};
  body.mesh = read_shared(field);
  return body;
}

std::shared_ptr<const ColliderMesh> BodyReader::read_shared(const SceneField& field) {
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
