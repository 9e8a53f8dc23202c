// edges.h - finds the edges of the faces. Each edge occurs once, with the faces that share it.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/faces.h"

namespace clothc::cook {

// Two particles. Invariant: first < second.
struct Pair {
  uint32_t first;
  uint32_t second;

  uint32_t other(uint32_t particle) const { return first == particle ? second : first; }
};

inline Pair ordered(uint32_t a, uint32_t b) { return a < b ? Pair{a, b} : Pair{b, a}; }
inline bool operator<(Pair a, Pair b) { return a.first != b.first ? a.first < b.first : a.second < b.second; }
inline bool operator==(Pair a, Pair b) { return a.first == b.first && a.second == b.second; }

// Returns whether the face visits side.second directly after side.first, going around in its winding order. side is one
// of its sides.
inline bool runs_along(const Face& face, Pair side) { return face.after(side.first) == side.second; }

struct EdgeList {
  // [edges] in ascending order.
  std::vector<Pair> pairs;
  // The faces of edge e are face[face_begin[e]] .. face[face_begin[e + 1] - 1], in ascending order. face_begin has one
  // element more than there are edges.
  std::vector<uint32_t> face_begin;
  std::vector<uint32_t> face;

  uint32_t face_count(uint32_t edge) const { return face_begin[edge + 1] - face_begin[edge]; }
};

EdgeList find_edges(const std::vector<Face>& faces, uint32_t particle_count);

// Finds the connected pieces of the mesh. Returns for each particle the lowest particle that a chain of edges connects
// it to, which identifies its piece, or no_index if the particle has no edge.
std::vector<uint32_t> find_pieces(const std::vector<Pair>& edges, uint32_t particle_count);

}  // namespace clothc::cook
