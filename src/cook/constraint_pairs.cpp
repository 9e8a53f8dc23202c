// constraint_pairs.cpp - owns the choice of shear and bend pairs. Bend in quads: an edge at a vertex is continued by
// the straightest of the edges there that share no face with it, which on a regular vertex is the opposite one. Bend
// in triangles: the two vertices opposite a shared edge.
// An edge of more than two faces has no other side to bend towards: past it only the line of such edges goes on.
// Source: PhysX 3.4 manual, Cloth, "Fabric cooking".
#include "cook/constraint_pairs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "cook/geometry.h"
#include "cook/incidence.h"

namespace clothc::cook {
namespace {

// Straightness is compared for all pairs of edges at a vertex; a pole with more edges has no continuation through it.
constexpr uint32_t max_valence = 64;
// More faces on an edge than this and nothing continues across it.
constexpr uint32_t max_faces_on_edge = 4;

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

// Finds, vertex by vertex, the straightest continuation of each edge of a quad.
class StripFinder {
 public:
  StripFinder(const std::vector<Face>& faces, const EdgeList& edges, const std::vector<float>& positions)
      : edges_(edges), positions_(positions), on_quad_(edges.pairs.size()) {
    for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
      const auto first = edges.face.begin() + edges.face_begin[e];
      const auto last = edges.face.begin() + edges.face_begin[e + 1];
      on_quad_[e] = last - first <= max_faces_on_edge &&
                    std::any_of(first, last, [&](uint32_t face) { return faces[face].is_quad(); });
    }
  }

  void append(std::vector<Pair>& pairs) {
    const uint32_t particle_count = static_cast<uint32_t>(positions_.size() / 4);
    const Incidence incidence =
        find_incidence(particle_count, static_cast<uint32_t>(edges_.pairs.size()), 2,
                       [&](uint32_t e, uint32_t i) { return i == 0 ? edges_.pairs[e].first : edges_.pairs[e].second; });
    for (uint32_t p = 0; p < particle_count; ++p) {
      if (incidence.count(p) <= max_valence) append_at(p, incidence, pairs);
    }
  }

 private:
  struct Spoke {
    uint32_t edge;
    uint32_t end;
    Vector direction;
  };

  void append_at(uint32_t particle, const Incidence& incidence, std::vector<Pair>& pairs) {
    spokes_.clear();
    bool crossing_allowed = true;
    for (uint32_t i = incidence.begin[particle]; i < incidence.begin[particle + 1]; ++i) {
      const uint32_t edge = incidence.item[i];
      crossing_allowed = crossing_allowed && !is_branching(edge);
      if (!on_quad_[edge]) continue;
      const uint32_t end = edges_.pairs[edge].other(particle);
      const Vector along = position_of(positions_, end) - position_of(positions_, particle);
      const double size = length(along);
      const double scale = size > 0 ? 1 / size : 0;
      spokes_.push_back({edge, end, {along.x * scale, along.y * scale, along.z * scale}});
    }
    for (const Spoke& spoke : spokes_) {
      if (!crossing_allowed && !is_branching(spoke.edge)) continue;
      const Spoke* continuation = nullptr;
      double least_cosine = 0;
      for (const Spoke& other : spokes_) {
        if (other.edge == spoke.edge || share_face(spoke.edge, other.edge)) continue;
        if (!crossing_allowed && !is_branching(other.edge)) continue;
        const double cosine = dot(spoke.direction, other.direction);
        if (continuation && cosine >= least_cosine) continue;
        continuation = &other;
        least_cosine = cosine;
      }
      if (continuation) pairs.push_back(ordered(spoke.end, continuation->end));
    }
  }

  bool is_branching(uint32_t edge) const { return edges_.face_count(edge) > 2; }

  bool share_face(uint32_t a, uint32_t b) const {
    for (uint32_t i = edges_.face_begin[a]; i < edges_.face_begin[a + 1]; ++i) {
      for (uint32_t j = edges_.face_begin[b]; j < edges_.face_begin[b + 1]; ++j) {
        if (edges_.face[i] == edges_.face[j]) return true;
      }
    }
    return false;
  }

  const EdgeList& edges_;
  const std::vector<float>& positions_;
  std::vector<bool> on_quad_;
  std::vector<Spoke> spokes_;
};

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

std::vector<Pair> find_bend_pairs(const std::vector<Face>& faces, const EdgeList& edges,
                                  const std::vector<float>& positions) {
  std::vector<Pair> pairs;
  append_triangle_pairs(faces, edges, pairs);
  StripFinder(faces, edges, positions).append(pairs);
  sort_and_clean(pairs, edges.pairs);
  return pairs;
}

}  // namespace clothc::cook
