// collision_particle_layout_test.cpp - BVHs have a node for every 16 boxes of a level, and collision particles have
// memory for themselves and their BVH.
#include "core/collision/particle_layout.h"

#include <gtest/gtest.h>

namespace clothc::collision_particle_layout_test {
namespace {

TEST(WideBvh, each_level_has_a_box_for_every_16_of_the_next_one) {
  for (uint32_t boxes = 1; boxes < 70000; boxes += boxes < 300 ? 1 : 97) {
    const WideBvh bvh(boxes);
    ASSERT_EQ(bvh.boxes(bvh.levels - 1), boxes);
    ASSERT_LE(bvh.boxes(0), node_children) << "the root has them all";
    for (uint32_t level = 0; level + 1 < bvh.levels; ++level) {
      ASSERT_EQ(bvh.boxes(level), (bvh.boxes(level + 1) + 15) / 16) << boxes;
      ASSERT_GT(bvh.boxes(level), 1u) << boxes << " have a level too many";
    }
  }
}

// The children of node k are 16 k + 1 and the following ones. All children that boxes of the last level need exist, and
// none beyond them.
TEST(WideBvh, nodes_go_as_far_as_the_last_box) {
  for (const uint32_t boxes : {1u, 15u, 16u, 17u, 255u, 256u, 257u, 4096u, 4097u, 65537u}) {
    const WideBvh bvh(boxes);
    uint32_t first = 0;
    for (uint32_t level = 0; level < bvh.levels; ++level) {
      EXPECT_EQ(bvh.nodes_before(level), first) << boxes;
      const uint32_t last_node = first + (bvh.boxes(level) - 1) / 16;
      EXPECT_LT(last_node, bvh.nodes()) << boxes;
      if (level + 1 == bvh.levels) {
        EXPECT_EQ(last_node + 1, bvh.nodes()) << boxes;
      }
      first = first * 16 + 1;
    }
  }
}

TEST(CollisionParticleLayout, has_space_for_the_words_of_particles_and_of_nodes) {
  for (const uint32_t particles : {1u, 16u, 17u, 256u, 257u, 5000u}) {
    const CollisionParticleLayout layout(particles);
    EXPECT_EQ(layout.count, particles);
    EXPECT_EQ(layout.stride, (particles + 15) / 16 * 16);
    EXPECT_EQ(layout.bvh.last, layout.stride / 16) << "a box for every 16 particles";
    EXPECT_EQ(layout.words(), layout.stride * collision_particle_words + layout.bvh.nodes() * node_words);
  }
  EXPECT_LE(CollisionParticleLayout(1u << 24).bvh.levels, most_bvh_levels) << "of the largest cloth";
}

}  // namespace
}  // namespace clothc::collision_particle_layout_test
