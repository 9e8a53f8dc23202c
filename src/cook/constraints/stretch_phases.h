// stretch_phases.h - divides the edges of the mesh into stretch phases. Invariant: each edge is in at most one of them.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/cook.h"
#include "cook/topology/edges.h"

namespace clothc::cook {

// Values of clothc_phase_type.
enum PhaseType : uint32_t {
  phase_stretch = 1,
  phase_shear = 2,
  phase_bend = 3,
  phase_vertical = 4,
  phase_horizontal = 5,
  phase_warp = 6,
  phase_weft = 7,
  phase_long_range = 8
};

// Whether a phase keeps edges at their lengths.
inline bool is_stretch(uint32_t phase_type) {
  return phase_type == phase_stretch || phase_type == phase_vertical || phase_type == phase_horizontal ||
         phase_type == phase_warp || phase_type == phase_weft;
}

struct StretchPhase {
  PhaseType type;
  // Ascending.
  std::vector<Pair> pairs;
};

// Returns a warp and a weft phase if the mesh has texture coordinates; otherwise a vertical and a horizontal phase if
// it has a gravity hint; otherwise one stretch phase. Phases without edges are left out. left_out: [edges] the edges
// that go into no phase, or empty if there are none. positions: [particles][4].
std::vector<StretchPhase> find_stretch_phases(const MeshData& mesh, const FaceList& faces, const EdgeList& edges,
                                              const std::vector<bool>& left_out,
                                              const std::vector<uint32_t>& particle_of_vertex,
                                              const std::vector<float>& positions);

}  // namespace clothc::cook
