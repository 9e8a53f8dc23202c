// ply.h - reads meshes from and writes frames to PLY files.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace clothc_tool {

// Reads the vertices and faces of an ASCII or binary file in file order. Vertices have the properties x y z and
// optionally s t, u v or texture_u texture_v; faces have vertex_indices or vertex_index. All other elements and
// properties are skipped. Throws InputError.
Mesh read_ply(const std::string& path);

// Writes mesh with the given positions ([mesh.positions.size()]) as a binary little-endian file, which appears complete
// or not at all.
void write_ply(const std::string& path, const Mesh& mesh, const std::vector<Vector3>& positions);

}  // namespace clothc_tool
