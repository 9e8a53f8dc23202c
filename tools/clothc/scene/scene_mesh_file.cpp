// scene_mesh_file.cpp - loads a mesh file and places it.
#include "scene_mesh_file.h"

#include "mesh_file.h"
#include "scene_rotation.h"

namespace clothc_tool {

Mesh read_mesh_file(const SceneField& field, const std::string& folder) {
  const SceneField file = field.member("file");
  const std::string path = file.text();
  if (path.empty()) file.fail("want the path of a mesh file, relative to the scene file");
  Mesh mesh = read_mesh(path.front() == '/' ? path : folder + path);
  const float scale = field.number("scale", 1e-6, 1e6, 1);
  const Pose pose = {field.vector("translation", {}), read_rotation(field)};
  const bool turns = field.has("rotation");  // else positions keep their bits
  for (Vector3& p : mesh.positions) p = turns ? pose(p * scale) : p * scale + pose.translation;
  return mesh;
}

}  // namespace clothc_tool
