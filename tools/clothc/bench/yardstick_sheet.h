// The mesh the edge yardstick solves: a jittered 50 x 50 sheet with stretch, shear and bend constraints, greedily
// coloured, each colour padded to a multiple of 16 with constraints of one pinned dummy particle.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc_tool {

struct alignas(64) YardstickLine {
  float values[16];  // four particles of x y z 1/m
};

struct YardstickSheet {
  YardstickSheet();
  void reset();  // puts the particles back where they started
  float* particles() { return current.data()->values; }

  std::vector<int32_t> first, second;  // particles of each constraint
  std::vector<float> rest_lengths;
  std::vector<int32_t> colour_begins;  // and the end of the last
  uint32_t constraint_count = 0;       // without padding
  std::vector<YardstickLine> start, current;
};

#if defined(CLOTHC_HAVE_YARDSTICK_AVX2)
// Solves constraints [begin, end), a multiple of 8 that share no particle.
void solve_yardstick_edges_avx2(float* particles, const int32_t* first, const int32_t* second,
                                const float* rest_lengths, int32_t begin, int32_t end, float stiffness);
#endif

}  // namespace clothc_tool
