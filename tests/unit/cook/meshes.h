// meshes.h - meshes for the tests of the cooker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "cook/cook.h"
#include "support/structs.h"

namespace clothc::test {

// Makes columns x rows vertices in the plane, row by row, spaced 0.25 m apart (exact in float).
inline MeshData make_points(uint32_t columns, uint32_t rows) {
  MeshData mesh;
  for (uint32_t y = 0; y < rows; ++y) {
    for (uint32_t x = 0; x < columns; ++x) {
      mesh.positions.insert(mesh.positions.end(), {0.25f * static_cast<float>(x), 0.25f * static_cast<float>(y), 0.0f});
    }
  }
  return mesh;
}

inline MeshData make_quad_sheet(uint32_t columns, uint32_t rows) {
  MeshData mesh = make_points(columns, rows);
  for (uint32_t y = 0; y + 1 < rows; ++y) {
    for (uint32_t x = 0; x + 1 < columns; ++x) {
      const uint32_t a = y * columns + x;
      mesh.quads.insert(mesh.quads.end(), {a, a + 1, a + columns + 1, a + columns});
    }
  }
  return mesh;
}

inline MeshData make_triangle_sheet(uint32_t columns, uint32_t rows) {
  const MeshData quads = make_quad_sheet(columns, rows);
  MeshData mesh = make_points(columns, rows);
  for (size_t i = 0; i < quads.quads.size(); i += 4) {
    const uint32_t* q = &quads.quads[i];
    mesh.triangles.insert(mesh.triangles.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
  }
  return mesh;
}

// Makes a hub (vertex 0) and a closed rim of triangles around it.
inline MeshData make_fan(uint32_t spokes) {
  MeshData mesh;
  mesh.positions = {0, 0, 0};
  for (uint32_t i = 0; i < spokes; ++i) {
    // Uses rational points of the unit circle, which need no sine.
    const float t = 2.0f * static_cast<float>(i) / static_cast<float>(spokes) - 1;
    mesh.positions.insert(mesh.positions.end(), {(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), 0.0f});
    mesh.triangles.insert(mesh.triangles.end(), {0, 1 + i, 1 + (i + 1) % spokes});
  }
  return mesh;
}

inline void pin(MeshData& mesh, const std::vector<uint32_t>& vertices) {
  mesh.inverse_masses.assign(mesh.positions.size() / 3, 1.0f);
  for (const uint32_t v : vertices) mesh.inverse_masses[v] = 0;
}

// Returns the mesh as a caller of clothc.h gives it. The mesh must outlive the result. Settings without a caller in the
// tests keep their defaults.
inline clothc_mesh_desc desc_of(const MeshData& mesh) {
  clothc_mesh_desc desc = clothc_test::initialised<clothc_mesh_desc>();
  desc.vertex_count = mesh.positions.size() / 3;
  desc.positions = mesh.positions.data();
  desc.inverse_masses = mesh.inverse_masses.empty() ? nullptr : mesh.inverse_masses.data();
  desc.triangle_count = mesh.triangles.size() / 3;
  desc.triangles = mesh.triangles.data();
  desc.quad_count = mesh.quads.size() / 4;
  desc.quads = mesh.quads.data();
  desc.weld_distance = mesh.weld_distance;
  desc.areal_density = mesh.areal_density;
  if (mesh.quadify) desc.flags |= CLOTHC_COOK_QUADIFY;
  return desc;
}

// Renumbers the vertices by a fixed shuffle, as the output of many exporters is ordered.
inline MeshData shuffled(const MeshData& mesh) {
  const size_t count = mesh.positions.size() / 3;
  std::vector<uint32_t> renumbered(count);
  for (size_t i = 0; i < count; ++i) renumbered[i] = static_cast<uint32_t>(i);
  uint64_t state = 1;
  for (size_t i = count; i-- > 1;) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(renumbered[i], renumbered[(state >> 33) % (i + 1)]);
  }
  MeshData result = mesh;
  for (size_t v = 0; v < count; ++v) {
    for (size_t axis = 0; axis < 3; ++axis) result.positions[renumbered[v] * 3 + axis] = mesh.positions[v * 3 + axis];
    if (!mesh.inverse_masses.empty()) result.inverse_masses[renumbered[v]] = mesh.inverse_masses[v];
  }
  for (uint32_t& corner : result.triangles) corner = renumbered[corner];
  for (uint32_t& corner : result.quads) corner = renumbered[corner];
  return result;
}

}  // namespace clothc::test
