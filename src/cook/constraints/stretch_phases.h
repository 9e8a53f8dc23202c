// stretch_phases.h - which phase each edge of the mesh stretches in.
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

struct StretchPhase {
  PhaseType type;
  std::vector<Pair> pairs;  // ascending
};

// One phase; or warp and weft with texture coordinates; or else vertical and horizontal with a gravity hint. Edges in
// left_out [edges] go into none; an empty left_out leaves out none. positions: [particles][4].
std::vector<StretchPhase> find_stretch_phases(const MeshData& mesh, const FaceList& faces, const EdgeList& edges,
                                              const std::vector<bool>& left_out,
                                              const std::vector<uint32_t>& particle_of_vertex,
                                              const std::vector<float>& positions);

}  // namespace clothc::cook
