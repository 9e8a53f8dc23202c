// file.h - reads mesh files of every format that the tool knows, by the file's ending.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace clothc_tool {

// The endings, for messages and help texts.
constexpr const char* MESH_ENDINGS = ".obj, .ply, .gltf or .glb";

// A path's ending in small letters, without the dot; empty if there is none.
std::string ending_of(const std::string& path);

bool is_mesh_file(const std::string& path);  // by its ending alone

// Reads a mesh with at least one face, finite coordinates and faces that name its vertices only; vertices in the order
// of the file. Throws InputError with the file, what was seen and what is wanted.
Mesh read_mesh(const std::string& path);

}  // namespace clothc_tool
