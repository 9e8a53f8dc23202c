// edges.h - the unique edges of the faces, with the faces on each.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/faces.h"

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

// Whether the face runs from the pair's first particle to its second, rather than back.
inline bool runs_along(const Face& face, Pair side) { return face.after(side.first) == side.second; }

struct EdgeList {
  std::vector<Pair> pairs;           // ascending
  std::vector<uint32_t> face_begin;  // [edges + 1] into face
  std::vector<uint32_t> face;        // faces of each edge, ascending

  uint32_t face_count(uint32_t edge) const { return face_begin[edge + 1] - face_begin[edge]; }
};

EdgeList find_edges(const std::vector<Face>& faces, uint32_t particle_count);

// For each particle the lowest one that edges connect it with, which names its piece; no_index for one without an edge.
std::vector<uint32_t> find_pieces(const std::vector<Pair>& edges, uint32_t particle_count);

}  // namespace clothc::cook
