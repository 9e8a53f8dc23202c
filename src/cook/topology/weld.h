// weld.h - merging of mesh vertices that lie close together into particles.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc::cook {

struct Welding {
  std::vector<uint32_t> particle_of_vertex;  // [vertices]
  std::vector<uint32_t> vertex_of_particle;  // [particles] the first vertex of each, ascending
};

// positions: [vertices][3]. distance: negative = never merge, 0 = equal positions only (-0 equals 0).
Welding weld(const std::vector<float>& positions, float distance);

}  // namespace clothc::cook
