// Meshes of the benchmark cases. Built with +, -, * and / alone, so that they have the same bits on every machine.
#pragma once

#include <vector>

#include "mesh/mesh.h"

namespace clothc_tool {

// A level sheet of columns x rows vertices in quads, row 0 at z = 0, one corner at origin.
Mesh sheet_mesh(uint32_t columns, uint32_t rows, float spacing, Vector3 origin);

struct GarmentMesh {
  Mesh mesh;
  std::vector<uint32_t> top_vertices;  // the ring the garment hangs from
};

// A flared tube of 50 rings of 100 jittered vertices, cut into triangles along random diagonals, with vertices and
// triangles in random order: what a mesh from a modelling program looks like to the cooker and the caches.
GarmentMesh garment_mesh();

}  // namespace clothc_tool
