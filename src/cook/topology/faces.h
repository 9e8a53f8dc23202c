// faces.h - the faces of a welded mesh that are worth simulating.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/cook.h"
#include "cook/diagnostic_list.h"

namespace clothc::cook {

// Particles around a triangle (corner[3] = no_index) or a quad; all different.
struct Face {
  std::array<uint32_t, 4> corner;

  bool is_quad() const { return corner[3] != no_index; }
  uint32_t size() const { return is_quad() ? 4 : 3; }

  // The particle after another one of the face, around it.
  uint32_t after(uint32_t particle) const {
    uint32_t i = 0;
    while (corner[i] != particle) ++i;
    return corner[(i + 1) % size()];
  }
};

struct FaceList {
  std::vector<Face> faces;          // triangles first, then quads, in the mesh's order
  std::vector<uint32_t> mesh_face;  // [faces] which of the mesh's faces each is, triangles counted first, then quads
  std::vector<uint32_t> triangles;  // [][3] the same surface, quads split, winding kept
  std::vector<uint32_t> triangle_vertices;  // [][3] the mesh's vertices there; empty without texture coordinates
  uint32_t dropped_count = 0;
  uint32_t first_dropped = no_index;  // in the mesh's triangles, then quads
};

// The vertices of a face of the mesh: three or four.
struct MeshFace {
  const uint32_t* vertices;
  uint32_t size;
};
MeshFace face_of_mesh(const MeshData& mesh, size_t index);

// positions: [particles][4]. Every face that is dropped or shrunk becomes one diagnostic.
FaceList collect_faces(const MeshData& mesh, const std::vector<uint32_t>& particle_of_vertex,
                       const std::vector<float>& positions, DiagnosticList& diagnostics);

}  // namespace clothc::cook
