// gltf.h - meshes from glTF 2.0 files, .gltf and .glb.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace clothc_tool {

// Reads all triangles of the file's scene, where its nodes put them, one mesh after the other; vertices keep their order.
// Texture coordinates are kept if every vertex has them. Skins, morph targets and materials are ignored. Throws InputError.
Mesh read_gltf(const std::string& path);

}  // namespace clothc_tool
