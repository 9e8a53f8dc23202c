// optional_channels_test.cpp - channels that only some cloths have: their memory grows while the state of all cloths
// stays, and what a cloth lacks reads as unset.
#include <gtest/gtest.h>

#include <array>

#include "support/scene.h"

namespace clothc_test::optional_channels_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(OptionalChannels);

using Value = std::array<float, 4>;

std::vector<Value> values_of(const Scene& scene, clothc_cloth_id cloth, clothc_channel channel) {
  return get_particles<Value>(scene.device, scene.solver, cloth, channel);
}

// An update makes the targets of constraints their starts, so that these do not keep what was set.
constexpr clothc_channel settable[] = {CLOTHC_CHANNEL_ACCELERATION, CLOTHC_CHANNEL_MOTION_CONSTRAINT,
                                       CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, CLOTHC_CHANNEL_REST_POSITION};

// Values whose w differs from what unset particles have.
std::vector<Value> values_for(clothc_channel channel, size_t cloth, uint32_t count) {
  std::vector<Value> values(count);
  for (uint32_t p = 0; p < count; ++p) {
    const float w = channel == CLOTHC_CHANNEL_ACCELERATION    ? 0.0f
                    : channel == CLOTHC_CHANNEL_REST_POSITION ? 1.0f
                                                              : 5.0f;
    values[p] = {0.25f * static_cast<float>(p), static_cast<float>(channel), static_cast<float>(cloth), w};
  }
  return values;
}

// The channels of different cloths are set in an order in which the memory grows several times, with updates between.
TEST_P(OptionalChannels, keep_their_values_while_memory_grows) {
  SceneOptions options(GetParam());
  options.has_cloth = false;
  Scene scene(options);
  std::vector<clothc_cloth_id> cloths;
  for (int k = 0; k < 5; ++k) cloths.push_back(scene.add());
  const uint32_t count = cloth_info(scene.solver, cloths[0]).particle_count;
  for (const clothc_channel channel : settable) {
    for (size_t k = channel % 3; k < cloths.size(); k += 2)
      set_particles(scene.device, scene.solver, cloths[k], channel, values_for(channel, k, count));
    const std::vector<Value> positions = values_of(scene, cloths[4], CLOTHC_CHANNEL_POSITION);
    update_solver(scene.solver, 0);
    EXPECT_EQ(values_of(scene, cloths[4], CLOTHC_CHANNEL_POSITION), positions);
  }
  for (const clothc_channel channel : settable) {
    for (size_t k = channel % 3; k < cloths.size(); k += 2)
      EXPECT_EQ(values_of(scene, cloths[k], channel), values_for(channel, k, count)) << channel << " of cloth " << k;
  }
}

TEST_P(OptionalChannels, that_a_cloth_lacks_read_as_unset) {
  Scene scene(GetParam());
  const clothc_cloth_id other = scene.add();
  const uint32_t count = cloth_info(scene.solver, other).particle_count;
  for (const clothc_channel channel : settable) {
    const Value unset = {
        0, 0, 0, channel == CLOTHC_CHANNEL_ACCELERATION || channel == CLOTHC_CHANNEL_REST_POSITION ? 0.0f : -1.0f};
    EXPECT_EQ(values_of(scene, scene.cloth, channel), std::vector<Value>(count, unset)) << channel;
    set_particles(scene.device, scene.solver, other, channel, values_for(channel, 1, count));
    EXPECT_EQ(values_of(scene, scene.cloth, channel), std::vector<Value>(count, unset)) << channel;
  }
}

TEST_P(OptionalChannels, that_were_cleared_leave_no_trace) {
  Scene scene(GetParam()), twin(GetParam());
  const uint32_t count = cloth_info(scene.solver, scene.cloth).particle_count;
  for (const clothc_channel channel : settable)
    set_particles(scene.device, scene.solver, scene.cloth, channel, values_for(channel, 0, count));
  for (const clothc_channel channel : {CLOTHC_CHANNEL_ACCELERATION, CLOTHC_CHANNEL_MOTION_CONSTRAINT,
                                       CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, CLOTHC_CHANNEL_REST_POSITION})
    ASSERT_OK(clothc_cloth_clear(scene.solver, scene.cloth, channel));
  // Other values than before, in memory that has been used.
  for (Scene* each : {&scene, &twin}) {
    set_particles(each->device, each->solver, each->cloth, CLOTHC_CHANNEL_REST_POSITION,
                  std::vector<Value>(count / 2, Value{1, 2, 3, 0}));
    for (int frame = 0; frame < 3; ++frame) update_solver(each->solver, 1.0f / 60);
  }
  EXPECT_EQ(values_of(scene, scene.cloth, CLOTHC_CHANNEL_REST_POSITION),
            values_of(twin, twin.cloth, CLOTHC_CHANNEL_REST_POSITION));
  EXPECT_EQ(state_hash(scene.solver), state_hash(twin.solver));
}

TEST_P(OptionalChannels, go_with_clones_and_snapshots) {
  Scene scene(GetParam());
  const uint32_t count = cloth_info(scene.solver, scene.cloth).particle_count;
  set_particles(scene.device, scene.solver, scene.cloth, CLOTHC_CHANNEL_ACCELERATION,
                values_for(CLOTHC_CHANNEL_ACCELERATION, 0, count));
  set_particles(scene.device, scene.solver, scene.cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT,
                values_for(CLOTHC_CHANNEL_MOTION_CONSTRAINT, 0, count));
  clothc_cloth_id clone = 0;
  ASSERT_OK(clothc_cloth_clone(scene.solver, scene.cloth, &clone));
  const auto expect_both = [&] {
    for (const clothc_channel channel : {CLOTHC_CHANNEL_ACCELERATION, CLOTHC_CHANNEL_MOTION_CONSTRAINT}) {
      EXPECT_EQ(values_of(scene, scene.cloth, channel), values_for(channel, 0, count));
      EXPECT_EQ(values_of(scene, clone, channel), values_for(channel, 0, count));
    }
    EXPECT_EQ(values_of(scene, clone, CLOTHC_CHANNEL_REST_POSITION), std::vector<Value>(count, Value{0, 0, 0, 0}));
  };
  expect_both();
  const std::vector<uint8_t> snapshot = take_snapshot(scene.solver);
  ASSERT_OK(clothc_cloth_clear(scene.solver, clone, CLOTHC_CHANNEL_ACCELERATION));
  ASSERT_OK(clothc_solver_restore(scene.solver, snapshot.data(), snapshot.size(), &scene.fabric, 1));
  expect_both();
  EXPECT_EQ(take_snapshot(scene.solver), snapshot);
}

}  // namespace
}  // namespace clothc_test::optional_channels_test
