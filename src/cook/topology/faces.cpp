// faces.cpp - owns the choice of faces. It drops a face that has a repeated particle, has no area, or has the particles
// of an earlier face; the winding does not matter, since two opposite layers would cancel each other's normals. A quad
// with two neighbouring corners on one particle becomes a triangle. A quad that is folded onto its diagonal has no
// area.
#include "cook/topology/faces.h"

#include <algorithm>
#include <cstddef>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

bool is_flat(const std::vector<float>& positions, uint32_t a, uint32_t b, uint32_t c) {
  const double longest = std::max({distance(positions, a, b), distance(positions, b, c), distance(positions, c, a)});
  return 2 * triangle_area(positions, a, b, c) <= flatness * longest * longest;
}

bool corners_differ(const Face& face) {
  for (uint32_t i = 1; i < face.size(); ++i) {
    for (uint32_t j = 0; j < i; ++j) {
      if (face.corner[i] == face.corner[j]) return false;
    }
  }
  return true;
}

// If two neighbouring corners of the quad are equal, removes one of them and returns true.
bool shrink_quad(Face& face) {
  for (uint32_t i = 0; i < 4; ++i) {
    if (face.corner[i] != face.corner[(i + 1) % 4]) continue;
    for (uint32_t j = i; j < 3; ++j) face.corner[j] = face.corner[j + 1];
    face.corner[3] = no_index;
    return true;
  }
  return false;
}

double longest_side(const std::vector<float>& positions, const Face& face) {
  double longest = 0;
  for (uint32_t i = 0; i < face.size(); ++i) {
    longest = std::max(longest, distance(positions, face.corner[i], face.corner[(i + 1) % face.size()]));
  }
  return longest;
}

struct Split {
  std::array<std::array<uint32_t, 3>, 2> triangle;
  std::array<bool, 2> flat;
};

Split split_quad(const std::vector<float>& positions, const Face& quad, uint32_t first) {
  const auto corner = [&](uint32_t i) { return quad.corner[(first + i) % 4]; };
  Split split;
  split.triangle = {{{corner(0), corner(1), corner(2)}, {corner(0), corner(2), corner(3)}}};
  for (size_t i = 0; i < 2; ++i) {
    const auto& t = split.triangle[i];
    split.flat[i] = is_flat(positions, t[0], t[1], t[2]);
  }
  return split;
}

// Splits the quad along the shorter diagonal, or along the diagonal of the first corner if both are equally long. Takes
// the other diagonal if that leaves fewer flat triangles.
Split split_best(const std::vector<float>& positions, const Face& quad) {
  const bool first =
      distance(positions, quad.corner[0], quad.corner[2]) <= distance(positions, quad.corner[1], quad.corner[3]);
  const Split split = split_quad(positions, quad, first ? 0 : 1);
  if (!split.flat[0] && !split.flat[1]) return split;
  const Split other = split_quad(positions, quad, first ? 1 : 0);
  const int flat = split.flat[0] + split.flat[1];
  return other.flat[0] + other.flat[1] < flat ? other : split;
}

// Appends those triangles of the face that have an area. Returns whether there were any.
bool append_triangles(const std::vector<float>& positions, const Face& face, std::vector<uint32_t>& triangles) {
  if (!face.is_quad()) {
    if (is_flat(positions, face.corner[0], face.corner[1], face.corner[2])) return false;
    triangles.insert(triangles.end(), face.corner.begin(), face.corner.begin() + 3);
    return true;
  }
  const Split split = split_best(positions, face);
  for (size_t i = 0; i < 2; ++i) {
    if (!split.flat[i]) triangles.insert(triangles.end(), split.triangle[i].begin(), split.triangle[i].end());
  }
  return !split.flat[0] || !split.flat[1];
}

// Returns the corners in an order that does not depend on winding or on the first corner: from the lowest particle on,
// in the direction of the lower one of its two neighbours.
std::array<uint32_t, 4> canonical(const Face& face) {
  const uint32_t size = face.size();
  uint32_t lowest = 0;
  for (uint32_t i = 1; i < size; ++i) {
    if (face.corner[i] < face.corner[lowest]) lowest = i;
  }
  const bool forward = face.corner[(lowest + 1) % size] < face.corner[(lowest + size - 1) % size];
  std::array<uint32_t, 4> key = {no_index, no_index, no_index, no_index};
  for (uint32_t i = 0; i < size; ++i) key[i] = face.corner[(lowest + (forward ? i : size - i)) % size];
  return key;
}

// The set of faces added so far, as a hash table with open addressing.
class FaceSet {
 public:
  explicit FaceSet(size_t face_count) {
    size_t size = 4;
    while (size < face_count * 2) size *= 2;
    slots_.assign(size, no_index);
  }

  // If an earlier face has the same particles, returns its index. Otherwise inserts the face under the index
  // faces.size() and returns no_index. faces holds the faces inserted before.
  uint32_t insert(const Face& face, const std::vector<Face>& faces) {
    const auto key = canonical(face);
    size_t slot = hash(key);
    for (; slots_[slot] != no_index; slot = (slot + 1) & (slots_.size() - 1)) {
      if (canonical(faces[slots_[slot]]) == key) return slots_[slot];
    }
    slots_[slot] = static_cast<uint32_t>(faces.size());
    return no_index;
  }

 private:
  size_t hash(const std::array<uint32_t, 4>& key) const {
    uint64_t h = 0;
    for (const uint32_t word : key) {
      h = (h ^ word) * 0x9e3779b97f4a7c15u;
      h ^= h >> 32;
    }
    return static_cast<size_t>(h) & (slots_.size() - 1);
  }

  std::vector<uint32_t> slots_;
};

// Appends the mesh vertices of list.triangles[first] and all later ones, which belong to this face. If two corners of
// the face are one particle, takes the vertex of the first one.
void append_vertices(const MeshFace& face, const std::vector<uint32_t>& particle_of_vertex, size_t first,
                     FaceList& list) {
  for (size_t k = first; k < list.triangles.size(); ++k) {
    const uint32_t* corner = std::find_if(face.vertices, face.vertices + face.size, [&](uint32_t vertex) {
      return particle_of_vertex[vertex] == list.triangles[k];
    });
    list.triangle_vertices.push_back(*corner);
  }
}

// Fills a face list with one face of the mesh after the other.
class FaceCollector {
 public:
  FaceCollector(const std::vector<float>& positions, size_t face_count, FaceList& list, DiagnosticList& diagnostics)
      : positions_(positions), list_(list), diagnostics_(diagnostics), met_(face_count) {}

  // index: the index of the face in the mesh.
  void add(Face face, uint32_t index) {
    const bool shrunk = face.is_quad() && shrink_quad(face);
    if (!corners_differ(face)) {
      diagnostics_.add(diagnostic_repeated_vertex, index);
      return drop(index);
    }
    const size_t triangles_before = list_.triangles.size();
    if (!append_triangles(positions_, face, list_.triangles)) {
      diagnostics_.add(diagnostic_flat_face, index, no_index, longest_side(positions_, face));
      return drop(index);
    }
    const uint32_t earlier = met_.insert(face, list_.faces);
    if (earlier != no_index) {
      diagnostics_.add(diagnostic_duplicate_face, index, list_.mesh_face[earlier]);
      list_.triangles.resize(triangles_before);
      return drop(index);
    }
    if (shrunk) diagnostics_.add(diagnostic_repeated_vertex, index, no_index, 1);
    list_.faces.push_back(face);
    list_.mesh_face.push_back(index);
  }

 private:
  void drop(uint32_t index) {
    if (list_.dropped_count++ == 0) list_.first_dropped = index;
  }

  const std::vector<float>& positions_;
  FaceList& list_;
  DiagnosticList& diagnostics_;
  FaceSet met_;
};

}  // namespace

MeshFace face_of_mesh(const MeshData& mesh, size_t index) {
  const size_t triangle_count = mesh.triangles.size() / 3;
  if (index < triangle_count) return {&mesh.triangles[index * 3], 3};
  return {&mesh.quads[(index - triangle_count) * 4], 4};
}

FaceList collect_faces(const MeshData& mesh, const std::vector<uint32_t>& particle_of_vertex,
                       const std::vector<float>& positions, DiagnosticList& diagnostics) {
  const size_t face_count = mesh.triangles.size() / 3 + mesh.quads.size() / 4;
  FaceList list;
  list.faces.reserve(face_count);
  list.mesh_face.reserve(face_count);
  list.triangles.reserve(mesh.triangles.size() + mesh.quads.size() / 2 * 3);
  FaceCollector collector(positions, face_count, list, diagnostics);
  for (size_t i = 0; i < face_count; ++i) {
    const MeshFace mesh_face = face_of_mesh(mesh, i);
    Face face{{no_index, no_index, no_index, no_index}};
    for (uint32_t j = 0; j < mesh_face.size; ++j) face.corner[j] = particle_of_vertex[mesh_face.vertices[j]];
    const size_t triangles_before = list.triangles.size();
    collector.add(face, static_cast<uint32_t>(i));
    if (!mesh.texture_coordinates.empty()) append_vertices(mesh_face, particle_of_vertex, triangles_before, list);
  }
  return list;
}

}  // namespace clothc::cook
