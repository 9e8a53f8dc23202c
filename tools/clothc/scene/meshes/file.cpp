// file.cpp - loads a mesh file and transforms it.
#include "scene/meshes/file.h"

#include "mesh/file.h"
#include "scene/frames/rotation.h"

namespace clothc_tool {

std::string mesh_path(const SceneField& field, const std::string& folder) {
  const SceneField file = field.member("file");
  const std::string path = file.text();
  if (path.empty()) file.fail("want the path of a mesh file, relative to the scene file");
  return path.front() == '/' ? path : folder + path;
}

float mesh_scale(const SceneField& field) { return field.number("scale", 1e-6, 1e6, 1); }

Mesh read_mesh_file(const SceneField& field, const std::string& folder) {
  Mesh mesh = read_mesh(mesh_path(field, folder));
  const float scale = mesh_scale(field);
  const Pose pose = {field.vector("translation", {}), read_rotation(field)};
  // Without a rotation the positions stay free of its rounding errors.
  const bool turns = field.has("rotation");
  for (Vector3& p : mesh.positions) p = turns ? pose(p * scale) : p * scale + pose.translation;
  return mesh;
}

}  // namespace clothc_tool
