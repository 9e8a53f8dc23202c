// faces.h - collects the faces of a welded mesh that can be simulated, and reports the faces that it drops.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/cook.h"
#include "cook/diagnostic_list.h"

namespace clothc::cook {

// The particles around a triangle (corner[3] = no_index) or a quad, in winding order. All of them differ.
struct Face {
  std::array<uint32_t, 4> corner;

  bool is_quad() const { return corner[3] != no_index; }
  uint32_t size() const { return is_quad() ? 4 : 3; }

  // Returns the particle that follows the given corner of the face in winding order.
  uint32_t after(uint32_t particle) const {
    uint32_t i = 0;
    while (corner[i] != particle) ++i;
    return corner[(i + 1) % size()];
  }
};

struct FaceList {
  // Triangles first, then quads, each in the order of the mesh.
  std::vector<Face> faces;
  // [faces] index of each face in the mesh. Indices of mesh faces count the triangles first, then the quads.
  std::vector<uint32_t> mesh_face;
  // [][3] particles of the same surface as triangles: quads are split, and the winding is kept.
  std::vector<uint32_t> triangles;
  // [][3] mesh vertices of the corners of triangles. Empty if the mesh has no texture coordinates.
  std::vector<uint32_t> triangle_vertices;

  uint32_t dropped_count = 0;
  // Index in the mesh, or no_index if no face was dropped.
  uint32_t first_dropped = no_index;
};

// The three or four vertices of a face of the mesh.
struct MeshFace {
  const uint32_t* vertices;
  uint32_t size;
};
MeshFace face_of_mesh(const MeshData& mesh, size_t index);

// positions: [particles][4]. Adds one diagnostic for every face that it drops, and for every quad that it reduces to a
// triangle.
FaceList collect_faces(const MeshData& mesh, const std::vector<uint32_t>& particle_of_vertex,
                       const std::vector<float>& positions, DiagnosticList& diagnostics);

}  // namespace clothc::cook
