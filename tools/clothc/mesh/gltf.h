// gltf.h - reads meshes from glTF 2.0 files (.gltf and .glb).
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace clothc_tool {

// Reads all triangles of the file's scene and transforms them by their nodes. The meshes follow each other in one Mesh,
// and vertices keep their order. Texture coordinates are kept only if every vertex has them; skins, morph targets and
// materials are ignored. Throws InputError.
Mesh read_gltf(const std::string& path);

}  // namespace clothc_tool
