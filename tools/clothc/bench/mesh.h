// mesh.h - meshes of the benchmark cases. They are built only with +, -, * and /, so that they have the same bits on
// every machine.
#pragma once

#include <vector>

#include "mesh/mesh.h"

namespace clothc_tool {

// Returns a horizontal sheet of columns x rows vertices in quads, with row 0 at z = origin.z and one corner at origin.
Mesh sheet_mesh(uint32_t columns, uint32_t rows, float spacing, Vector3 origin);

// Returns a square of count x count vertices like it, cut along random diagonals. Vertices inside are jittered by up to a
// quarter of the spacing.
Mesh triangle_mesh(uint32_t count, float spacing);

struct GarmentMesh {
  Mesh mesh;

  // The ring from which the garment hangs.
  std::vector<uint32_t> top_vertices;
};

// Returns a flared tube of 50 rings of 100 jittered vertices, split into triangles along random diagonals, with
// vertices and triangles in random order. To the cooker and the caches it looks like a mesh from a modelling program.
GarmentMesh garment_mesh();

}  // namespace clothc_tool
