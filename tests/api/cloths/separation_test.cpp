// separation_test.cpp - separation constraints as channels: values that were set can be read back, starts default to
// the last targets, bad values are counted, and every copy of a cloth keeps the constraints. The effect on cloths is
// tested in tests/physics.
#include <cmath>

#include "support/copies.h"

using namespace clothc_test;

namespace cloths_separation_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Separation);

constexpr clothc_channel target_channel = CLOTHC_CHANNEL_SEPARATION_CONSTRAINT;
constexpr clothc_channel start_channel = CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START;

// Returns a different sphere for each of the sheet's 30 particles.
std::vector<float> spheres(float base) {
  std::vector<float> values;
  for (uint32_t k = 0; k < 120; ++k) values.push_back(base + static_cast<float>(k) / 64);
  return values;
}

std::vector<float> none() {
  std::vector<float> values(120, 0.0f);
  for (size_t k = 3; k < values.size(); k += 4) values[k] = -1;
  return values;
}

TEST_P(Separation, channels_give_back_what_was_set_and_leave_motion_constraints_alone) {
  Scene scene(GetParam());
  EXPECT_EQ(scene.get(target_channel, scene.cloth), none());
  EXPECT_EQ(scene.get(start_channel, scene.cloth), none());
  scene.set(target_channel, scene.cloth, spheres(1));
  EXPECT_EQ(scene.get(target_channel, scene.cloth), spheres(1));
  scene.set(start_channel, scene.cloth, spheres(2));
  EXPECT_EQ(scene.get(start_channel, scene.cloth), spheres(2));
  EXPECT_EQ(scene.get(target_channel, scene.cloth), spheres(1));
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_MOTION_CONSTRAINT, scene.cloth), none());
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_MOTION_CONSTRAINT_START, scene.cloth), none());
  scene.set(CLOTHC_CHANNEL_MOTION_CONSTRAINT, scene.cloth, spheres(3));
  EXPECT_EQ(scene.get(target_channel, scene.cloth), spheres(1));
  EXPECT_EQ(scene.get(start_channel, scene.cloth), spheres(2));
}

TEST_P(Separation, starts_are_the_last_targets_unless_set) {
  Scene scene(GetParam());
  scene.set(target_channel, scene.cloth, spheres(-50));
  scene.step();
  scene.set(target_channel, scene.cloth, spheres(-60));
  EXPECT_EQ(scene.get(start_channel, scene.cloth), spheres(-50));
  scene.step();
  scene.step();
  EXPECT_EQ(scene.get(start_channel, scene.cloth), spheres(-60)) << "at rest";
  scene.set(start_channel, scene.cloth, spheres(-70));
  EXPECT_EQ(scene.get(start_channel, scene.cloth), spheres(-70));
  EXPECT_EQ(scene.get(target_channel, scene.cloth), spheres(-60));
  // Some spheres are set and the others stay at rest.
  scene.step(2);
  scene.set(target_channel, scene.cloth, std::vector<float>(8, 0.5f));
  const std::vector<float> starts = scene.get(start_channel, scene.cloth);
  EXPECT_EQ(starts, spheres(-60));
  EXPECT_EQ(scene.get(target_channel, scene.cloth)[7], 0.5f);
  EXPECT_EQ(scene.get(target_channel, scene.cloth)[8], spheres(-60)[8]);
}

TEST_P(Separation, values_that_are_not_finite_are_counted_and_not_taken) {
  Scene scene(GetParam());
  scene.set(target_channel, scene.cloth, spheres(1));
  uint32_t expected = 0;
  for (const clothc_channel channel : {target_channel, start_channel}) {
    for (size_t component = 0; component < 4; ++component) {
      for (const float bad : {not_a_number, infinity, -infinity, 1e30f}) {
        const std::vector<float> before = scene.get(channel, scene.cloth);
        std::vector<float> values = before;
        values[4 * 9 + component] = bad;
        scene.set(channel, scene.cloth, values);
        EXPECT_EQ(scene.status(scene.cloth).non_finite_count, ++expected) << bad << " in " << component;
        for (const float value : scene.get(channel, scene.cloth)) ASSERT_TRUE(std::isfinite(value));
      }
    }
  }
  scene.step(3);
  for (const float value : scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth)) EXPECT_TRUE(std::isfinite(value));
}

TEST_P(Separation, tiny_values_become_zero) {
  Scene scene(GetParam());
  std::vector<float> values(120);
  const float tiny[] = {1e-45f, -1e-40f, 1.2e-38f, 1e-25f, -5.4e-20f, 5.5e-20f, -1e-18f};
  for (size_t k = 0; k < values.size(); ++k) values[k] = tiny[k % 7];
  for (const clothc_channel channel : {target_channel, start_channel}) {
    scene.set(channel, scene.cloth, values);
    const std::vector<float> got = scene.get(channel, scene.cloth);
    for (size_t k = 0; k < values.size(); ++k) ASSERT_EQ(got[k], std::fabs(values[k]) < 5.5e-20f ? 0 : values[k]) << k;
  }
}

TEST_P(Separation, is_no_more_after_a_clear) {
  Scene scene(GetParam()), twin(GetParam());
  scene.set(target_channel, scene.cloth, spheres(0));
  ASSERT_OK(clothc_cloth_clear(scene.solver, scene.cloth, target_channel));
  EXPECT_EQ(scene.get(target_channel, scene.cloth), none());
  EXPECT_EQ(scene.get(start_channel, scene.cloth), none());
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(scene.hash(), twin.hash());
    scene.step();
    twin.step();
  }
  EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT, clothc_cloth_clear(scene.solver, scene.cloth, start_channel),
               "channel 10", "SEPARATION_CONSTRAINT");
}

TEST_P(Separation, of_a_removed_cloth_does_not_show_in_the_next_one) {
  Scene scene(GetParam());
  scene.set(target_channel, scene.cloth, spheres(0));
  scene.set(start_channel, scene.cloth, spheres(1));
  ASSERT_OK(clothc_cloth_remove(scene.solver, scene.cloth));
  const clothc_cloth_id next = scene.add();
  EXPECT_EQ(scene.info(next).first_particle, 0u);
  EXPECT_EQ(scene.get(target_channel, next), none());
  EXPECT_EQ(scene.get(start_channel, next), none());
}

// Everything that copies or moves a cloth keeps constraints that move from start to target, both while they are pending
// and afterwards.
TEST_P(Separation, is_kept_by_clones_snapshots_compaction_and_cloths_with_spares) {
  for (const uint32_t spares : {0u, 20u}) {
    SceneOptions options(GetParam());
    options.has_cloth = false;
    Scene scene(options);
    const clothc_cloth_id first = scene.add();
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.spare_particle_count = spares;
    clothc_cloth_id cloth = 0;
    ASSERT_OK(clothc_cloth_add(scene.solver, &desc, &cloth));
    scene.set(target_channel, cloth, spheres(-1));
    scene.step();
    scene.set(target_channel, cloth, spheres(0));
    scene.set(start_channel, cloth, spheres(-2));
    Scene other(options);
    const clothc_cloth_id copy = copy_in_every_way(scene, first, cloth, other);
    for (int k = 0; k < 5; ++k) {
      for (Scene* s : {&scene, &other}) {
        for (const clothc_cloth_id id : {cloth, copy}) {
          EXPECT_EQ(s->get(target_channel, id), spheres(0)) << "update " << k;
          EXPECT_EQ(s->get(start_channel, id)[4], spheres(k < 2 ? -2 : 0)[4]) << "update " << k;
        }
        EXPECT_EQ(s->get(CLOTHC_CHANNEL_POSITION, cloth), s->get(CLOTHC_CHANNEL_POSITION, copy));
      }
      EXPECT_EQ(other.hash(), scene.hash()) << "update " << k;
      scene.step();
      other.step();
    }
  }
}

}  // namespace
}  // namespace cloths_separation_test
