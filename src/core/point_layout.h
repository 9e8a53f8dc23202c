// point_layout.h - how much room the points of a cloth that collide with cloth need in the tables arena.
#pragma once

#include "cook/fabric_data.h"
#include "kernels/layout.h"

namespace clothc {

struct PointLayout {
  uint32_t count = 0;   // real points
  uint32_t stride = 0;  // with padding
  uint32_t levels = 0;  // of the tree of boxes

  explicit PointLayout(uint32_t points) : count(points), stride((points + lane_padding - 1) / lane_padding * lane_padding) {
    for (levels = 1; boxes(0) > node_children;) ++levels;
  }

  // Boxes of a level, 0 being the root's children.
  uint32_t boxes(uint32_t level) const {
    uint32_t boxes = stride / node_children;
    for (uint32_t k = level + 1; k < levels; ++k) boxes = (boxes + node_children - 1) / node_children;
    return boxes;
  }

  // Nodes are numbered through complete levels; those behind the last one in use are left out.
  uint32_t nodes() const {
    uint32_t before = 0;
    for (uint32_t k = 1; k < levels; ++k) before = before * node_children + 1;
    return before + (boxes(levels - 1) + node_children - 1) / node_children;
  }

  uint32_t words() const { return point_words * stride + node_words * nodes(); }
};

}  // namespace clothc
