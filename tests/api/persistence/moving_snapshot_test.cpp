// moving_snapshot_test.cpp - snapshots, clones and compaction in mid-motion (moving.h) continue with the same bits on
// every device. Damaged frames, velocities and parameters are refused.
#include "support/moving.h"
#include "support/snapshot_damage.h"

using namespace clothc_test;

namespace moving_snapshot_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(MovingSnapshots);

TEST_P(MovingSnapshots, continue_to_the_bit_on_every_device) {
  Moving scene{SceneOptions(GetParam())};
  const uint64_t hash = scene.hash();
  const std::vector<uint8_t> bytes = scene.snapshot();
  EXPECT_EQ(scene.hash(), hash);
  std::vector<uint64_t> expected;
  for (int frame = 11; frame < 31; ++frame) {
    scene.drive(frame);
    expected.push_back(scene.hash());
  }
  const std::vector<uint8_t> final_bytes = scene.snapshot();
  for (const SceneOptions& options : everywhere()) {
    SCOPED_TRACE(name_of(options));
    // The other solver has the same ids.
    Moving other(options);
    other.step(3);
    ASSERT_OK(clothc_solver_restore(other.solver, bytes.data(), bytes.size(), &other.fabric, 1));
    EXPECT_EQ(other.hash(), hash);
    EXPECT_EQ(other.snapshot(), bytes);
    EXPECT_EQ(other.frame(other.cloth).flags,
              uint32_t{CLOTHC_FRAME_IGNORE_DISCONTINUITY | CLOTHC_FRAME_CLEAR_INTERPOLATION});
    for (int frame = 11; frame < 31; ++frame) {
      other.drive(frame);
      ASSERT_EQ(other.hash(), expected[static_cast<size_t>(frame) - 11]) << "frame " << frame;
    }
    EXPECT_EQ(other.snapshot(), final_bytes);
    EXPECT_EQ(other.status(other.asleep).flags, uint32_t{CLOTHC_STATUS_ASLEEP});
    EXPECT_EQ(other.status(other.asleep).iteration_count, 0u);
  }
}

TEST_P(MovingSnapshots, clones_go_the_same_way) {
  Moving scene{SceneOptions(GetParam())};
  const clothc_cloth_id originals[3] = {scene.cloth, scene.asleep, scene.woken};
  clothc_cloth_id copies[3];
  for (int k = 0; k < 3; ++k) ASSERT_OK(clothc_cloth_clone(scene.solver, originals[k], &copies[k]));
  for (int frame = 0; frame < 20; ++frame) {
    scene.step();
    for (int k = 0; k < 3; ++k) {
      for (const clothc_channel channel : {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION}) {
        ASSERT_EQ(scene.get(channel, copies[k]), scene.get(channel, originals[k])) << "cloth " << k << ", " << frame;
      }
      const clothc_cloth_status a = scene.status(originals[k]), b = scene.status(copies[k]);
      ASSERT_EQ(std::memcmp(&a, &b, sizeof(a)), 0) << "status of cloth " << k << ", frame " << frame;
      const uint32_t wanted = k == 1 ? 0 : 5;
      EXPECT_TRUE(frame > 0 || b.iteration_count == wanted) << "cloth " << k << ": one sleeps, one was woken";
    }
  }
}

TEST_P(MovingSnapshots, compaction_changes_nothing) {
  Moving still{SceneOptions(GetParam())}, moved{SceneOptions(GetParam())};
  // The sleeping cloth is removed from both; one of them closes the hole.
  for (Moving* scene : {&still, &moved}) ASSERT_OK(clothc_cloth_remove(scene->solver, scene->asleep));
  uint32_t count = 0;
  EXPECT_EQ(clothc_solver_compact(moved.solver, nullptr, &count), CLOTHC_INCOMPLETE);
  EXPECT_EQ(count, 1u);
  for (int frame = 11; frame < 31; ++frame) {
    ASSERT_EQ(moved.hash(), still.hash()) << "frame " << frame;
    still.drive(frame);
    moved.drive(frame);
  }
}

TEST_P(MovingSnapshots, with_damaged_frames_velocities_or_parameters_are_refused) {
  Scene scene(GetParam());
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  frame.translation[0] = 1.5f, frame.translation[1] = -2.5f, frame.translation[2] = 0.75f;
  ASSERT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame));
  scene.change_parameters(scene.cloth,
                          [](auto& p) { p.wind_velocity[0] = 11, p.wind_velocity[1] = 22, p.wind_velocity[2] = 33; });
  // The velocity is exactly 64 times the translation.
  scene.step(1, 1.0f / 64);
  frame.translation[0] = 4.5f, frame.translation[1] = 5.5f, frame.translation[2] = 6.5f;
  frame.flags = CLOTHC_FRAME_IGNORE_DISCONTINUITY;
  ASSERT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame));
  const std::vector<uint8_t> good = scene.snapshot();
  const size_t start = offset_of<float>(good, {1.5f, -2.5f, 0.75f}),
               target = offset_of<float>(good, {4.5f, 5.5f, 6.5f});
  const size_t velocity = offset_of<float>(good, {96, -160, 48}), wind = offset_of<float>(good, {11, 22, 33});
  EXPECT_EQ(target, start + 28) << "the frame is laid out otherwise: see what this test spoils";
  const uint64_t hash = scene.hash();
  const auto refused = [&](size_t at, const void* word, const char* part) {
    std::vector<uint8_t> bytes = good;
    std::memcpy(&bytes[at], word, 4);
    repair(bytes);
    EXPECT_FAILS(CLOTHC_ERROR_INVALID_ARGUMENT,
                 clothc_solver_restore(scene.solver, bytes.data(), bytes.size(), &scene.fabric, 1), "snapshot", part);
  };
  for (const float bad : {not_a_number, infinity, -infinity, 2e9f}) {
    for (size_t axis = 0; axis < 3; ++axis) {
      refused(start + 4 * axis, &bad, "start_translation");
      refused(target + 4 * axis, &bad, "frame.translation");
      refused(wind + 4 * axis, &bad, "wind_velocity");
    }
    for (size_t k = 0; k < 4; ++k) {
      refused(start + 12 + 4 * k, &bad, "start_rotation");
      refused(target + 12 + 4 * k, &bad, "frame.rotation");
    }
    for (size_t k = 0; k < 6 && bad != 2e9f; ++k) refused(velocity + 4 * k, &bad, "velocity");
  }
  const uint32_t flags = 0x20, policy = 2, counts[] = {0, 0x80000001u}, statistics = 8;
  refused(target + 28, &flags, "flags is 0x2");
  const auto parameter = [&](size_t offset) {
    return wind + offset - offsetof(clothc_cloth_parameters, wind_velocity);
  };
  const float drag = 2;
  refused(parameter(offsetof(clothc_cloth_parameters, drag_coefficient)), &drag, "drag_coefficient");
  refused(parameter(offsetof(clothc_cloth_parameters, sleep_policy)), &policy, "sleep_policy");
  refused(parameter(offsetof(clothc_cloth_parameters, sleep_test_interval)), &counts[0], "sleep_test_interval");
  refused(parameter(offsetof(clothc_cloth_parameters, sleep_after_count)), &counts[1], "sleep_after_count");
  refused(parameter(offsetof(clothc_cloth_parameters, statistics)), &statistics, "statistics");
  EXPECT_EQ(scene.hash(), hash);
  EXPECT_OK(clothc_solver_restore(scene.solver, good.data(), good.size(), &scene.fabric, 1));
  EXPECT_EQ(scene.hash(), hash);
}

}  // namespace
}  // namespace moving_snapshot_test
