// mesh.h - polygons as the tool moves them between files, the cooker and the renderer: triangles and quads, indexed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vector3.h"

namespace clothc_tool {

struct Mesh {
  std::vector<Vector3> positions;
  std::vector<uint32_t> triangles;  // [n][3]
  std::vector<uint32_t> quads;      // [n][4], in order around the quad
};

inline Box bounds_of(const std::vector<Vector3>& positions) {
  Box box;
  for (const Vector3& p : positions) box.add(p);
  return box;
}

// All faces as triangles; quads are cut along their shorter diagonal.
std::vector<uint32_t> triangulated(const Mesh& mesh);

}  // namespace clothc_tool
