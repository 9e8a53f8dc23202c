// weld.h - merges mesh vertices that are close together into particles.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc::cook {

struct Welding {
  // [vertices].
  std::vector<uint32_t> particle_of_vertex;
  // [particles] the first vertex of each particle, ascending.
  std::vector<uint32_t> vertex_of_particle;
};

// positions: [vertices][3] in m. distance: in m; negative = never merge, 0 = merge equal positions only (-0 equals 0).
Welding weld(const std::vector<float>& positions, float distance);

}  // namespace clothc::cook
