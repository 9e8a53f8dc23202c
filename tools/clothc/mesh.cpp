// mesh.cpp - cuts quads into triangles for drawing.
#include "mesh.h"

namespace clothc_tool {

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

}  // namespace clothc_tool
