// mesh_list.h - meshes of all shapes, on which the cooker's properties are tested.
#pragma once

#include <string>
#include <vector>

#include "unit/cook/meshes.h"

namespace clothc::test {

struct NamedMesh {
  std::string name;
  MeshData mesh;

  // If set, no two distances are equal, so that the order of vertices or faces never decides anything.
  bool is_generic = false;
};

// Returns a pseudo-random number in -1 .. 1 for each seed.
inline float noise(uint64_t seed) {
  uint64_t h = (seed + 1) * 0x9e3779b97f4a7c15u;
  h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
  return static_cast<float>(static_cast<int64_t>(h >> 40) - (1 << 23)) / static_cast<float>(1 << 23);
}

inline MeshData noisy(MeshData mesh, float amplitude, bool flat = false) {
  for (size_t i = 0; i < mesh.positions.size(); ++i) {
    if (!flat || i % 3 != 2) mesh.positions[i] += amplitude * noise(i);
  }
  return mesh;
}

inline MeshData without_quads(MeshData mesh, uint32_t columns, uint32_t low, uint32_t high) {
  std::vector<uint32_t> kept;
  for (size_t i = 0; i < mesh.quads.size(); i += 4) {
    const uint32_t x = mesh.quads[i] % columns, y = mesh.quads[i] / columns;
    if (x >= low && x < high && y >= low && y < high) continue;
    kept.insert(kept.end(), mesh.quads.begin() + static_cast<std::ptrdiff_t>(i),
                mesh.quads.begin() + static_cast<std::ptrdiff_t>(i) + 4);
  }
  mesh.quads = kept;
  return mesh;
}

inline MeshData as_triangles(MeshData mesh) {
  for (size_t i = 0; i < mesh.quads.size(); i += 4) {
    const uint32_t* q = &mesh.quads[i];
    mesh.triangles.insert(mesh.triangles.end(), {q[0], q[1], q[2], q[0], q[2], q[3]});
  }
  mesh.quads.clear();
  return mesh;
}

// Returns points of the unit circle with rational coordinates, anticlockwise from (1, 0).
inline void circle_point(uint32_t i, uint32_t count, float (&at)[2]) {
  const float t = 4.0f * static_cast<float>(i) / static_cast<float>(count);
  const uint32_t quarter = static_cast<uint32_t>(t) % 4;
  const float s = t - static_cast<float>(static_cast<uint32_t>(t));
  const float u = s / (1 + (1 - s) * 0.41f);
  const float c = (1 - u * u) / (1 + u * u), d = 2 * u / (1 + u * u);
  const float turned[4][2] = {{c, d}, {-d, c}, {-c, -d}, {d, -c}};
  at[0] = turned[quarter][0];
  at[1] = turned[quarter][1];
}

inline MeshData make_tube(uint32_t around, uint32_t rows) {
  MeshData mesh;
  for (uint32_t y = 0; y < rows; ++y) {
    for (uint32_t i = 0; i < around; ++i) {
      float at[2];
      circle_point(i, around, at);
      mesh.positions.insert(mesh.positions.end(), {at[0], 0.25f * static_cast<float>(y), at[1]});
      const uint32_t a = y * around + i, b = y * around + (i + 1) % around;
      if (y + 1 < rows) mesh.quads.insert(mesh.quads.end(), {a, b, b + around, a + around});
    }
  }
  return mesh;
}

// Makes a tube whose vertices are pulled onto a sphere, with triangles at the poles.
inline MeshData make_sphere(uint32_t around, uint32_t rows) {
  MeshData mesh = make_tube(around, rows);
  for (size_t i = 0; i < mesh.positions.size(); i += 3) {
    float* p = &mesh.positions[i];
    p[1] = p[1] * 8 / static_cast<float>(rows - 1) - 1;
    const float radius = 1.0f / (0.5f + p[1] * p[1] * 0.5f);
    for (size_t axis = 0; axis < 3; ++axis) p[axis] *= radius;
  }
  const uint32_t count = around * rows;
  mesh.positions.insert(mesh.positions.end(), {0, -1.5f, 0, 0, 1.5f, 0});
  for (uint32_t i = 0; i < around; ++i) {
    const uint32_t j = (i + 1) % around;
    mesh.triangles.insert(mesh.triangles.end(), {count, j, i, count + 1, count - around + i, count - around + j});
  }
  return mesh;
}

inline MeshData joined(MeshData a, const MeshData& b, float offset) {
  const uint32_t first = static_cast<uint32_t>(a.positions.size() / 3);
  for (size_t i = 0; i < b.positions.size(); ++i) a.positions.push_back(b.positions[i] + (i % 3 == 2 ? offset : 0));
  for (const uint32_t corner : b.triangles) a.triangles.push_back(corner + first);
  for (const uint32_t corner : b.quads) a.quads.push_back(corner + first);
  return a;
}

// Makes a row of large quads whose lower sides have a vertex in the middle that belongs only to the small quads below.
inline MeshData make_t_junctions() {
  MeshData mesh = make_quad_sheet(9, 5);
  const uint32_t first = static_cast<uint32_t>(mesh.positions.size() / 3);
  for (uint32_t i = 0; i < 5; ++i) {
    mesh.positions.insert(mesh.positions.end(), {0.5f * static_cast<float>(i), 1.5f, 0});
    if (i < 4) mesh.quads.insert(mesh.quads.end(), {36 + 2 * i, 36 + 2 * i + 2, first + i + 1, first + i});
  }
  return mesh;
}

// Makes the pages of a book: rows of triangles that share one spine.
inline MeshData make_book(uint32_t pages) {
  MeshData mesh;
  for (uint32_t i = 0; i < 4; ++i) mesh.positions.insert(mesh.positions.end(), {0, static_cast<float>(i), 0});
  for (uint32_t page = 0; page < pages; ++page) {
    float at[2];
    circle_point(page, pages, at);
    const uint32_t first = static_cast<uint32_t>(mesh.positions.size() / 3);
    for (uint32_t i = 0; i < 4; ++i) {
      mesh.positions.insert(mesh.positions.end(), {at[0], static_cast<float>(i), at[1]});
      if (i == 3) continue;
      mesh.triangles.insert(mesh.triangles.end(), {i, i + 1, first + i, i + 1, first + i + 1, first + i});
    }
  }
  return mesh;
}

inline std::vector<NamedMesh> all_meshes() {
  const MeshData sheet = make_quad_sheet(11, 9), triangles = make_triangle_sheet(10, 8);
  std::vector<NamedMesh> list = {
      {"quads", sheet},
      {"triangles", triangles},
      {"shuffled quads", shuffled(sheet)},
      {"shuffled triangles", shuffled(triangles)},
      {"noisy quads", noisy(sheet, 0.04f), true},
      {"noisy triangles", noisy(triangles, 0.04f), true},
      {"flat noisy triangles", noisy(triangles, 0.05f, true), true},
      {"tube", make_tube(14, 9)},
      {"noisy tube", noisy(as_triangles(make_tube(14, 9)), 0.02f), true},
      {"sphere", make_sphere(12, 9)},
      {"noisy sphere", noisy(make_sphere(12, 9), 0.02f), true},
      {"hole", without_quads(sheet, 11, 3, 6)},
      {"noisy hole", noisy(as_triangles(without_quads(sheet, 11, 3, 6)), 0.03f), true},
      {"fan", make_fan(60)},
      {"book", make_book(7)},
      {"noisy book", noisy(make_book(5), 0.05f), true},
      {"two pieces", joined(noisy(sheet, 0.03f), noisy(triangles, 0.03f), 2), true},
      {"T-junctions", make_t_junctions()},
      {"one triangle", make_triangle_sheet(2, 2)},
  };
  list.back().mesh.triangles.resize(3);
  const size_t plain = list.size();
  for (size_t i = 0; i < plain; ++i) {
    MeshData& mesh = list[i].mesh;
    pin(mesh, {0, static_cast<uint32_t>(mesh.positions.size() / 9)});
    mesh.areal_density = 0.2f;
    mesh.tethers_per_particle = 1 + static_cast<uint32_t>(i % 3);
    NamedMesh other = list[i];
    other.name += ", quadified with a hint and stiffness";
    other.is_generic = false;
    other.mesh.quadify = true;
    other.mesh.gravity_hint[1] = -1;
    for (size_t v = 0; v < mesh.positions.size() / 3; ++v) other.mesh.stiffness.push_back(0.5f + 0.5f * noise(v));
    list.push_back(other);
  }
  return list;
}

}  // namespace clothc::test
