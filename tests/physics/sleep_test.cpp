// sleep_test.cpp - cloths that fall asleep: when they do, what is skipped, and that every change wakes them and nothing
// else does.
#include <cmath>
#include <functional>
#include <string>
#include <utility>

#include "physics/frame_motion.h"
#include "support/world.h"

namespace physics::sleep_test {
namespace {

using PhysicsSleep = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsSleep);

// 5 iterations of 10 ms.
constexpr float dt = 0.05f;

// Returns parameters with a test every 100 ms, which is every 2 updates. The cloth sleeps after 3 tests.
clothc_cloth_parameters sleepy(clothc_sleep_policy policy = CLOTHC_SLEEP_SKIP) {
  clothc_cloth_parameters parameters = plain_parameters(100);
  parameters.sleep_threshold = 0.05f;
  parameters.sleep_test_interval = 100;
  parameters.sleep_after_count = 3;
  parameters.sleep_policy = policy;
  return parameters;
}
constexpr int updates_to_sleep = 6;

bool is_asleep(World& world, clothc_cloth_id cloth) { return (world.status(cloth).flags & CLOTHC_STATUS_ASLEEP) != 0; }

// Adds particles that move by less than the threshold, so that only sleep can stop them.
clothc_cloth_id add_drifting(World& world, const clothc_cloth_parameters& parameters,
                             const std::vector<clothc_collider_set_id>& colliders = {}) {
  const Plan plan = {{{0, 0, 0, 1}, {1, 0, 0, 1}}, {{{0, 1, 1}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, parameters, {}, colliders);
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{0, 0.03f, 0, 0}, {0, 0.03f, 0, 0}});
  return cloth;
}

// A backend that records the end of an update once must not test later updates with the time step of the recorded one.
TEST_P(PhysicsSleep, a_cloth_that_collides_with_itself_is_tested_with_the_time_step_of_each_update) {
  World world(GetParam());
  clothc_cloth_parameters parameters = sleepy();
  parameters.self_collision_distance = 0.1f;
  const clothc_cloth_id cloth = add_drifting(world, parameters);
  world.update(dt / 5, 3);
  EXPECT_FALSE(is_asleep(world, cloth));
  world.update(dt, 2 * updates_to_sleep);
  EXPECT_TRUE(is_asleep(world, cloth));
}

TEST_P(PhysicsSleep, a_slow_cloth_sleeps_after_the_tests_and_then_stays_exactly_where_it_is) {
  World world(GetParam());
  const clothc_cloth_id cloth = add_drifting(world, sleepy());
  for (int k = 1; k <= updates_to_sleep; ++k) {
    EXPECT_FALSE(is_asleep(world, cloth));
    world.update(dt);
    EXPECT_EQ(world.status(cloth).sleep_pass_count, static_cast<uint32_t>(k / 2));
    EXPECT_EQ(world.status(cloth).iteration_count, 5u);
  }
  EXPECT_TRUE(is_asleep(world, cloth));
  const std::vector<Point> asleep = world.get(cloth);
  EXPECT_NEAR(asleep[0].y, 0.03 * 0.3, 1e-5);
  world.update(dt, 10);
  EXPECT_TRUE(is_asleep(world, cloth));
  EXPECT_EQ(world.status(cloth).iteration_count, 0u);
  EXPECT_EQ(world.status(cloth).bounds_maximum[1], asleep[1].y);
  EXPECT_TRUE(same_bits(world.get(cloth), asleep));
}

TEST_P(PhysicsSleep, a_reported_sleep_changes_nothing) {
  World world(GetParam());
  const clothc_cloth_id reported = add_drifting(world, sleepy(CLOTHC_SLEEP_REPORT));
  const clothc_cloth_id without = add_drifting(world, plain_parameters(100));
  world.update(dt, 20);
  EXPECT_TRUE(is_asleep(world, reported));
  EXPECT_FALSE(is_asleep(world, without));
  EXPECT_EQ(world.status(reported).iteration_count, 5u);
  EXPECT_TRUE(same_bits(world.get(reported), world.get(without)));
  EXPECT_NEAR(world.get(reported)[0].y, 0.03, 1e-5);
}

// One particle at or above the threshold on any axis keeps the whole cloth awake. With the threshold 0 the cloth never
// sleeps.
TEST_P(PhysicsSleep, one_fast_particle_keeps_the_cloth_awake) {
  for (const int axis : {0, 1, 2}) {
    for (const float part : {0.9f, 1.1f}) {
      World world(GetParam());
      Plan plan = {std::vector<Point>(100, {0, 0, 0, 1}), {}, {}, 0, {}, {}};
      const clothc_cloth_id cloth = world.add(plan, sleepy());
      std::vector<Point> velocities(100, {0, 0, 0, 0});
      (axis == 0 ? velocities[77].x : axis == 1 ? velocities[77].y : velocities[77].z) = part * -0.05f;
      world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
      world.update(dt, 10);
      EXPECT_EQ(is_asleep(world, cloth), part < 1) << axis;
    }
  }
  World world(GetParam());
  clothc_cloth_parameters parameters = sleepy();
  parameters.sleep_threshold = 0;
  const clothc_cloth_id cloth = world.add({{{0, 0, 0, 1}}, {}, {}, 0, {}, {}}, parameters);
  world.update(dt, 20);
  EXPECT_FALSE(is_asleep(world, cloth));
  EXPECT_EQ(world.status(cloth).iteration_count, 5u);
}

TEST_P(PhysicsSleep, a_damped_sheet_comes_to_rest_on_a_plane_and_sleeps) {
  World world(GetParam());
  const clothc_collider_set_id floor = world.add_colliders({{}, {}, {{0, 1, 0, 0.5f}}, {}, {}});
  clothc_cloth_parameters parameters = default_parameters();
  fill(parameters.damping, 0.3f);
  parameters.friction = 0.5f;
  parameters.sleep_threshold = 0.05f;
  const clothc_cloth_id cloth = world.add(sheet({}), parameters, {}, {floor});
  world.update(1 / 60.0f, 18);
  EXPECT_FALSE(is_asleep(world, cloth));
  world.update(1 / 60.0f, 222);
  EXPECT_TRUE(is_asleep(world, cloth));
  for (const Point& p : world.get(cloth)) EXPECT_NEAR(p.y, -0.5, 1e-3);
}

using Change = std::function<void(World&, clothc_cloth_id, clothc_collider_set_id)>;

bool wakes(const Target& target, const Change& change) {
  World world(target);
  const clothc_collider_set_id set = world.add_colliders({{{0, 100, 0, 1}}, {}, {{0, 1, 0, 50}}, {}, {}});
  const clothc_cloth_id cloth = add_drifting(world, sleepy(), {set});
  world.update(dt, updates_to_sleep + 1);
  EXPECT_EQ(world.status(cloth).iteration_count, 0u);
  change(world, cloth, set);
  world.update(dt);
  return world.status(cloth).iteration_count != 0;
}

void set_channel(World& world, clothc_cloth_id cloth, clothc_channel channel) {
  world.set(cloth, channel, world.get(cloth, channel));
}

TEST_P(PhysicsSleep, every_change_wakes) {
  const std::vector<std::pair<std::string, Change>> changes = {
      {"parameters",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         clothc_cloth_parameters parameters = sleepy();
         parameters.friction = 0.25f;
         world.set_parameters(cloth, parameters);
       }},
      {"phases",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         const clothc_phase_config config = phase_config(0, 0.5f);
         require(clothc_cloth_set_phases(world.solver, cloth, &config, 1));
       }},
      {"frame",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         world.set_frame(cloth, frame_at({{1e-3, 0, 0}, {}}));
       }},
      {"frame flags",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         world.set_frame(cloth, frame_at({}, CLOTHC_FRAME_CLEAR_INTERPOLATION));
       }},
      {"collider sets listed",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         require(clothc_cloth_set_collider_sets(world.solver, cloth, nullptr, 0));
       }},
      {"collider set destroyed",
       [](World& world, clothc_cloth_id, clothc_collider_set_id set) {
         require(clothc_collider_set_destroy(world.solver, set));
       }},
      {"a sphere moved",
       [](World& world, clothc_cloth_id, clothc_collider_set_id set) {
         world.write(set, {{{0, 100, 0, 1.5f}}, {}, {{0, 1, 0, 50}}, {}, {}});
       }},
      {"a sphere's start",
       [](World& world, clothc_cloth_id, clothc_collider_set_id set) {
         world.write(set, {{{0, 100, 0, 1}}, {{0, 99, 0, 1}}, {{0, 1, 0, 50}}, {}, {}});
       }},
      {"a plane gone",
       [](World& world, clothc_cloth_id, clothc_collider_set_id set) {
         world.write(set, {{{0, 100, 0, 1}}, {}, {}, {}, {}});
       }},
      {"positions", [](World& world, clothc_cloth_id cloth,
                       clothc_collider_set_id) { set_channel(world, cloth, CLOTHC_CHANNEL_POSITION); }},
      {"previous positions",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         set_channel(world, cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION);
       }},
      {"velocities", [](World& world, clothc_cloth_id cloth,
                        clothc_collider_set_id) { set_channel(world, cloth, CLOTHC_CHANNEL_VELOCITY); }},
      {"accelerations", [](World& world, clothc_cloth_id cloth,
                           clothc_collider_set_id) { set_channel(world, cloth, CLOTHC_CHANNEL_ACCELERATION); }},
      {"motion constraints",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         set_channel(world, cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT);
       }},
      {"separation constraints",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         set_channel(world, cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT);
       }},
      {"cleared accelerations",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         require(clothc_cloth_clear(world.solver, cloth, CLOTHC_CHANNEL_ACCELERATION));
       }},
      {"reset",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         const float positions[8] = {0, 0, 0, 1, 1, 0, 0, 1};
         require(clothc_cloth_reset(world.solver, cloth, positions));
       }},
  };
  for (const auto& [name, change] : changes) EXPECT_TRUE(wakes(GetParam(), change)) << name;
}

TEST_P(PhysicsSleep, what_changes_nothing_does_not_wake) {
  const std::vector<std::pair<std::string, Change>> repetitions = {
      {"nothing", [](World&, clothc_cloth_id, clothc_collider_set_id) {}},
      {"the same parameters",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) { world.set_parameters(cloth, sleepy()); }},
      {"the same phases",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         const clothc_phase_config config = phase_config(0);
         require(clothc_cloth_set_phases(world.solver, cloth, &config, 1));
       }},
      {"the same frame",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) { world.set_frame(cloth, frame_at({})); }},
      {"the same collider sets",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id set) {
         require(clothc_cloth_set_collider_sets(world.solver, cloth, &set, 1));
       }},
      {"the same shapes",
       [](World& world, clothc_cloth_id, clothc_collider_set_id set) {
         world.write(set, {{{0, 100, 0, 1}}, {}, {{0, 1, 0, 50}}, {}, {}});
       }},
      {"shapes of a set not listed",
       [](World& world, clothc_cloth_id, clothc_collider_set_id) {
         world.add_colliders({{{0, 0, 0, 1}}, {}, {}, {}, {}});
       }},
      {"another cloth's position",
       [](World& world, clothc_cloth_id, clothc_collider_set_id) {
         const clothc_cloth_id other = world.add({{{0, 0, 0, 1}}, {}, {}, 0, {}, {}}, sleepy());
         world.set(other, CLOTHC_CHANNEL_POSITION, {{1, 0, 0, 1}});
       }},
      {"reading",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         world.get(cloth);
         world.hash();
       }},
      {"a refused frame",
       [](World& world, clothc_cloth_id cloth, clothc_collider_set_id) {
         clothc_cloth_frame frame = frame_at({{1, 0, 0}, {}});
         frame.rotation[3] = 2;
         EXPECT_EQ(clothc_cloth_set_frame(world.solver, cloth, &frame), CLOTHC_ERROR_INVALID_ARGUMENT);
       }},
  };
  for (const auto& [name, change] : repetitions) EXPECT_FALSE(wakes(GetParam(), change)) << name;
}

TEST_P(PhysicsSleep, colliders_that_move_keep_the_cloth_awake) {
  World world(GetParam());
  const clothc_collider_set_id set = world.add_colliders({{{0, 100, 0, 1}}, {}, {}, {}, {}});
  const clothc_cloth_id cloth = add_drifting(world, sleepy(), {set});
  for (int k = 1; k <= 20; ++k) {
    world.write(set, {{{0, 100 + static_cast<float>(k), 0, 1}}, {}, {}, {}, {}});
    world.update(dt);
    EXPECT_EQ(world.status(cloth).iteration_count, 5u);
  }
  EXPECT_FALSE(is_asleep(world, cloth));
  world.update(dt, updates_to_sleep);
  EXPECT_TRUE(is_asleep(world, cloth));
}

// A woken cloth continues as if no time had passed, even if the time step was different in the meantime.
TEST_P(PhysicsSleep, a_woken_cloth_goes_on_with_the_velocity_it_had) {
  for (const float meanwhile : {dt, 1 / 60.0f}) {
    World world(GetParam());
    const clothc_cloth_id cloth = add_drifting(world, sleepy());
    world.update(dt, updates_to_sleep);
    EXPECT_TRUE(is_asleep(world, cloth));
    const float velocity = world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].y;
    EXPECT_NEAR(velocity, 0.03, 1e-5);
    world.update(meanwhile, 7);
    EXPECT_EQ(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].y, velocity) << "asleep at " << meanwhile;
    clothc_cloth_parameters parameters = sleepy();
    parameters.sleep_threshold = 0;
    world.set_parameters(cloth, parameters);
    world.update(dt, 2);
    EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].y, 0.03, 1e-4) << "slept at " << meanwhile;
    EXPECT_NEAR(world.get(cloth)[0].y, 0.03 * 0.4, 1e-5) << "slept at " << meanwhile;
  }
}

// Runs a mixture of sleeping cloths, some of which are woken. The state must be the same on every target.
uint64_t hash_of_sleepers(const Target& target) {
  World world(target);
  std::vector<clothc_cloth_id> cloths;
  for (const clothc_sleep_policy policy : {CLOTHC_SLEEP_SKIP, CLOTHC_SLEEP_REPORT}) {
    for (const float frequency : {60.0f, 100.0f, 300.0f}) {
      clothc_cloth_parameters parameters = sleepy(policy);
      parameters.solver_frequency = frequency;
      cloths.push_back(add_drifting(world, parameters));
    }
  }
  world.update(dt, 9);
  for (const size_t k : {1, 4}) world.set(cloths[k], CLOTHC_CHANNEL_ACCELERATION, {{0.01f, 0, 0, 0}, {0, 0, 0, 0}});
  world.update(dt, 3);
  EXPECT_TRUE(is_asleep(world, cloths[0]));
  EXPECT_FALSE(is_asleep(world, cloths[1]));
  return world.hash();
}

TEST_P(PhysicsSleep, sleepers_are_the_same_on_every_device_and_schedule) {
  EXPECT_EQ(hash_of_sleepers(GetParam()), hash_of_sleepers(cpu_target));
}

}  // namespace
}  // namespace physics::sleep_test
