// edges.cpp - owns the search for edges. Each side of a face goes into the bucket of its lower particle; each bucket is
// sorted by the upper particle, and equal neighbours in it are one edge.
#include "cook/topology/edges.h"

#include <algorithm>
#include <cstddef>

namespace clothc::cook {
namespace {

struct Side {
  uint32_t upper;
  uint32_t face;
};

bool operator<(Side a, Side b) { return a.upper != b.upper ? a.upper < b.upper : a.face < b.face; }

Pair side_of(const Face& face, uint32_t i) { return ordered(face.corner[i], face.corner[(i + 1) % face.size()]); }

uint32_t find_root(std::vector<uint32_t>& parent, uint32_t i) {
  while (parent[i] != i) {
    parent[i] = parent[parent[i]];
    i = parent[i];
  }
  return i;
}

}  // namespace

EdgeList find_edges(const std::vector<Face>& faces, uint32_t particle_count) {
  std::vector<uint32_t> begin(size_t{particle_count} + 1, 0);
  for (const Face& face : faces) {
    for (uint32_t i = 0; i < face.size(); ++i) ++begin[size_t{side_of(face, i).first} + 1];
  }
  for (uint32_t p = 0; p < particle_count; ++p) begin[p + 1] += begin[p];
  std::vector<Side> sides(begin[particle_count]);
  std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
  for (uint32_t f = 0; f < faces.size(); ++f) {
    for (uint32_t i = 0; i < faces[f].size(); ++i) {
      const Pair side = side_of(faces[f], i);
      sides[next[side.first]++] = {side.second, f};
    }
  }

  EdgeList edges;
  edges.face.reserve(sides.size());
  for (uint32_t p = 0; p < particle_count; ++p) {
    std::sort(sides.begin() + begin[p], sides.begin() + begin[p + 1]);
    for (uint32_t i = begin[p]; i < begin[p + 1]; ++i) {
      if (i == begin[p] || sides[i].upper != sides[i - 1].upper) {
        edges.pairs.push_back({p, sides[i].upper});
        edges.face_begin.push_back(i);
      }
      edges.face.push_back(sides[i].face);
    }
  }
  edges.face_begin.push_back(static_cast<uint32_t>(sides.size()));
  return edges;
}

std::vector<uint32_t> find_pieces(const std::vector<Pair>& edges, uint32_t particle_count) {
  std::vector<uint32_t> parent(particle_count);
  for (uint32_t p = 0; p < particle_count; ++p) parent[p] = p;
  std::vector<bool> connected(particle_count, false);
  for (const Pair edge : edges) {
    connected[edge.first] = connected[edge.second] = true;
    const uint32_t a = find_root(parent, edge.first), b = find_root(parent, edge.second);
    parent[std::max(a, b)] = std::min(a, b);
  }
  // The index of a parent is never above that of its child, so one pass in ascending order finds every root.
  for (uint32_t p = 0; p < particle_count; ++p) parent[p] = parent[parent[p]];
  for (uint32_t p = 0; p < particle_count; ++p) {
    if (!connected[p]) parent[p] = no_index;
  }
  return parent;
}

}  // namespace clothc::cook
