// file.h - reads meshes that a scene file names: { "file": "shirt.obj", "scale": 0.01, "translation": [0, 1, 0] }.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "scene/document/json.h"

namespace clothc_tool {

// The path in its "file", which is relative to folder.
std::string mesh_path(const SceneField& field, const std::string& folder);

// The file's scale, in m per unit.
float mesh_scale(const SceneField& field);

// The file is relative to folder, which is empty or ends in a slash; "rotation", if there is one, comes between the other two.
Mesh read_mesh_file(const SceneField& field, const std::string& folder);

}  // namespace clothc_tool
