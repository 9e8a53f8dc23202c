// meshes.cpp - the meshes of meshes.h.
#include "parity/lockstep/meshes.h"

#include <algorithm>

namespace lockstep {
namespace {

void draw_size(Random& random, Mesh& mesh) {
  const uint32_t kind = random.below(20);
  mesh.columns = kind < 4 ? 2 : random.between(2, kind < 17 ? 12 : 24);
  mesh.rows = kind < 4 ? random.between(2, 40) : random.between(2, kind < 17 ? 12 : 24);
  // Large cloths are solved in other ways.
  if (random.one_in(60)) mesh.columns = random.between(40, 70), mesh.rows = random.between(40, 70);
}

// Adds the faces between a vertex and its next neighbours: a quad, or two triangles along either diagonal.
void add_faces(Random& random, uint32_t a, bool has_quads, Mesh& mesh) {
  const uint32_t b = a + 1, c = a + mesh.columns + 1, d = a + mesh.columns;
  if (has_quads)
    mesh.quads.insert(mesh.quads.end(), {a, b, c, d});
  else if (random.one_in(2))
    mesh.triangles.insert(mesh.triangles.end(), {a, b, c, a, c, d});
  else
    mesh.triangles.insert(mesh.triangles.end(), {a, b, d, b, c, d});
}

void add_loose_triangles(Random& random, Mesh& mesh) {
  const auto count = static_cast<uint32_t>(mesh.inverse_masses.size());
  for (uint32_t k = random.between(1, 5); k > 0; --k) {
    const uint32_t corners[] = {random.below(count), random.below(count), random.below(count)};
    mesh.triangles.insert(mesh.triangles.end(), corners, corners + 3);
  }
}

}  // namespace

Mesh draw_mesh(Random& random) {
  Mesh mesh;
  draw_size(random, mesh);
  const float spacing = random.real(0.03f, 0.2f), unevenness = random.one_in(3) ? random.real(0, 0.3f) * spacing : 0;
  const bool hangs = random.one_in(2);
  const uint32_t pins = random.below(4), faces = random.below(3);
  const float height = random.real(-0.5f, 0.5f);
  for (uint32_t row = 0; row < mesh.rows; ++row) {
    for (uint32_t column = 0; column < mesh.columns; ++column) {
      const float u = static_cast<float>(column), v = static_cast<float>(row);
      float position[] = {spacing * u - 0.5f, hangs ? height - spacing * v : height, hangs ? 0 : spacing * v - 0.5f};
      for (float& x : position) x += random.real(-unevenness, unevenness);
      mesh.positions.insert(mesh.positions.end(), position, position + 3);
      mesh.texture_coordinates.insert(mesh.texture_coordinates.end(), {u / 8, v / 8});
      const bool is_corner = row == 0 && (column == 0 || column + 1 == mesh.columns);
      const bool is_pinned = pins == 0 ? row == 0 : pins == 1 ? is_corner : pins == 2 && random.one_in(20);
      mesh.inverse_masses.push_back(is_pinned ? 0 : random.one_in(10) ? random.real(0.1f, 10) : 1);
      if (row + 1 == mesh.rows || column + 1 == mesh.columns || random.one_in(60)) continue;
      add_faces(random, row * mesh.columns + column, faces == 0 || (faces == 1 && random.one_in(2)), mesh);
    }
  }
  if (random.one_in(8)) add_loose_triangles(random, mesh);
  return mesh;
}

}  // namespace lockstep
