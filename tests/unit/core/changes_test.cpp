// changes_test.cpp - what setting something costs: which cloths an update visits, when it gets a new schedule, and when
// the device gets memory for optional channels.
#include <gtest/gtest.h>

#include "unit/core/host_scene.h"

namespace clothc::test::changes_test {
namespace {

// Returns parameters of cloths that do nothing.
clothc_cloth_parameters plain() {
  clothc_cloth_parameters parameters = make_default<clothc_cloth_parameters>();
  parameters.gravity[1] = 0;
  return parameters;
}

std::vector<clothc_cloth_id> add_cloths(HostScene& scene, size_t count) {
  std::vector<clothc_cloth_id> cloths;
  for (size_t k = 0; k < count; ++k) cloths.push_back(scene.add(plain(), 20, 0, static_cast<float>(k)));
  return cloths;
}

TEST(Changes, an_update_visits_the_cloths_that_were_set) {
  HostScene scene;
  const std::vector<clothc_cloth_id> cloths = add_cloths(scene, 10);
  EXPECT_EQ(scene.changed_cloths(), 10u);
  scene.update();
  EXPECT_EQ(scene.changed_cloths(), 0u);
  clothc_cloth_parameters parameters = plain();
  parameters.damping[0] = 0.5f;
  scene.set(cloths[3], parameters);
  scene.set(cloths[3], CLOTHC_CHANNEL_POSITION, {1, 2, 3, 1});
  EXPECT_EQ(scene.changed_cloths(), 1u);
  // A velocity is dropped after one update, and the flag that tells kernels of it in the next.
  scene.set(cloths[7], CLOTHC_CHANNEL_VELOCITY, {1, 0, 0, 0});
  EXPECT_EQ(scene.changed_cloths(), 2u);
  scene.update();
  EXPECT_EQ(scene.changed_cloths(), 1u);
  scene.update();
  EXPECT_EQ(scene.changed_cloths(), 0u);
  // The target of a motion constraint becomes its start in the update after.
  scene.set(cloths[5], CLOTHC_CHANNEL_MOTION_CONSTRAINT, {0, 0, 0, 1});
  scene.update();
  EXPECT_EQ(scene.changed_cloths(), 1u);
  scene.update();
  EXPECT_EQ(scene.changed_cloths(), 0u);
  scene.remove(cloths[5]);
  scene.set(cloths[0], parameters);
  scene.remove(cloths[0]);
  EXPECT_EQ(scene.changed_cloths(), 0u);
}

TEST(Changes, velocities_in_every_frame_keep_the_schedule) {
  HostScene scene;
  const std::vector<clothc_cloth_id> cloths = add_cloths(scene, 3);
  const std::shared_ptr<const Schedule> without = scene.update()[0];
  scene.set(cloths[1], CLOTHC_CHANNEL_VELOCITY, {1, 0, 0, 0});
  const std::shared_ptr<const Schedule> with = scene.update()[0];
  EXPECT_NE(with, without);
  for (int frame = 0; frame < 5; ++frame) {
    if (frame != 2) scene.set(cloths[1], CLOTHC_CHANNEL_VELOCITY, {1, 0, 0, 0});
    EXPECT_EQ(scene.update()[0], with);
  }
}

TEST(Changes, values_that_need_no_other_jobs_keep_the_schedule) {
  HostScene scene;
  const std::vector<clothc_cloth_id> cloths = add_cloths(scene, 3);
  clothc_cloth_parameters parameters = plain();
  const std::shared_ptr<const Schedule> schedule = scene.update()[0];
  parameters.gravity[1] = -1;
  parameters.solver_frequency = 120;
  scene.set(cloths[2], parameters);
  EXPECT_EQ(scene.update()[0], schedule);
  EXPECT_EQ(scene.recordings()[0].dispatch.repeat_count, 5u) << "the other cloths have 300 Hz";
  parameters.solver_frequency = 600;
  scene.set(cloths[2], parameters);
  EXPECT_EQ(scene.update()[0], schedule);
  EXPECT_EQ(scene.recordings()[0].dispatch.repeat_count, 10u);
}

TEST(OptionalChannels, have_memory_for_the_cloths_that_have_them) {
  HostScene scene;
  const std::vector<clothc_cloth_id> cloths = add_cloths(scene, 4);
  scene.update();
  const uint64_t without = scene.recordings()[0].dispatch.arenas.particles->size();
  EXPECT_EQ(without, 3u * 16 * (16 + 8192)) << "positions, previous positions and the exchange block";
  scene.set(cloths[1], CLOTHC_CHANNEL_ACCELERATION, {0, 1, 0, 0});
  scene.update();
  EXPECT_EQ(scene.recordings()[0].dispatch.arenas.particles->size(), without + 16 * 32)
      << "20 particles are padded to 32";
  EXPECT_NE(scene.cloth(cloths[1]).channel_elements[state_acceleration], 0u);
  EXPECT_EQ(scene.cloth(cloths[1]).channel_elements[state_motion_start], 0u);
  EXPECT_EQ(scene.cloth(cloths[2]).channel_elements[state_acceleration], 0u);
}

TEST(OptionalChannels, that_are_cleared_leave_their_memory_to_others) {
  HostScene scene;
  const std::vector<clothc_cloth_id> cloths = add_cloths(scene, 2);
  scene.set(cloths[0], CLOTHC_CHANNEL_ACCELERATION, {0, 1, 0, 0});
  const uint32_t first = scene.cloth(cloths[0]).channel_elements[state_acceleration];
  scene.clear(cloths[0], CLOTHC_CHANNEL_ACCELERATION);
  EXPECT_EQ(scene.cloth(cloths[0]).channel_elements[state_acceleration], 0u);
  scene.set(cloths[1], CLOTHC_CHANNEL_REST_POSITION, {0, 1, 0, 0});
  EXPECT_EQ(scene.cloth(cloths[1]).channel_elements[state_rest], first);
  scene.remove(cloths[1]);
  scene.set(cloths[0], CLOTHC_CHANNEL_VELOCITY, {0, 1, 0, 0});
  EXPECT_EQ(scene.cloth(cloths[0]).channel_elements[state_velocity], first);
}

}  // namespace
}  // namespace clothc::test::changes_test
