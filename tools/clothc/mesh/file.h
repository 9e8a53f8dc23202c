// file.h - reads mesh files of all supported formats; the file's extension selects the format.
#pragma once

#include <string>

#include "mesh/mesh.h"

namespace clothc_tool {

// The supported extensions, for messages and help texts.
constexpr const char* MESH_ENDINGS = ".obj, .ply, .gltf or .glb";

// Returns a path's extension in lower case without the dot, or "" if it has none.
std::string ending_of(const std::string& path);

// Tells whether the extension is that of a mesh file; the file itself is not opened.
bool is_mesh_file(const std::string& path);

// Reads a mesh; vertices keep the order of the file. The result has at least one face and finite coordinates, and its
// faces refer only to existing vertices. Throws InputError, which names the file, what was found and what is expected.
Mesh read_mesh(const std::string& path);

}  // namespace clothc_tool
