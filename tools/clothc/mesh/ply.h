// ply.h - PLY files: meshes in, frames out.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace clothc_tool {

// Reads the vertices (x y z, and s t, u v or texture_u texture_v if they are there) and faces (vertex_indices or
// vertex_index) of an ascii or binary file, in file order; everything else is passed over. Throws InputError.
Mesh read_ply(const std::string& path);

// Writes a binary little-endian file of mesh with the given positions ([mesh.positions.size()]), whole or not at all.
void write_ply(const std::string& path, const Mesh& mesh, const std::vector<Vector3>& positions);

}  // namespace clothc_tool
