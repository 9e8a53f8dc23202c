// levels_test.cpp - the coarse levels of cooked fabrics in blobs: a loaded fabric has those of the saved one, and levels
// that cannot be are refused.
#include "support/blob_scene.h"

using namespace clothc_test;

namespace levels_test {
namespace {

struct LevelScene : BlobScene {
  LevelScene() {
    replace_fabric(sheet.desc());
    blob = save(fabric);
  }
};

// Sections of the blob.
constexpr uint32_t counts = 24, nodes = 25, values = 26;
constexpr uint32_t particle_count = 30;

TEST(FabricLevels, are_in_the_blob_in_three_sections_more) {
  const LevelScene scene;
  EXPECT_EQ(BlobScene::section_count(scene.blob), 26u);
  expect_same_after_loading(scene);
}

TEST(FabricLevels, are_left_out_on_demand) {
  LevelScene scene;
  clothc_mesh_desc mesh = scene.sheet.desc();
  mesh.flags = CLOTHC_COOK_NO_HIERARCHY;
  scene.replace_fabric(mesh);
  EXPECT_EQ(BlobScene::section_count(BlobScene::save(scene.fabric)), 15u);
}

TEST(FabricLevels, act_the_same_after_loading) {
  LevelScene scene, loaded;
  ASSERT_OK(clothc_fabric_destroy(loaded.fabric));
  ASSERT_OK(loaded.load(scene.blob, &loaded.fabric));
  BlobScene without;
  for (Scene* each : {static_cast<Scene*>(&scene), static_cast<Scene*>(&loaded), static_cast<Scene*>(&without)}) {
    each->add();
    each->step(10);
  }
  EXPECT_EQ(scene.hash(), loaded.hash());
  EXPECT_NE(scene.hash(), without.hash());
}

TEST(FabricLevels, that_are_forged_are_refused) {
  const LevelScene scene;
  constexpr clothc_result bad = CLOTHC_ERROR_INVALID_ARGUMENT;
  const auto word = [&](uint32_t section, size_t index) { return scene.section(section) + 4 * index; };
  uint32_t node_count;
  std::memcpy(&node_count, &scene.blob[word(counts, 0)], 4);
  EXPECT_FAILS(bad, scene.load_forged(word(counts, 0), 0), "level 0", "0 nodes");
  EXPECT_FAILS(bad, scene.load_forged(word(counts, 0), particle_count), "level 0", "30 nodes");
  EXPECT_FAILS(bad, scene.load_forged(word(counts, 1), 0xffffffffu), "level 0", "neighbours");
  EXPECT_FAILS(bad, scene.load_forged(word(counts, 1), 0), "level_nodes has");
  // The clusters of the particles come first, then their parents.
  EXPECT_FAILS(bad, scene.load_forged(word(nodes, 0), node_count), "the cluster", "below the level's node count");
  EXPECT_FAILS(bad, scene.load_forged(word(nodes, particle_count), node_count), "the parent");
  EXPECT_FAILS(bad, scene.load_forged(word(nodes, size_t{5} * particle_count), 0x80000000u), "the neighbour");
  // The weights of the parents come first.
  EXPECT_FAILS(bad, scene.load_forged(word(values, 0), 0x40000000u), "the weight 2");
  EXPECT_FAILS(bad, scene.load_forged(word(values, 0), 0x7fc00000u), "level_values[0]");
  EXPECT_FAILS(bad, scene.load_forged(word(values, 0), 0), "content hash");
  EXPECT_FAILS(bad, scene.load_forged(64 + 23 * 16 + 8, 1), "level_counts has 1");
  expect_forgeries_harmless(scene);
}

}  // namespace
}  // namespace levels_test
