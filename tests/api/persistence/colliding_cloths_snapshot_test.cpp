// colliding_cloths_snapshot_test.cpp - snapshots of cloths that collide with themselves and with each other
// (colliding_cloths.h) continue with the same bits.
#include "support/moving.h"
#include "support/colliding_cloths.h"

using namespace clothc_test;

namespace colliding_cloths_snapshot_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(CollidingClothSnapshots);

TEST_P(CollidingClothSnapshots, continue_to_the_bit_on_every_device) {
  CollidingScene scene(GetParam());
  const uint64_t hash = scene.hash();
  const std::vector<uint8_t> bytes = scene.snapshot();
  std::vector<uint64_t> expected;
  for (int frame = 0; frame < 20; ++frame) {
    scene.step();
    expected.push_back(scene.hash());
  }
  const std::vector<uint8_t> final_bytes = scene.snapshot();
  for (const SceneOptions& options : everywhere()) {
    SCOPED_TRACE(name_of(options));
    CollidingScene other(options);
    other.step(3);
    // This makes the device store its data at other positions.
    ASSERT_OK(clothc_cloth_remove(other.solver, other.upper));
    other.step(1);
    restore(other, bytes);
    EXPECT_EQ(other.hash(), hash);
    EXPECT_EQ(other.snapshot(), bytes);
    for (const uint64_t value : expected) {
      other.step();
      ASSERT_EQ(other.hash(), value) << "update " << &value - expected.data();
    }
    EXPECT_EQ(other.snapshot(), final_bytes);
  }
}

// The other tests rely on this.
TEST_P(CollidingClothSnapshots, are_of_cloths_that_push_each_other_and_themselves) {
  CollidingScene scene(GetParam());
  for (int frame = 0; frame < 4; ++frame) {
    const std::vector<uint8_t> bytes = scene.snapshot();
    scene.step(5);
    for (const clothc_cloth_id id : {scene.lower, scene.upper, scene.lower_in_passes, scene.upper_in_passes}) {
      CollidingScene same(scene, bytes), passing(scene, bytes), plain(scene, bytes);
      same.step(5);
      ASSERT_EQ(same.positions(id), scene.positions(id));
      passing.pass_through(id);
      passing.step(5);
      EXPECT_NE(passing.positions(id), scene.positions(id)) << "it is not pushed by others";
      plain.change_parameters(id, [](auto& p) { p.self_collision_distance = 0; });
      plain.step(5);
      EXPECT_NE(plain.positions(id), scene.positions(id)) << "it does not push itself";
    }
  }
}

// Two cloths lie on each other and sleep, and a third one flies into them.
TEST_P(CollidingClothSnapshots, continue_alike_when_a_cloth_comes_upon_others_asleep) {
  for (const uint32_t iterations : {0u, 2u}) {
    CollidingScene scene(GetParam());
    for (const clothc_cloth_id id : {scene.lower, scene.upper}) {
      scene.change_parameters(id, [&](auto& p) {
        p.inter_collision_iterations = iterations;
        p.sleep_threshold = 100, p.sleep_test_interval = 10, p.sleep_after_count = 3;
      });
    }
    scene.step(10);
    for (const clothc_cloth_id id : {scene.lower, scene.upper})
      ASSERT_EQ(scene.status(id).flags, uint32_t{CLOTHC_STATUS_ASLEEP});
    scene.add_sheet(0.47f, -30, iterations);
    const std::vector<uint8_t> bytes = scene.snapshot();
    CollidingScene other(scene, bytes);
    bool woken = false;
    for (int frame = 0; frame < 20; ++frame) {
      scene.step();
      other.step();
      ASSERT_EQ(other.hash(), scene.hash()) << "update " << frame << ", iterations " << iterations;
      woken = woken || scene.status(scene.upper).flags != CLOTHC_STATUS_ASLEEP;
    }
    EXPECT_TRUE(woken) << "nothing touched it, iterations " << iterations;
  }
}

// The time of an update that is held back counts for the next one, so its particles stay where they are. Frames move, and
// others collide with what is in them.
TEST_P(CollidingClothSnapshots, continue_alike_when_cloths_in_moving_frames_are_held_back) {
  for (const uint32_t iterations : {0u, 2u}) {
    CollidingScene scene(GetParam());
    const clothc_cloth_id held_back = iterations == 0 ? scene.lower : scene.lower_in_passes;
    const std::vector<uint8_t> bytes = scene.snapshot();
    CollidingScene other(scene, bytes), elsewhere(scene, bytes);
    for (CollidingScene* one : {&scene, &other, &elsewhere}) {
      // A cloth that has not moved yet is not held back.
      one->add_sheet(iterations == 0 ? 0.2f : -1.8f, -10, iterations);
      clothc_cloth_frame frame = one->frame(held_back);
      frame.translation[1] += one == &elsewhere ? 0.08f : 0.04f;
      frame.translation[0] += 0.1f;
      ASSERT_OK(clothc_cloth_set_frame(one->solver, held_back, &frame));
      one->step(2, 1e-6f);
      ASSERT_EQ(one->status(held_back).iteration_count, 0u) << "it is not held back";
    }
    EXPECT_EQ(other.hash(), scene.hash()) << "iterations " << iterations;
    EXPECT_EQ(other.snapshot(), scene.snapshot()) << "iterations " << iterations;
    EXPECT_NE(elsewhere.snapshot(), scene.snapshot()) << "nothing touches it, iterations " << iterations;
  }
}

// A pile of pairs, some of which are removed. There are more cloths than a node of the BVH around them holds, or just
// as many, or fewer.
TEST_P(CollidingClothSnapshots, continue_alike_however_many_cloths_there_are) {
  CollidingScene scene(GetParam());
  std::vector<clothc_cloth_id> pile;
  for (uint32_t k = 0; k < 16; ++k)
    pile.push_back(scene.add_sheet(0.23f * static_cast<float>(k + 2), k % 2 == 0 ? 10.0f : -10.0f, k / 2 % 3));
  for (const size_t left : {16u, 12u, 13u}) {
    while (left < pile.size()) {
      ASSERT_OK(clothc_cloth_remove(scene.solver, pile[left / 2]));
      pile.erase(pile.begin() + static_cast<int>(left / 2));
    }
    if (pile.size() < left) pile.push_back(scene.add_sheet(0.23f * 9, 10, 1));
    scene.step(3);
    const std::vector<uint8_t> bytes = scene.snapshot();
    CollidingScene other(scene, bytes), passing(scene, bytes);
    passing.pass_through(pile.front());
    for (int frame = 0; frame < 10; ++frame) {
      scene.step();
      other.step();
      ASSERT_EQ(other.hash(), scene.hash()) << left << " and four, update " << frame;
    }
    passing.step(10);
    EXPECT_NE(passing.positions(pile.front()), scene.positions(pile.front())) << "it is not pushed by others";
  }
}

TEST_P(CollidingClothSnapshots, keep_rest_positions_near_which_particles_do_not_push) {
  CollidingScene scene(GetParam());
  for (const clothc_cloth_id id : {scene.upper, scene.lower_in_passes, scene.upper_in_passes})
    ASSERT_OK(clothc_cloth_remove(scene.solver, id));
  scene.set(CLOTHC_CHANNEL_REST_POSITION, scene.lower, scene.positions(scene.lower));
  scene.step(5);
  const std::vector<uint8_t> bytes = scene.snapshot();
  CollidingScene other(scene, bytes), cleared(scene, bytes), off(scene, bytes);
  ASSERT_OK(clothc_cloth_clear(cleared.solver, scene.lower, CLOTHC_CHANNEL_REST_POSITION));
  off.change_parameters(scene.lower, [](auto& p) { p.self_collision_distance = 0; });
  for (int frame = 0; frame < 20; ++frame) {
    for (CollidingScene* one : {&scene, &other, &cleared, &off}) one->step();
    ASSERT_EQ(other.hash(), scene.hash()) << "update " << frame;
  }
  EXPECT_EQ(other.get(CLOTHC_CHANNEL_REST_POSITION, scene.lower), scene.get(CLOTHC_CHANNEL_REST_POSITION, scene.lower));
  EXPECT_EQ(off.positions(scene.lower), scene.positions(scene.lower)) << "particles near each other at rest push";
  EXPECT_NE(cleared.positions(scene.lower), scene.positions(scene.lower)) << "they do not without rest positions";
}

}  // namespace
}  // namespace colliding_cloths_snapshot_test
