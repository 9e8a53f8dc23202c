// obj.h - reads meshes from and writes frames to Wavefront OBJ files.
#pragma once

#include <string>
#include <vector>

#include "mesh/mesh.h"

namespace clothc_tool {

// Reads the positions and faces of a file in file order. Triangles and quads are kept; larger polygons become fans of
// triangles around their first vertex. Texture coordinates are kept if all corners of each vertex agree; normals and
// materials are ignored. Throws InputError if the file cannot be read, has no face, or refers to a vertex that does not
// exist.
Mesh read_obj(const std::string& path);

// Writes the faces of mesh with the given positions ([mesh.positions.size()]). The file appears complete or not at all.
void write_obj(const std::string& path, const Mesh& mesh, const std::vector<Vector3>& positions);

}  // namespace clothc_tool
