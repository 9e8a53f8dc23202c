// mesh_instances.h - reads instances of mesh files: "triangles" and "signed_distance_fields" in the colliders of a
// scene file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Instances of the same file at the same scale share one mesh. Instances that also need the same grid share one signed
// distance field (SDF).
class MeshInstanceReader {
 public:
  // folder: the folder that file names are relative to, empty or ending in a slash. contact_margin: distance from the
  // surface up to which SDFs must act, in m.
  MeshInstanceReader(std::string folder, float contact_margin) : folder_(std::move(folder)), margin_(contact_margin) {}

  SceneMeshInstance triangles(const SceneField& field);
  SceneMeshInstance signed_distance_field(const SceneField& field);

 private:
  // own: name of the one field that only this kind of instance has.
  SceneMeshInstance read_instance(const SceneField& field, const char* own);

  std::shared_ptr<const ColliderMesh> read_shared(const SceneField& field);

  std::string folder_;
  float margin_;

  // Meshes by path and scale.
  std::map<std::pair<std::string, float>, std::shared_ptr<const ColliderMesh>> meshes_;

  // SDFs by mesh, resolution and margin.
  std::map<std::tuple<const ColliderMesh*, uint32_t, float>, std::shared_ptr<const clothc::DistanceField>> sdfs_;
};

}  // namespace clothc_tool
