// pairs.cpp - owns the choice of shear and bend pairs. In quads, a bend constraint connects the far ends of an edge and
// of the edge that continues it. In triangles, it connects the two vertices opposite a shared edge.
// Source: PhysX 3.4 manual, Cloth, "Fabric cooking".
#include "cook/constraints/pairs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace clothc::cook {
namespace {

void sort_and_clean(std::vector<Pair>& pairs, const std::vector<Pair>& edges) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  remove_pairs(pairs, edges);
}

uint32_t opposite_corner(const Face& triangle, Pair edge) {
  for (uint32_t i = 0; i < 2; ++i) {
    if (triangle.corner[i] != edge.first && triangle.corner[i] != edge.second) return triangle.corner[i];
  }
  return triangle.corner[2];
}

void append_triangle_pairs(const std::vector<Face>& faces, const EdgeList& edges, std::vector<Pair>& pairs) {
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
    if (edges.face_count(e) != 2) continue;
    const Face& a = faces[edges.face[edges.face_begin[e]]];
    const Face& b = faces[edges.face[edges.face_begin[e] + 1]];
    if (a.is_quad() || b.is_quad()) continue;
    pairs.push_back(ordered(opposite_corner(a, edges.pairs[e]), opposite_corner(b, edges.pairs[e])));
  }
}

void append_strip_pairs(const EdgeList& edges, const Strips& strips, std::vector<Pair>& pairs) {
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
    for (const uint32_t particle : {edges.pairs[e].first, edges.pairs[e].second}) {
      const uint32_t next = strips.next(edges, e, particle);
      if (next != no_index) pairs.push_back(ordered(edges.pairs[e].other(particle), edges.pairs[next].other(particle)));
    }
  }
}

}  // namespace

void remove_pairs(std::vector<Pair>& pairs, const std::vector<Pair>& others) {
  std::vector<Pair> kept;
  kept.reserve(pairs.size());
  std::set_difference(pairs.begin(), pairs.end(), others.begin(), others.end(), std::back_inserter(kept));
  pairs.swap(kept);
}

std::vector<Pair> find_quad_diagonals(const std::vector<Face>& faces, const EdgeList& edges) {
  std::vector<Pair> pairs;
  for (const Face& face : faces) {
    if (!face.is_quad()) continue;
    pairs.push_back(ordered(face.corner[0], face.corner[2]));
    pairs.push_back(ordered(face.corner[1], face.corner[3]));
  }
  sort_and_clean(pairs, edges.pairs);
  return pairs;
}

std::vector<Pair> find_bend_pairs(const std::vector<Face>& faces, const EdgeList& edges, const Strips& strips) {
  std::vector<Pair> pairs;
  append_triangle_pairs(faces, edges, pairs);
  append_strip_pairs(edges, strips, pairs);
  sort_and_clean(pairs, edges.pairs);
  return pairs;
}

}  // namespace clothc::cook
