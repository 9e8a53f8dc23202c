// bodies.h - reads bodies of mesh files: "triangles" and "signed_distance_fields" of a scene file's colliders.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "scene/scene.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Bodies of the same file and scale share a mesh, and those that want the same grid for it, a field.
class BodyReader {
 public:
  // folder: what files are relative to, empty or ending in a slash; contact_margin: how far off fields have to act, in m.
  BodyReader(std::string folder, float contact_margin) : folder_(std::move(folder)), margin_(contact_margin) {}

  SceneBody triangles(const SceneField& field);
  SceneBody signed_distance_field(const SceneField& field);

 private:
  SceneBody read_placed(const SceneField& field, const char* own);  // own: the field that only its kind has
  std::shared_ptr<const ColliderMesh> read_shared(const SceneField& field);

  std::string folder_;
  float margin_;
  std::map<std::pair<std::string, float>, std::shared_ptr<const ColliderMesh>> meshes_;  // by path and scale
  std::map<std::tuple<const ColliderMesh*, uint32_t, float>, std::shared_ptr<const ColliderField>> fields_;
};

}  // namespace clothc_tool
