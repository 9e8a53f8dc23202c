// file.h - reads mesh files named in a scene file: { "file": "shirt.obj", "scale": 0.01, "translation": [0, 1, 0] }.
#pragma once

#include <string>

#include "mesh/mesh.h"
#include "scene/document/json.h"

namespace clothc_tool {

// Returns the path given by "file", which is relative to folder.
std::string mesh_path(const SceneField& field, const std::string& folder);

// Returns the file's scale in m per unit of length.
float mesh_scale(const SceneField& field);

// Reads the mesh, scales it, rotates it if there is a "rotation", and translates it. folder is empty or ends in a
// slash; the file name is relative to it.
Mesh read_mesh_file(const SceneField& field, const std::string& folder);

}  // namespace clothc_tool
