// cloth_bvh_test.cpp - the BVH over colliding cloths after an update. Whatever the order of its leaves, it contains
// each cloth once, and each box encloses those below it.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "core/collision/particle_layout.h"
#include "unit/core/host_scene.h"

namespace clothc::test::cloth_bvh_test {
namespace {

// Boxes of the children of nodes, as minimum x y z and maximum x y z.
class Boxes {
 public:
  Boxes(const HostScene& scene, uint32_t count) : shape_(count) {
    const Arenas& arenas = scene.recordings().back().dispatch.arenas;
    const auto* records = static_cast<const GroupRecord*>(arenas.records->host_pointer());
    const GroupSettings& settings = records[scene.cloths().front()->slot].settings;
    const auto* tables = static_cast<const uint32_t*>(arenas.tables->host_pointer());
    const uint32_t* header = tables + settings.cloth_bvh;
    EXPECT_EQ(header[cloth_bvh_count], count);
    EXPECT_EQ(header[cloth_bvh_levels], shape_.levels);
    words_.resize(size_t{shape_.nodes()} * node_words);
    std::memcpy(words_.data(), tables + header[cloth_bvh_nodes], words_.size() * 4);
  }
  uint32_t node_count() const { return shape_.nodes(); }
  uint32_t first_of_last_level() const { return shape_.nodes_before(shape_.levels - 1); }
  float at(uint32_t node, uint32_t child, uint32_t side) const {
    return words_[node * node_words + side * node_children + child];
  }
  bool is_empty(uint32_t node, uint32_t child) const { return at(node, child, 0) > at(node, child, 3); }

 private:
  WideBvh shape_;
  std::vector<float> words_;
};

constexpr float half_thickness = 0.125f;

// Checks the leaves. The cloths stand at the given multiples of 3 m along x and consist of two rows of 16 and 4
// particles.
void expect_leaves(const Boxes& boxes, const std::set<int>& positions) {
  std::set<int> found;
  for (uint32_t node = boxes.first_of_last_level(); node < boxes.node_count(); ++node) {
    for (uint32_t child = 0; child < node_children; ++child) {
      const bool is_leaf = (node - boxes.first_of_last_level()) * node_children + child < positions.size();
      ASSERT_EQ(boxes.is_empty(node, child), !is_leaf);
      if (!is_leaf) continue;
      const int position = static_cast<int>(std::lround(boxes.at(node, child, 0) / 3));
      const float x = 3 * static_cast<float>(position);
      EXPECT_TRUE(found.insert(position).second) << "twice";
      const float sides[6] = {x, 0, 0, x + 1.5f, 0, 0.1f};
      for (uint32_t side = 0; side < 6; ++side) {
        EXPECT_NEAR(boxes.at(node, child, side), sides[side] + (side < 3 ? -half_thickness : half_thickness), 1e-5)
            << "cloth at " << position << ", side " << side;
      }
    }
  }
  EXPECT_EQ(found, positions);
}

// Expects a box to enclose those of the node below it, and to be no larger than that.
void expect_tight(const Boxes& boxes, uint32_t node, uint32_t child) {
  const uint32_t below = node * node_children + 1 + child;
  ASSERT_EQ(boxes.is_empty(node, child), below >= boxes.node_count());
  if (below >= boxes.node_count()) return;
  for (uint32_t side = 0; side < 6; ++side) {
    float outmost = boxes.at(below, 0, side);
    for (uint32_t k = 1; k < node_children; ++k) {
      const float other = boxes.at(below, k, side);
      outmost = side < 3 ? std::min(outmost, other) : std::max(outmost, other);
    }
    EXPECT_EQ(boxes.at(node, child, side), outmost) << "node " << node << ", child " << child << ", side " << side;
  }
}

TEST(ClothBvh, has_a_box_around_each_cloth_that_collides_and_around_those_of_each_node) {
  HostScene scene;
  std::set<int> positions;
  for (int k = 0; k < 31; ++k) {
    // The last cloth takes the slot of the fourth.
    if (k == 30) {
      scene.remove(scene.cloths()[3]->id);
      positions.erase(3 * 7 % 31);
    }
    const int position = k * 7 % 31;
    scene.add(inter_collision(static_cast<uint32_t>(k % 3)), 20, 3 * static_cast<float>(position));
    positions.insert(position);
    if (positions.size() == 1) continue;
    scene.update();
    const Boxes boxes(scene, static_cast<uint32_t>(positions.size()));
    SCOPED_TRACE(positions.size());
    expect_leaves(boxes, positions);
    for (uint32_t node = 0; node < boxes.first_of_last_level(); ++node) {
      for (uint32_t child = 0; child < node_children; ++child) expect_tight(boxes, node, child);
    }
  }
}

// n iterations of v += g h, x += v h give x = g h^2 n (n + 1) / 2. Each update has five iterations.
TEST(ClothBvh, follows_cloths_that_move) {
  HostScene scene;
  clothc_cloth_parameters falling = inter_collision(0);
  falling.gravity[1] = -10;
  scene.add(inter_collision(0));
  scene.add(falling, 20, 3);
  for (int n = 5; n <= 25; n += 5) {
    scene.update();
    const Boxes boxes(scene, 2);
    EXPECT_EQ(boxes.at(0, 0, 1), -half_thickness);
    EXPECT_NEAR(boxes.at(0, 1, 4), half_thickness - 10.0 * n * (n + 1) / 2 / 300 / 300, 1e-5) << n;
  }
}

}  // namespace
}  // namespace clothc::test::cloth_bvh_test
