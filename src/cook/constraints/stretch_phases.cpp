// stretch_phases.cpp - owns the direction of edges, in texture space or in space relative to the gravity hint. An edge
// on a seam has different texture coordinates in each of its faces: the first face in which it has a direction decides.
// An edge at exactly 45 degrees counts as warp or vertical; an edge without length or direction counts as weft or
// horizontal.
// Source: PhysX 3.4 manual, Cloth, "Fabric cooking" (vertical and horizontal phases by a gravity hint).
#include "cook/constraints/stretch_phases.h"

#include <cmath>
#include <cstddef>

#include "cook/geometry.h"

namespace clothc::cook {
namespace {

struct Texel {
  double u, v;
};

class TextureSpace {
 public:
  TextureSpace(const MeshData& mesh, const FaceList& faces, const EdgeList& edges,
               const std::vector<uint32_t>& particle_of_vertex)
      : mesh_(mesh), faces_(faces), edges_(edges), particle_of_vertex_(particle_of_vertex) {}

  bool is_warp(uint32_t edge) const {
    for (uint32_t i = edges_.face_begin[edge]; i < edges_.face_begin[edge + 1]; ++i) {
      const Texel along = direction_in(edges_.face[i], edges_.pairs[edge]);
      if (along.u != 0 || along.v != 0) return std::fabs(along.v) >= std::fabs(along.u);
    }
    return false;
  }

 private:
  // Returns the direction in texture space of that side of the face whose vertices became the pair.
  Texel direction_in(uint32_t face, Pair pair) const {
    const MeshFace corners = face_of_mesh(mesh_, faces_.mesh_face[face]);
    for (uint32_t i = 0; i < corners.size; ++i) {
      const uint32_t a = corners.vertices[i], b = corners.vertices[(i + 1) % corners.size];
      if (!(ordered(particle_of_vertex_[a], particle_of_vertex_[b]) == pair)) continue;
      const Texel from = texel(a), to = texel(b);
      return {to.u - from.u, to.v - from.v};
    }
    return {0, 0};
  }

  Texel texel(uint32_t vertex) const {
    const float* uv = &mesh_.texture_coordinates[size_t{vertex} * 2];
    return {double{uv[0]}, double{uv[1]}};
  }

  const MeshData& mesh_;
  const FaceList& faces_;
  const EdgeList& edges_;
  const std::vector<uint32_t>& particle_of_vertex_;
};

// The angle between the two is at most 45 degrees if cos^2 >= 1/2.
bool is_vertical(Vector along, Vector hint) {
  const double product = dot(along, hint);
  return product != 0 && 2 * product * product >= dot(along, along) * dot(hint, hint);
}

// Divides the edges between two phases, and leaves out a phase without edges.
template <class IsFirst>
std::vector<StretchPhase> split(const EdgeList& edges, const std::vector<bool>& left_out, PhaseType first,
                                PhaseType second, IsFirst is_first) {
  StretchPhase phases[2] = {{first, {}}, {second, {}}};
  for (uint32_t e = 0; e < edges.pairs.size(); ++e) {
    if (left_out.empty() || !left_out[e]) phases[is_first(e) ? 0 : 1].pairs.push_back(edges.pairs[e]);
  }
  std::vector<StretchPhase> kept;
  for (StretchPhase& phase : phases) {
    if (!phase.pairs.empty()) kept.push_back(std::move(phase));
  }
  return kept;
}

}  // namespace

std::vector<StretchPhase> find_stretch_phases(const MeshData& mesh, const FaceList& faces, const EdgeList& edges,
                                              const std::vector<bool>& left_out,
                                              const std::vector<uint32_t>& particle_of_vertex,
                                              const std::vector<float>& positions) {
  if (!mesh.texture_coordinates.empty()) {
    const TextureSpace space(mesh, faces, edges, particle_of_vertex);
    return split(edges, left_out, phase_warp, phase_weft, [&](uint32_t e) { return space.is_warp(e); });
  }
  const Vector hint = {double{mesh.gravity_hint[0]}, double{mesh.gravity_hint[1]}, double{mesh.gravity_hint[2]}};
  if (dot(hint, hint) > 0) {
    return split(edges, left_out, phase_vertical, phase_horizontal, [&](uint32_t e) {
      const Pair pair = edges.pairs[e];
      return is_vertical(position_of(positions, pair.second) - position_of(positions, pair.first), hint);
    });
  }
  return split(edges, left_out, phase_stretch, phase_stretch, [](uint32_t) { return true; });
}

}  // namespace clothc::cook
