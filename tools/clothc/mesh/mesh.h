// mesh.h - polygons as the tool moves them between files, the cooker and the renderer: triangles and quads, indexed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/vector3.h"

namespace clothc_tool {

struct Mesh {
  std::vector<Vector3> positions;
  std::vector<uint32_t> triangles;  // [n][3]
  std::vector<uint32_t> quads;      // [n][4], in order around the quad
  std::vector<float> uvs;           // [positions.size()][2], v upwards, or empty
};

inline Box bounds_of(const std::vector<Vector3>& positions) {
  Box box;
  for (const Vector3& p : positions) box.add(p);
  return box;
}

// Adds a polygon of 3 vertices or more: triangles and quads as they are, larger ones as fans around their first vertex.
void add_polygon(Mesh& mesh, const std::vector<uint32_t>& corners);

// All faces as triangles; quads are cut along their shorter diagonal.
std::vector<uint32_t> triangulated(const Mesh& mesh);

// Means of the triangles' normals around each vertex, weighted by area.
std::vector<Vector3> smooth_normals(const std::vector<Vector3>& positions, const std::vector<uint32_t>& triangles);

}  // namespace clothc_tool
