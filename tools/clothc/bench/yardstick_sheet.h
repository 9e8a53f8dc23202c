// yardstick_sheet.h - the mesh that the edge yardstick solves: a jittered 50 x 50 sheet with stretch, shear and bend
// constraints, greedily coloured. Each colour is padded to a multiple of 16 with constraints of one pinned padding
// particle.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc_tool {

struct alignas(64) YardstickLine {
  // Four particles of x y z 1/m.
  float values[16];
};

struct YardstickSheet {
  YardstickSheet();

  // Moves the particles back to their start.
  void reset();

  float* particles() { return current.data()->values; }

  // Particles of each constraint.
  std::vector<int32_t> first, second;

  std::vector<float> rest_lengths;

  // First constraint of each colour, followed by the end of the last one.
  std::vector<int32_t> colour_begins;

  // Without padding.
  uint32_t constraint_count = 0;

  std::vector<YardstickLine> start, current;
};

#if defined(CLOTHC_HAVE_YARDSTICK_AVX2)
// Solves the constraints [begin, end), whose number is a multiple of 8 and which share no particle.
void solve_yardstick_edges_avx2(float* particles, const int32_t* first, const int32_t* second,
                                const float* rest_lengths, int32_t begin, int32_t end, float stiffness);
#endif

}  // namespace clothc_tool
