// mesh.h - the indexed mesh of triangles and quads that the tool passes between files, the cooker and the renderer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/vector3.h"

namespace clothc_tool {

struct Mesh {
  std::vector<Vector3> positions;

  // [n][3]
  std::vector<uint32_t> triangles;

  // [n][4], in order around the quad
  std::vector<uint32_t> quads;

  // [positions.size()][2] with v pointing upwards, or empty
  std::vector<float> uvs;
};

inline Box bounds_of(const std::vector<Vector3>& positions) {
  Box box;
  for (const Vector3& p : positions) box.add(p);
  return box;
}

// Adds a polygon of three or more vertices. Triangles and quads are kept; larger polygons become fans of triangles
// around their first vertex.
void add_polygon(Mesh& mesh, const std::vector<uint32_t>& corners);

// Returns all faces as triangles; each quad is split along its shorter diagonal.
std::vector<uint32_t> triangulated(const Mesh& mesh);

// Returns a unit normal per vertex: the mean of the surrounding triangles' normals, weighted by area.
std::vector<Vector3> smooth_normals(const std::vector<Vector3>& positions, const std::vector<uint32_t>& triangles);

}  // namespace clothc_tool
