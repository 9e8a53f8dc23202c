// frame_jumps_test.cpp - frames that jump: the effect of teleports, new starts, cleared inertia and ignored
// discontinuities on the cloth's motion, compared bit by bit; pending targets; and frames far away.
#include <cmath>

#include "physics/frame_motion.h"
#include "support/world.h"

namespace physics::frame_jumps_test {
namespace {

using PhysicsFrameJumps = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsFrameJumps);

constexpr float dt = 1 / 64.0f;

// Makes a sheet hung by a corner that falls, swings and is pulled along.
Plan hung_sheet() {
  Plan plan = sheet({});
  plan.points[0].w = 0;
  return plan;
}

// Positions are exact in binary, so differences between them are the same everywhere.
FramePose moving(int update) { return {{update * 0.03125, update * update * 0.0078125, 0}, {}}; }

struct End {
  std::vector<Point> positions, velocities;
  bool operator==(const End& other) const {
    return same_bits(positions, other.positions) && same_bits(velocities, other.velocities);
  }
};
End end_of(World& world, clothc_cloth_id cloth) {
  return {world.get(cloth), world.get(cloth, CLOTHC_CHANNEL_VELOCITY)};
}

// Runs 20 updates of a frame that accelerates and stands still from the 10th update on. Before the 10th update it jumps
// upwards with the given flags.
End after_jump(const Target& target, uint32_t flags, double jump) {
  World world(target);
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 256;
  const clothc_cloth_id cloth = world.add(hung_sheet(), parameters);
  for (int k = 1; k <= 20; ++k) {
    FramePose pose = moving(k < 10 ? k : 10), start = moving(9);
    if (k >= 10) {
      pose.translation = pose.translation + Vector3{0, jump, 0};
      start.translation = start.translation + Vector3{0, jump, 0};
    }
    clothc_cloth_frame frame = frame_at(pose, k == 10 ? flags : 0);
    write_pose(start, frame.start_translation, frame.start_rotation);
    world.set_frame(cloth, frame);
    world.update(dt);
  }
  return end_of(world, cloth);
}

TEST_P(PhysicsFrameJumps, of_a_new_start_nothing_is_felt) {
  const End without = after_jump(GetParam(), 0, 0);
  EXPECT_TRUE(after_jump(GetParam(), CLOTHC_FRAME_START, 64) == without);
  EXPECT_FALSE(after_jump(GetParam(), 0, 64) == without);
}

// Runs 20 updates of a frame in uniform motion that also jumps in the 10th update with the given flags.
End after_uniform_motion(const Target& target, uint32_t flags, double jump) {
  World world(target);
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 256;
  const clothc_cloth_id cloth = world.add(hung_sheet(), parameters);
  for (int k = 1; k <= 20; ++k) {
    const Vector3 position = {k * 0.0625, k * -0.03125, k < 10 ? 0 : jump};
    world.set_frame(cloth, frame_at({position, {}}, k == 10 ? flags : 0));
    world.update(dt);
  }
  return end_of(world, cloth);
}

TEST_P(PhysicsFrameJumps, a_teleport_keeps_the_frames_velocity_and_the_cloth_as_it_is) {
  const End without = after_uniform_motion(GetParam(), 0, 0);
  EXPECT_TRUE(after_uniform_motion(GetParam(), CLOTHC_FRAME_TELEPORT, 64) == without);
  EXPECT_FALSE(after_uniform_motion(GetParam(), 0, 64) == without);
}

TEST_P(PhysicsFrameJumps, an_ignored_discontinuity_counts_as_the_velocity_before) {
  EXPECT_TRUE(after_uniform_motion(GetParam(), CLOTHC_FRAME_IGNORE_DISCONTINUITY, 64) ==
              after_uniform_motion(GetParam(), 0, 0));
}

// Without gravity and wind the frame's rotation has no effect.
TEST_P(PhysicsFrameJumps, a_teleport_may_turn_the_frame) {
  std::vector<End> ends;
  for (const double angle : {0.0, 2.0}) {
    for (const uint32_t flag : {CLOTHC_FRAME_TELEPORT, CLOTHC_FRAME_START, CLOTHC_FRAME_CLEAR_INERTIA}) {
      World world(GetParam());
      const clothc_cloth_id cloth = world.add(hung_sheet(), plain_parameters(256));
      world.set(cloth, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {1, 2, -1, 0}));
      for (int k = 0; k < 10; ++k) {
        clothc_cloth_frame frame = frame_at({{}, {0, k < 5 ? 0 : angle, 0}}, k == 5 ? flag : 0);
        write_pose({{}, {0, angle, 0}}, frame.start_translation, frame.start_rotation);
        world.set_frame(cloth, frame);
        world.update(dt);
      }
      ends.push_back(end_of(world, cloth));
    }
  }
  for (const End& end : ends) EXPECT_TRUE(end == ends[0]);
}

// The frame moved at 2 m/s and stops. The cloth was at rest in the world; with inertia cleared it does not feel the
// stop.
TEST_P(PhysicsFrameJumps, cleared_inertia_is_as_if_the_frame_always_stood_still) {
  for (const bool cleared : {true, false}) {
    World world(GetParam());
    const clothc_cloth_id cloth = world.add({{{0, 0, 0, 1}}, {}, {}, 0, {}, {}}, plain_parameters(256));
    world.set_frame(cloth, frame_at({{2.0 / 64, 0, 0}, {}}));
    world.update(dt);
    const float velocity = world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].x;
    EXPECT_EQ(velocity, -2);
    world.set_frame(cloth, frame_at({{100, 0, 0}, {}}, cleared ? CLOTHC_FRAME_CLEAR_INERTIA : CLOTHC_FRAME_START));
    if (!cleared) start_at(world, cloth, {{100, 0, 0}, {}});
    world.update(dt);
    EXPECT_EQ(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].x, cleared ? velocity : 0);
  }
}

// With radius 0 the particle is at its sphere's centre, where it already was at the end of the previous iteration.
TEST_P(PhysicsFrameJumps, cleared_interpolation_puts_constraints_and_shapes_at_their_targets) {
  for (const bool cleared : {true, false}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = plain_parameters(256);
    parameters.stiffness_frequency = 100000;
    const Shapes shapes = {{{0, 0, 4, 1}}, {{0, 0, 8, 1}}, {}, {}, {}};
    const clothc_collider_set_id set = world.add_colliders(shapes);
    const Plan plan = {{{0, 0, 0, 1}, {0, 0, 3.5f, 1}}, {}, {}, 0, {}, {}};
    const clothc_cloth_id cloth = world.add(plan, parameters, {}, {set});
    world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT_START, {{0, 0, 0, 0}, {0, 0, 0, -1}});
    world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {{4, 0, 0, 0}, {0, 0, 0, -1}});
    world.set_frame(cloth, frame_at({}, cleared ? CLOTHC_FRAME_CLEAR_INTERPOLATION : 0));
    world.update(dt);
    const std::vector<Point> now = world.get(cloth), before = world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION);
    EXPECT_EQ(now[0].x, 4);
    EXPECT_EQ(before[0].x, cleared ? 4.0f : 3.0f);
    // Without the flag, the sphere reaches the particle only in the last iteration. With it the sphere has pushed the
    // particle since the first one.
    EXPECT_EQ(before[1].z < 3.25f, cleared);
    clothc_cloth_frame frame = frame_at({});
    require(clothc_cloth_get_frame(world.solver, cloth, &frame));
    EXPECT_EQ(frame.flags, 0u);
  }
}

TEST_P(PhysicsFrameJumps, a_time_step_of_zero_leaves_the_frames_motion_to_the_next_update) {
  End ends[2];
  for (const int waits : {0, 1}) {
    World world(GetParam());
    const clothc_cloth_id cloth = world.add(hung_sheet(), default_parameters());
    world.update(dt, 3);
    world.set_frame(cloth, frame_at({{0.25, 0, 0}, {0, 0.1, 0}}, CLOTHC_FRAME_CLEAR_INTERPOLATION));
    if (waits == 1) {
      world.update(0, 2);
      auto frame = initialised<clothc_cloth_frame>();
      require(clothc_cloth_get_frame(world.solver, cloth, &frame));
      EXPECT_EQ(frame.start_translation[0], 0);
      EXPECT_EQ(frame.translation[0], 0.25f);
      EXPECT_EQ(frame.flags, static_cast<uint32_t>(CLOTHC_FRAME_CLEAR_INTERPOLATION));
    }
    world.update(dt, 3);
    ends[waits] = end_of(world, cloth);
  }
  EXPECT_TRUE(ends[0] == ends[1]);
}

TEST_P(PhysicsFrameJumps, setting_the_same_pose_every_update_changes_nothing) {
  End ends[2];
  uint64_t hashes[2];
  for (const int every : {0, 1}) {
    World world(GetParam());
    const clothc_cloth_id cloth = world.add(hung_sheet(), default_parameters());
    const FramePose pose = {{1.1, -2.2, 3.3}, {0.3, 0.2, 0.1}};
    start_at(world, cloth, pose);
    for (int k = 0; k < 20; ++k) {
      world.update(dt);
      if (every == 1) world.set_frame(cloth, frame_at(pose));
    }
    ends[every] = end_of(world, cloth);
    hashes[every] = world.hash();
  }
  EXPECT_TRUE(ends[0] == ends[1]);
  EXPECT_EQ(hashes[0], hashes[1]);
}

// At this distance positions are multiples of 1/16 m, which corresponds to 4 m/s when such a step happens within an
// update. The sheet is shaken but stays in one piece around its pin.
TEST_P(PhysicsFrameJumps, a_frame_far_away_shakes_the_cloth_but_no_more) {
  World world(GetParam());
  clothc_cloth_parameters parameters = default_parameters();
  fill(parameters.damping, 0.2f);
  const clothc_cloth_id cloth = world.add(hung_sheet(), parameters);
  start_at(world, cloth, {{1e6, -1e6, 1e6}, {0.5, 0, 0}});
  double farthest = 0;
  for (int k = 1; k <= 240; ++k) {
    const double t = k / 60.0;
    world.set_frame(cloth, frame_at({{1e6 + 0.1 * std::sin(t), -1e6, 1e6 + 0.1 * std::cos(t)}, {0.5 + 0.1 * t, 0, 0}}));
    world.update(1 / 60.0f);
    const std::vector<Point> points = world.get(cloth);
    for (const Point& p : points) {
      const Point& pin = points[0];
      farthest = std::fmax(farthest, length(Vector3{p.x, p.y, p.z} - Vector3{pin.x, pin.y, pin.z}));
    }
  }
  expect_at_most(GetParam(), "sheet of 1.41 m hung in a frame at 1e6 m, moving by 0.1 m: distance from its pin [m]",
                 1.6, farthest);
  EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
}

}  // namespace
}  // namespace physics::frame_jumps_test
