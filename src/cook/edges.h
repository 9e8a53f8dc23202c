// edges.h - the unique edges of the faces, with the faces on each.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/faces.h"

namespace clothc::cook {

// Two particles, first < second.
struct Pair {
  uint32_t first;
  uint32_t second;

  uint32_t other(uint32_t particle) const { return first == particle ? second : first; }
};

inline Pair ordered(uint32_t a, uint32_t b) { return a < b ? Pair{a, b} : Pair{b, a}; }
inline bool operator<(Pair a, Pair b) { return a.first != b.first ? a.first < b.first : a.second < b.second; }
inline bool operator==(Pair a, Pair b) { return a.first == b.first && a.second == b.second; }

struct EdgeList {
  std::vector<Pair> pairs;           // ascending
  std::vector<uint32_t> face_begin;  // [edges + 1] into face
  std::vector<uint32_t> face;        // faces of each edge, ascending

  uint32_t face_count(uint32_t edge) const { return face_begin[edge + 1] - face_begin[edge]; }
};

EdgeList find_edges(const std::vector<Face>& faces, uint32_t particle_count);

// Pieces of the mesh that no edge connects, not counting particles without an edge.
uint32_t count_components(const std::vector<Pair>& edges, uint32_t particle_count);

}  // namespace clothc::cook
