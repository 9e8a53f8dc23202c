// particle_layout.h - trees of boxes whose nodes have 16 children, and how much room the particles of a cloth
// that collide with cloth need in the tables arena.
#pragma once

#include "cook/fabric_data.h"
#include "kernels/layout.h"

namespace clothc {

// A tree whose last level has so many boxes. Nodes are numbered through complete levels; those behind the last one in
// use are left out.
struct WideBvh {
  uint32_t last = 0;
  uint32_t levels = 1;

  explicit WideBvh(uint32_t boxes_in_last_level) : last(boxes_in_last_level) {
    while (boxes(0) > node_children) ++levels;
  }

  // Boxes of a level, 0 being the root's children.
  uint32_t boxes(uint32_t level) const {
    uint32_t count = last;
    for (uint32_t k = level + 1; k < levels; ++k) count = (count + node_children - 1) / node_children;
    return count;
  }
  uint32_t nodes_before(uint32_t level) const {
    uint32_t count = 0;
    for (uint32_t k = 0; k < level; ++k) count = count * node_children + 1;
    return count;
  }
  uint32_t nodes() const { return nodes_before(levels - 1) + (boxes(levels - 1) + node_children - 1) / node_children; }
};

struct CollisionParticleLayout {
  uint32_t count;   // real collision particles
  uint32_t stride;  // with padding
  WideBvh tree;

  explicit CollisionParticleLayout(uint32_t particles)
      : count(particles),
        stride((particles + lane_padding - 1) / lane_padding * lane_padding),
        tree(stride / node_children) {}
  uint32_t words() const { return collision_particle_words * stride + node_words * tree.nodes(); }
};

}  // namespace clothc
