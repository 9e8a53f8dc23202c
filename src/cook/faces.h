// faces.h - the faces of a welded mesh that are worth simulating.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cook/cook.h"

namespace clothc::cook {

// Particles around a triangle (corner[3] = no_index) or a quad; all different.
struct Face {
  std::array<uint32_t, 4> corner;

  bool is_quad() const { return corner[3] != no_index; }
  uint32_t size() const { return is_quad() ? 4 : 3; }
};

struct FaceList {
  std::vector<Face> faces;          // triangles first, then quads, in the mesh's order
  std::vector<uint32_t> triangles;  // [][3] the same surface, quads split, winding kept
  uint32_t dropped_count = 0;
  uint32_t first_dropped = no_index;  // in the mesh's triangles, then quads
};

// positions: [particles][4].
FaceList collect_faces(const MeshData& mesh, const std::vector<uint32_t>& particle_of_vertex,
                       const std::vector<float>& positions);

}  // namespace clothc::cook
