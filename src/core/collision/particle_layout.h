// particle_layout.h - the layout of BVHs whose nodes have 16 children, and of the data that the collision particles of
// a cloth have in the tables arena.
#pragma once

#include "cook/fabric_layout.h"
#include "kernels/layout.h"

namespace clothc {

// A BVH whose nodes each hold the boxes of up to 16 children. Nodes are numbered level by level as if every level were
// complete, but the unused nodes at the end of the last level are not stored.
struct WideBvh {
  // Number of boxes in the last level.
  uint32_t last = 0;
  uint32_t levels = 1;

  explicit WideBvh(uint32_t boxes_in_last_level) : last(boxes_in_last_level) {
    while (boxes(0) > node_children) ++levels;
  }

  // Number of boxes in a level. The boxes of level 0 are the root's children.
  uint32_t boxes(uint32_t level) const {
    uint32_t count = last;
    for (uint32_t k = level + 1; k < levels; ++k) count = (count + node_children - 1) / node_children;
    return count;
  }
  // Index of the level's first node: the number of nodes in the complete levels above it.
  uint32_t nodes_before(uint32_t level) const {
    uint32_t count = 0;
    for (uint32_t k = 0; k < level; ++k) count = count * node_children + 1;
    return count;
  }
  // Number of nodes that are stored.
  uint32_t nodes() const { return nodes_before(levels - 1) + (boxes(levels - 1) + node_children - 1) / node_children; }
};

struct CollisionParticleLayout {
  // Number of collision particles without and with padding.
  uint32_t count;
  uint32_t stride;
  // The BVH over the collision particles.
  WideBvh bvh;

  explicit CollisionParticleLayout(uint32_t particles)
      : count(particles), stride(padded(particles)), bvh(stride / node_children) {}
  // Number of words that the arrays over the collision particles and the BVH occupy.
  uint32_t words() const { return collision_particle_words * stride + node_words * bvh.nodes(); }
};

}  // namespace clothc
