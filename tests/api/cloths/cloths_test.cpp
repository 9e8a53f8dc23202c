// cloths_test.cpp - cloths are added, removed, cloned, listed and compacted. Their motion does not depend on where they
// are stored.
#include <algorithm>

#include "support/scene.h"

using namespace clothc_test;

namespace cloths_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Cloths);

// Elements that a cloth takes: 30 particles, rounded up to a multiple of 16, and 16 more.
constexpr uint32_t padded = 48;

std::vector<clothc_cloth_id> list(const Scene& scene) {
  uint32_t count = 0;
  EXPECT_OK(clothc_cloth_list(scene.solver, nullptr, &count));
  std::vector<clothc_cloth_id> ids(count);
  EXPECT_OK(clothc_cloth_list(scene.solver, ids.data(), &count));
  return ids;
}

TEST_P(Cloths, are_listed_in_the_order_of_their_ordinals) {
  Scene scene(GetParam());
  std::vector<clothc_cloth_id> ids = {scene.cloth, scene.add(), scene.add(), scene.add()};
  ASSERT_OK(clothc_cloth_remove(scene.solver, ids[1]));
  ids.erase(ids.begin() + 1);
  ids.push_back(scene.add());
  EXPECT_EQ(list(scene), ids);
  const uint64_t ordinals[] = {0, 2, 3, 4};
  const clothc_fabric_info fabric = fabric_info(scene.fabric);
  for (uint32_t k = 0; k < 4; ++k) {
    const clothc_cloth_info info = scene.info(ids[k]);
    EXPECT_EQ(info.index, k);
    EXPECT_EQ(info.ordinal, ordinals[k]);
    EXPECT_EQ(info.particle_count, 30u);
    EXPECT_EQ(info.fabric_hash, fabric.content_hash);
    EXPECT_EQ(info.phase_config_count, fabric.phase_count);
  }
  clothc_cloth_id two[2] = {0, 0};
  uint32_t count = 2;
  EXPECT_EQ(clothc_cloth_list(scene.solver, two, &count), CLOTHC_INCOMPLETE);
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(two[1], ids[1]);
}

TEST_P(Cloths, holes_are_used_first_fit_and_a_full_solver_tells_its_largest_hole) {
  SceneOptions options(GetParam());
  options.solver.particle_capacity = 4 * padded;
  Scene scene(options);
  const clothc_cloth_id ids[4] = {scene.cloth, scene.add(), scene.add(), scene.add()};
  const uint64_t hash = scene.hash();
  const clothc_cloth_desc desc = scene.cloth_desc();
  clothc_cloth_id id = 77;
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_cloth_add(scene.solver, &desc, &id), "48 particles", "largest hole has 0",
               "particle_capacity (192)", "compact");
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_cloth_clone(scene.solver, ids[0], &id), "largest hole has 0");
  EXPECT_EQ(id, 77u);
  EXPECT_EQ(scene.hash(), hash);
  ASSERT_OK(clothc_cloth_remove(scene.solver, ids[1]));
  ASSERT_OK(clothc_cloth_remove(scene.solver, ids[3]));
  EXPECT_EQ(scene.info().largest_hole, padded);
  EXPECT_EQ(scene.info().particle_count, 60u);
  EXPECT_EQ(scene.info(scene.add()).first_particle, padded);
  EXPECT_EQ(scene.info(scene.add()).first_particle, 3 * padded);
}

TEST_P(Cloths, cloth_and_collider_set_capacities_are_named_when_they_are_used_up) {
  SceneOptions options(GetParam());
  options.solver.cloth_capacity = 2;
  options.solver.collider_set_capacity = 1;
  Scene scene(options);
  scene.add();
  const clothc_cloth_desc desc = scene.cloth_desc();
  clothc_cloth_id id = 77;
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_cloth_add(scene.solver, &desc, &id), "cloth_capacity", "2");
  scene.sphere_set(0, 0, 0, 1);
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_collider_set_create(scene.solver, &id), "collider_set_capacity", "1");
  EXPECT_EQ(id, 77u);
  options.solver.collider_set_capacity = 0;
  Scene without(options);
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_collider_set_create(without.solver, &id), "collider_set_capacity");
}

TEST_P(Cloths, ids_are_never_reused_even_if_the_solver_runs_out_of_them) {
  SceneOptions options(GetParam());
  options.columns = options.rows = 2;
  options.solver.cloth_capacity = 1;
  options.has_cloth = false;
  Scene scene(options);
  const clothc_cloth_desc desc = scene.cloth_desc();
  std::vector<clothc_cloth_id> seen;
  clothc_cloth_id id = 0;
  while (clothc_cloth_add(scene.solver, &desc, &id) == CLOTHC_SUCCESS) {
    seen.push_back(id);
    ASSERT_OK(clothc_cloth_remove(scene.solver, id));
    ASSERT_LT(seen.size(), 100000u);
  }
  EXPECT_GT(seen.size(), 4000u);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  EXPECT_FAILS(CLOTHC_ERROR_CAPACITY, clothc_cloth_add(scene.solver, &desc, &id), "0 cloths live",
               "cloth_capacity (1)");
}

TEST_P(Cloths, compaction_moves_cloths_and_changes_no_state) {
  Scene scene(GetParam());
  std::vector<clothc_cloth_id> ids = {scene.cloth};
  for (int k = 0; k < 5; ++k) {
    ids.push_back(scene.add());
    scene.step(2);
  }
  scene.set(CLOTHC_CHANNEL_ACCELERATION, ids[3], std::vector<float>(120, 1.0f));
  scene.set(CLOTHC_CHANNEL_VELOCITY, ids[4], std::vector<float>(120, 0.5f));
  for (const int k : {0, 2}) ASSERT_OK(clothc_cloth_remove(scene.solver, ids[static_cast<size_t>(k)]));
  Scene twin(GetParam());
  const std::vector<uint8_t> bytes = scene.snapshot();
  ASSERT_OK(clothc_solver_restore(twin.solver, bytes.data(), bytes.size(), &twin.fabric, 1));
  const uint64_t hash = scene.hash();
  const std::vector<float> positions = scene.get(CLOTHC_CHANNEL_POSITION, ids[5]);
  clothc_move moves[2];
  uint32_t count = 2;
  EXPECT_EQ(clothc_solver_compact(scene.solver, moves, &count), CLOTHC_INCOMPLETE);
  EXPECT_EQ(count, 4u);
  EXPECT_EQ(moves[0].cloth, ids[1]);
  EXPECT_EQ(moves[0].old_first, padded);
  EXPECT_EQ(moves[0].new_first, 0u);
  EXPECT_EQ(moves[0].count, 30u);
  EXPECT_EQ(moves[1].cloth, ids[3]);
  EXPECT_EQ(scene.info(ids[5]).first_particle, 3 * padded);
  EXPECT_EQ(scene.info().largest_hole, 1024 - 4 * padded);
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, ids[5]), positions);
  EXPECT_EQ(scene.hash(), hash);
  scene.step(10);
  twin.step(10);
  EXPECT_EQ(scene.hash(), twin.hash());
  count = 0;
  EXPECT_OK(clothc_solver_compact(scene.solver, nullptr, &count));
  EXPECT_EQ(count, 0u);
}

TEST_P(Cloths, the_hash_knows_no_ranges_ids_or_capacities) {
  Scene plain(GetParam());
  plain.add();
  SceneOptions options(GetParam());
  options.solver.particle_capacity = 5000;
  options.solver.cloth_capacity = 100;
  options.solver.collider_set_capacity = 77;
  options.has_cloth = false;
  Scene other(options);
  // The other solver stores the same cloths at other positions. Restoring an empty solver makes the ordinals equal.
  const std::vector<uint8_t> empty = other.snapshot();
  const clothc_cloth_id first = other.add();
  other.add();
  other.add();
  ASSERT_OK(clothc_solver_restore(other.solver, empty.data(), empty.size(), nullptr, 0));
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_HANDLE, clothc_cloth_remove(other.solver, first), "cloth id");
  other.cloth = other.add();
  other.add();
  EXPECT_EQ(plain.hash(), other.hash());
  plain.step(5);
  other.step(5);
  EXPECT_EQ(plain.hash(), other.hash());
}

TEST_P(Cloths, a_clone_continues_as_its_original) {
  Scene scene(GetParam());
  const clothc_collider_set_id set = scene.sphere_set(0.5f, 0.6f, 0.5f, 0.3f);
  ASSERT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, &set, 1));
  scene.change_parameters(scene.cloth, [](auto& p) { p.friction = 0.5f, p.damping[1] = 0.1f, p.gravity[0] = 3; });
  scene.step(7);
  scene.set(CLOTHC_CHANNEL_ACCELERATION, scene.cloth, std::vector<float>(120, 0.5f));
  scene.set(CLOTHC_CHANNEL_VELOCITY, scene.cloth, std::vector<float>(60, 0.25f));
  std::vector<float> motion = scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth);
  for (size_t k = 3; k < motion.size(); k += 4) motion[k] = 0.5f;
  scene.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, scene.cloth, motion);
  const clothc_fence fence = scene.fence();
  scene.block_behind(fence);
  clothc_cloth_id clone = 0;
  // The clone has the state after the queued update.
  ASSERT_OK(clothc_cloth_clone(scene.solver, scene.cloth, &clone));
  ASSERT_OK(clothc_fence_signal(fence, 1));
  EXPECT_EQ(scene.info(clone).collider_set_count, 1u);
  for (int frame = 0; frame < 10; ++frame) {
    for (const clothc_channel channel :
         {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION, CLOTHC_CHANNEL_VELOCITY}) {
      ASSERT_EQ(scene.get(channel, clone), scene.get(channel, scene.cloth)) << "frame " << frame;
    }
    scene.step(1, frame % 2 == 0 ? 1.0f / 60 : 1.0f / 45);
  }
  const clothc_cloth_status a = scene.status(scene.cloth), b = scene.status(clone);
  EXPECT_EQ(std::memcmp(&a, &b, sizeof(a)), 0);
}

TEST_P(Cloths, phases_are_what_was_set_and_can_be_repeated_or_left_out) {
  Scene scene(GetParam());
  uint32_t count = 0;
  ASSERT_OK(clothc_cloth_get_phases(scene.solver, scene.cloth, nullptr, &count));
  EXPECT_EQ(count, 3u);
  clothc_phase_config configs[5];
  for (uint32_t k = 0; k < 5; ++k) {
    configs[k] = initialised<clothc_phase_config>();
    configs[k].phase = k % 3;
    configs[k].stiffness = static_cast<float>(k) / 4;
  }
  ASSERT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, configs, 5));
  std::vector<clothc_phase_config> got(5, initialised<clothc_phase_config>());
  count = 5;
  ASSERT_OK(clothc_cloth_get_phases(scene.solver, scene.cloth, got.data(), &count));
  EXPECT_EQ(std::memcmp(got.data(), configs, sizeof(configs)), 0);
  count = 2;
  EXPECT_EQ(clothc_cloth_get_phases(scene.solver, scene.cloth, got.data(), &count), CLOTHC_INCOMPLETE);
  EXPECT_EQ(count, 5u);
  scene.step(5);
  ASSERT_OK(clothc_cloth_set_phases(scene.solver, scene.cloth, nullptr, 0));
  EXPECT_EQ(scene.info(scene.cloth).phase_config_count, 0u);
  scene.step(5);
  EXPECT_EQ(scene.status(scene.cloth).non_finite_count, 0u);
}

TEST_P(Cloths, thousands_come_and_go_without_leaving_anything_behind) {
  SceneOptions options(GetParam());
  options.columns = options.rows = 2;
  Scene scene(options);
  const clothc_cloth_id kept = scene.add();
  uint32_t seed = 1;
  std::vector<clothc_cloth_id> living;
  for (int k = 0; k < 3000; ++k) {
    seed = seed * 1664525 + 1013904223;
    if (living.size() < 5 && (seed >> 24) % 2 == 0) {
      living.push_back(scene.add());
    } else if (!living.empty()) {
      const size_t victim = (seed >> 16) % living.size();
      ASSERT_OK(clothc_cloth_remove(scene.solver, living[victim]));
      living.erase(living.begin() + static_cast<std::ptrdiff_t>(victim));
    }
  }
  for (const clothc_cloth_id id : living) ASSERT_OK(clothc_cloth_remove(scene.solver, id));
  EXPECT_EQ(scene.info().cloth_count, 2u);
  EXPECT_EQ(scene.info().largest_hole, 1024u - 64);
  scene.step();
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, kept), scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth));
}

}  // namespace
}  // namespace cloths_test
