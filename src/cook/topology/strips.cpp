// strips.cpp - owns the search for the straightest continuation of each edge of a quad, particle by particle.
#include "cook/topology/strips.h"

#include <algorithm>
#include <cstddef>

#include "cook/geometry.h"
#include "cook/topology/incidence.h"

namespace clothc::cook {
namespace {

// Largest number of edges at a particle that lines pass through. The search compares all pairs of edges at a particle,
// so it skips poles with more edges.
constexpr uint32_t max_valence = 64;
// An edge with more faces than this is treated as if it belonged to no quad, and has no continuation.
constexpr uint32_t max_faces_on_edge = 4;

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

  Strips find() {
    Strips strips;
    strips.continuations.assign(edges_.pairs.size() * 2, no_index);
    const uint32_t particle_count = static_cast<uint32_t>(positions_.size() / 4);
    const Incidence incidence =
        find_incidence(particle_count, static_cast<uint32_t>(edges_.pairs.size()), 2,
                       [&](uint32_t e, uint32_t i) { return i == 0 ? edges_.pairs[e].first : edges_.pairs[e].second; });
    for (uint32_t p = 0; p < particle_count; ++p) {
      if (incidence.count(p) <= max_valence) find_at(p, incidence, strips);
    }
    return strips;
  }

 private:
  struct Spoke {
    uint32_t edge;
    Vector direction;
  };

  void find_at(uint32_t particle, const Incidence& incidence, Strips& strips) {
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
      spokes_.push_back({edge, {along.x * scale, along.y * scale, along.z * scale}});
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
      if (continuation == nullptr) continue;
      const bool at_second = edges_.pairs[spoke.edge].second == particle;
      strips.continuations[spoke.edge * size_t{2} + at_second] = continuation->edge;
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

Strips find_strips(const std::vector<Face>& faces, const EdgeList& edges, const std::vector<float>& positions) {
  return StripFinder(faces, edges, positions).find();
}

}  // namespace clothc::cook
