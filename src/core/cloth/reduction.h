// reduction.h - the tree in which kernels reduce over the particles of a cloth, as reduction.kernel.h describes it. It
// depends on the number of particles alone, so sums have the same bits on every device.
#pragma once

#include "cook/fabric_layout.h"
#include "kernels/layout.h"

namespace clothc {

static_assert(lane_padding == 16, "lanes of reductions come in blocks of 16");

// Number of lanes that reduce so many items, where each takes items_per_lane.
constexpr uint32_t reducing_lanes(uint32_t items, uint32_t items_per_lane) {
  const uint32_t of_block = lane_padding * items_per_lane;
  return items == 0 ? lane_padding : (items - 1) / of_block * lane_padding + lane_padding;
}
constexpr uint32_t reduction_lanes_for(uint32_t particle_count) {
  return reducing_lanes(particle_count, reduction_items);
}

// Calls visit(level, lanes, combining) for each level whose results are combined by lanes of the next one.
template <class Visitor>
void for_each_combined_level(uint32_t particle_count, Visitor visit) {
  uint32_t level = 0;
  for (uint32_t lanes = reduction_lanes_for(particle_count); lanes > lane_padding; ++level) {
    const uint32_t combining = reducing_lanes(lanes, reduction_fan);
    visit(level, lanes, combining);
    lanes = combining;
  }
}

// Number of lanes of all levels.
inline uint32_t lanes_of_all_levels(uint32_t particle_count) {
  uint32_t lanes = lane_padding;
  for_each_combined_level(particle_count, [&](uint32_t, uint32_t combined, uint32_t) { lanes += combined; });
  return lanes;
}

}  // namespace clothc
