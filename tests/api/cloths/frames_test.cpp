// frames_test.cpp - frames from the caller's view: values that were set can be read back, flags wait for the update
// that consumes them, and records have the same effect as direct calls. The effect on cloths is tested in
// tests/physics.
#include <cmath>

#include "support/scene.h"

using namespace clothc_test;

namespace cloths_frames_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(Frames);

using F = clothc_cloth_frame;

// Returns a frame at (x, 2, -3) that is turned about a slanted axis.
F pose(float x, float angle, uint32_t flags = 0) {
  F frame = initialised<F>();
  frame.flags = flags;
  const float translation[3] = {x, 2, -3}, axis[3] = {0.36f, 0.48f, 0.8f};
  for (size_t k = 0; k < 3; ++k) {
    frame.translation[k] = translation[k];
    frame.rotation[k] = axis[k] * std::sin(angle / 2);
  }
  frame.rotation[3] = std::cos(angle / 2);
  return frame;
}

void expect_pose(const float* translation, const float* rotation, const float* wanted_translation,
                 const float* wanted_rotation) {
  double square = 0;
  for (size_t k = 0; k < 4; ++k) square += double{wanted_rotation[k]} * double{wanted_rotation[k]};
  for (size_t k = 0; k < 3; ++k) EXPECT_EQ(translation[k], wanted_translation[k]);
  for (size_t k = 0; k < 4; ++k) EXPECT_NEAR(rotation[k], wanted_rotation[k] / std::sqrt(square), 1e-7);
}
void expect_target(const F& frame, const F& wanted) {
  expect_pose(frame.translation, frame.rotation, wanted.translation, wanted.rotation);
}
// Expects the frame to start at the target of `wanted`.
void expect_start(const F& frame, const F& wanted) {
  expect_pose(frame.start_translation, frame.start_rotation, wanted.translation, wanted.rotation);
}

void set(Scene& scene, const F& frame) { EXPECT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame)); }

TEST_P(Frames, of_new_cloths_are_at_the_origin) {
  Scene scene(GetParam());
  const F got = scene.frame(scene.cloth), wanted = initialised<F>();
  EXPECT_EQ(std::memcmp(&got, &wanted, sizeof(F)), 0);
}

TEST_P(Frames, that_are_set_are_got_with_a_rotation_of_length_1) {
  Scene scene(GetParam());
  F wanted = pose(1.25f, 0.7f);
  for (float& component : wanted.rotation) component *= 1.0009f;
  set(scene, wanted);
  expect_target(scene.frame(scene.cloth), wanted);
  expect_start(scene.frame(scene.cloth), initialised<F>());
  F started = pose(2.5f, -1.5f, CLOTHC_FRAME_START);
  std::copy_n(pose(7, 2.5f).translation, 3, started.start_translation);
  std::copy_n(pose(7, 2.5f).rotation, 4, started.start_rotation);
  set(scene, started);
  expect_target(scene.frame(scene.cloth), started);
  expect_start(scene.frame(scene.cloth), pose(7, 2.5f));
  EXPECT_EQ(scene.frame(scene.cloth).flags, uint32_t{CLOTHC_FRAME_START});
}

TEST_P(Frames, that_are_got_and_set_again_change_nothing) {
  Scene scene(GetParam());
  // After rounding there are few rotations that another normalisation would change.
  for (int k = 0; k < 2000; ++k) {
    F started = pose(static_cast<float>(k), 0.01f + 0.0123f * static_cast<float>(k), CLOTHC_FRAME_START);
    std::copy_n(pose(0, 0.02f + 0.0213f * static_cast<float>(k)).rotation, 4, started.start_rotation);
    set(scene, started);
    for (const uint32_t flags : {0u, uint32_t{CLOTHC_FRAME_START}}) {
      const F got = scene.frame(scene.cloth);
      EXPECT_EQ(got.flags, uint32_t{CLOTHC_FRAME_START});
      F sent = got;
      sent.flags = flags;
      set(scene, sent);
      const F again = scene.frame(scene.cloth);
      ASSERT_EQ(std::memcmp(&got, &again, sizeof(F)), 0) << "rotation " << k;
    }
    if (k % 500 == 0) scene.step();
  }
  scene.step();
  const uint64_t hash = scene.hash();
  set(scene, scene.frame(scene.cloth));
  EXPECT_EQ(scene.hash(), hash);
}

TEST_P(Frames, flags_add_up_until_an_update_in_which_time_passes) {
  Scene scene(GetParam());
  set(scene, pose(1, 0.5f, CLOTHC_FRAME_IGNORE_DISCONTINUITY));
  set(scene, pose(2, 0.5f, CLOTHC_FRAME_CLEAR_INTERPOLATION));
  set(scene, pose(3, 0.6f));
  const F before = scene.frame(scene.cloth);
  EXPECT_EQ(before.flags, uint32_t{CLOTHC_FRAME_IGNORE_DISCONTINUITY | CLOTHC_FRAME_CLEAR_INTERPOLATION});
  expect_target(before, pose(3, 0.6f));
  scene.step(2, 0);
  const F waiting = scene.frame(scene.cloth);
  EXPECT_EQ(std::memcmp(&waiting, &before, sizeof(F)), 0) << "an update without time consumed something of the frame";
  scene.step();
  const F after = scene.frame(scene.cloth);
  EXPECT_EQ(after.flags, 0u);
  expect_target(after, pose(3, 0.6f));
  expect_start(after, pose(3, 0.6f));
  scene.step();
  const F rested = scene.frame(scene.cloth);
  EXPECT_EQ(std::memcmp(&rested, &after, sizeof(F)), 0);
}

TEST_P(Frames, an_update_without_time_delays_a_motion_and_changes_nothing_of_it) {
  Scene scene(GetParam()), twin(GetParam());
  for (Scene* s : {&scene, &twin}) {
    s->step(2);
    set(*s, pose(0.125f, 0.0625f, CLOTHC_FRAME_IGNORE_DISCONTINUITY));
  }
  scene.step(3, 0);
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(scene.hash(), twin.hash()) << "frame " << k;
    scene.step();
    twin.step();
  }
}

TEST_P(Frames, start_teleport_and_clear_inertia_move_the_start) {
  Scene scene(GetParam());
  set(scene, pose(1, 0.5f));
  scene.step();
  set(scene, pose(2, 1, CLOTHC_FRAME_IGNORE_DISCONTINUITY | CLOTHC_FRAME_CLEAR_INTERPOLATION));
  expect_start(scene.frame(scene.cloth), pose(1, 0.5f));
  scene.step();
  for (const uint32_t flag : {CLOTHC_FRAME_TELEPORT, CLOTHC_FRAME_CLEAR_INERTIA}) {
    const F there = pose(10 + static_cast<float>(flag), 1.5f, flag);
    set(scene, there);
    expect_start(scene.frame(scene.cloth), there);
    expect_target(scene.frame(scene.cloth), there);
    EXPECT_EQ(scene.frame(scene.cloth).flags, flag);
    scene.step();
  }
  F both = pose(3, 0, CLOTHC_FRAME_START | CLOTHC_FRAME_TELEPORT);
  both.start_translation[0] = 77;
  set(scene, both);
  expect_start(scene.frame(scene.cloth), both);
}

TEST_P(Frames, records_do_as_the_direct_calls) {
  Scene scene(GetParam()), twin(GetParam());
  const clothc_cloth_id ids[3] = {scene.cloth, scene.add(), scene.add()};
  for (int k = 0; k < 2; ++k) twin.add();
  constexpr uint32_t stride = sizeof(F) + 12;
  const clothc_buffer records = twin.buffer(3, CLOTHC_FORMAT_RECORD, stride);
  const uint32_t flags[] = {0, CLOTHC_FRAME_START, CLOTHC_FRAME_TELEPORT, CLOTHC_FRAME_CLEAR_INERTIA,
                            CLOTHC_FRAME_IGNORE_DISCONTINUITY};
  for (uint32_t frame = 0; frame < 10; ++frame) {
    std::vector<uint8_t> bytes(size_t{3} * stride);
    for (uint32_t k = 0; k < 3; ++k) {
      F value = pose(0.05f * static_cast<float>(frame + k), 0.03f * static_cast<float>(frame * k), flags[frame % 5]);
      value.start_translation[1] = 0.25f;
      EXPECT_OK(clothc_cloth_set_frame(scene.solver, ids[k], &value));
      std::memcpy(&bytes[size_t{2 - k} * stride], &value, sizeof(F));
    }
    ASSERT_OK(clothc_buffer_write(records, 0, bytes.size(), bytes.data()));
    const clothc_region reversed[3] = {{0, 2, 1}, {1, 1, 1}, {2, 0, 1}};
    ASSERT_OK(clothc_solver_set(twin.solver, CLOTHC_CHANNEL_CLOTH_FRAME, records, nullptr, reversed, 3, 0));
    ASSERT_EQ(twin.hash(), scene.hash()) << "frame " << frame;
    ASSERT_OK(clothc_solver_get(twin.solver, CLOTHC_CHANNEL_CLOTH_FRAME, records, nullptr, nullptr, 0, 0));
    ASSERT_OK(clothc_buffer_read(records, 0, bytes.size(), bytes.data()));
    for (uint32_t k = 0; k < 3; ++k) {
      const F direct = scene.frame(ids[k]);
      EXPECT_EQ(std::memcmp(&bytes[size_t{k} * stride], &direct, sizeof(F)), 0) << "cloth " << k;
    }
    scene.step();
    twin.step();
    ASSERT_EQ(twin.hash(), scene.hash()) << "after frame " << frame;
  }
}

TEST_P(Frames, clones_and_compacted_cloths_keep_theirs) {
  Scene scene(GetParam());
  const clothc_cloth_id second_cloth = scene.add();
  const F there = pose(1, 0.5f, CLOTHC_FRAME_CLEAR_INTERPOLATION);
  ASSERT_OK(clothc_cloth_set_frame(scene.solver, second_cloth, &there));
  const F before = scene.frame(second_cloth);
  clothc_cloth_id copy = 0;
  ASSERT_OK(clothc_cloth_clone(scene.solver, second_cloth, &copy));
  ASSERT_OK(clothc_cloth_remove(scene.solver, scene.cloth));
  uint32_t count = 0;
  EXPECT_EQ(clothc_solver_compact(scene.solver, nullptr, &count), CLOTHC_INCOMPLETE);
  for (const clothc_cloth_id id : {second_cloth, copy}) {
    const F after = scene.frame(id);
    EXPECT_EQ(std::memcmp(&after, &before, sizeof(F)), 0);
  }
  scene.step();
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, second_cloth), scene.get(CLOTHC_CHANNEL_POSITION, copy));
}

TEST_P(Frames, a_reset_leaves_the_target_and_drops_the_rest) {
  Scene scene(GetParam());
  const F there = pose(1, 0.5f, CLOTHC_FRAME_IGNORE_DISCONTINUITY);
  set(scene, there);
  ASSERT_OK(clothc_cloth_reset(scene.solver, scene.cloth, nullptr));
  expect_target(scene.frame(scene.cloth), there);
  expect_start(scene.frame(scene.cloth), there);
  EXPECT_EQ(scene.frame(scene.cloth).flags, 0u);
}

TEST_P(Frames, of_values_below_the_smallest_normal_number_give_the_same_bits_everywhere) {
  Scene scene(GetParam()), twin(CLOTHC_BACKEND_CPU);
  for (Scene* s : {&scene, &twin}) {
    for (int k = 0; k < 4; ++k) {
      F frame = pose(1e-40f * static_cast<float>(k), 0);
      frame.rotation[0] = 1e-39f;
      frame.rotation[1] = static_cast<float>(k) * 1e-30f;
      set(*s, frame);
      s->step();
    }
  }
  EXPECT_EQ(scene.hash(), twin.hash());
  EXPECT_EQ(scene.get(CLOTHC_CHANNEL_POSITION, scene.cloth), twin.get(CLOTHC_CHANNEL_POSITION, twin.cloth));
}

}  // namespace
}  // namespace cloths_frames_test
