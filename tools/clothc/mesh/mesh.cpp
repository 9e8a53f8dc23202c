// mesh.cpp - splits large polygons when they are read and quads when they are drawn; computes smooth normals.
#include "mesh/mesh.h"

#include <cstddef>

namespace clothc_tool {

void add_polygon(Mesh& mesh, const std::vector<uint32_t>& corners) {
  if (corners.size() == 4) {
    mesh.quads.insert(mesh.quads.end(), corners.begin(), corners.end());
    return;
  }
  for (size_t i = 2; i < corners.size(); ++i) {
    mesh.triangles.insert(mesh.triangles.end(), {corners[0], corners[i - 1], corners[i]});
  }
}

std::vector<uint32_t> triangulated(const Mesh& mesh) {
  std::vector<uint32_t> triangles = mesh.triangles;
  triangles.reserve(triangles.size() + mesh.quads.size() / 4 * 6);
  for (size_t i = 0; i + 3 < mesh.quads.size(); i += 4) {
    const uint32_t* q = &mesh.quads[i];
    const auto& p = mesh.positions;
    const bool first_diagonal = length(p[q[0]] - p[q[2]]) <= length(p[q[1]] - p[q[3]]);
    const uint32_t cut[2][6] = {{q[0], q[1], q[3], q[1], q[2], q[3]}, {q[0], q[1], q[2], q[0], q[2], q[3]}};
    triangles.insert(triangles.end(), cut[first_diagonal], cut[first_diagonal] + 6);
  }
  return triangles;
}

std::vector<Vector3> smooth_normals(const std::vector<Vector3>& positions, const std::vector<uint32_t>& triangles) {
  std::vector<Vector3> normals(positions.size());
  for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
    const uint32_t a = triangles[i], b = triangles[i + 1], c = triangles[i + 2];
    const Vector3 normal = cross(positions[b] - positions[a], positions[c] - positions[a]);
    normals[a] += normal;
    normals[b] += normal;
    normals[c] += normal;
  }
  for (Vector3& normal : normals) normal = normalised(normal);
  return normals;
}

}  // namespace clothc_tool
