// solids.h - closed meshes that bound a solid, with triangles that are anticlockwise when seen from outside.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace clothc::test {

struct Solid {
  // [][3]
  std::vector<float> vertices;

  // [][3]
  std::vector<uint32_t> triangles;

  size_t vertex_count() const { return vertices.size() / 3; }
  size_t triangle_count() const { return triangles.size() / 3; }
};

inline Solid make_box(float x, float y, float z) {
  Solid box;
  for (uint32_t i = 0; i < 8; ++i) {
    box.vertices.insert(box.vertices.end(), {i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z});
  }
  box.triangles = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
  return box;
}

// Makes an octahedron whose triangles are repeatedly cut into four, with corners on the sphere: 8 * 4^cuts triangles.
// It uses only + - * / and sqrt, so its bits are the same on every platform.
inline Solid make_sphere(float radius, uint32_t cuts, float x = 0, float y = 0, float z = 0) {
  Solid s;
  s.vertices = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
  s.triangles = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  for (uint32_t cut = 0; cut < cuts; ++cut) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> middles;
    const auto middle = [&](uint32_t a, uint32_t b) {
      const auto [found, is_new] = middles.insert({std::minmax(a, b), static_cast<uint32_t>(s.vertex_count())});
      if (is_new) {
        float m[3], size = 0;
        for (size_t i = 0; i < 3; ++i) {
          m[i] = s.vertices[a * 3 + i] + s.vertices[b * 3 + i];
          size += m[i] * m[i];
        }
        for (const float c : m) s.vertices.push_back(c / std::sqrt(size));
      }
      return found->second;
    };
    std::vector<uint32_t> smaller;
    for (size_t t = 0; t < s.triangles.size(); t += 3) {
      const uint32_t a = s.triangles[t], b = s.triangles[t + 1], c = s.triangles[t + 2];
      const uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      smaller.insert(smaller.end(), {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca});
    }
    s.triangles = smaller;
  }
  const float centre[3] = {x, y, z};
  for (size_t i = 0; i < s.vertices.size(); ++i) s.vertices[i] = s.vertices[i] * radius + centre[i % 3];
  return s;
}

// Makes a torus around the z axis.
inline Solid make_torus(double radius, double tube, uint32_t around, uint32_t across) {
  Solid torus;
  const double turn = 2 * 3.14159265358979323846;
  for (uint32_t i = 0; i < around; ++i) {
    for (uint32_t j = 0; j < across; ++j) {
      const double u = turn * i / around, v = turn * j / across, r = radius + tube * std::cos(v);
      torus.vertices.insert(torus.vertices.end(),
                            {static_cast<float>(r * std::cos(u)), static_cast<float>(r * std::sin(u)),
                             static_cast<float>(tube * std::sin(v))});
      const uint32_t i1 = (i + 1) % around, j1 = (j + 1) % across;
      const uint32_t a = i * across + j, b = i1 * across + j, c = i1 * across + j1, d = i * across + j1;
      torus.triangles.insert(torus.triangles.end(), {a, b, c, a, c, d});
    }
  }
  return torus;
}

inline Solid joined(Solid a, const Solid& b) {
  const uint32_t first = static_cast<uint32_t>(a.vertex_count());
  a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const uint32_t corner : b.triangles) a.triangles.push_back(first + corner);
  return a;
}

inline Solid turned_inside_out(Solid solid) {
  for (size_t t = 0; t < solid.triangles.size(); t += 3) std::swap(solid.triangles[t], solid.triangles[t + 1]);
  return solid;
}

}  // namespace clothc::test
