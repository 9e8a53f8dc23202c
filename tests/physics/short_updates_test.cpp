// short_updates_test.cpp - updates much shorter than the iterations before them. Their time is held back for the next
// update, so that cloth at rest stays at rest, moving cloth keeps its speed, and no time is lost.
#include <cmath>
#include <random>

#include "support/world.h"

namespace physics::short_updates_test {
namespace {

using PhysicsShortUpdates = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsShortUpdates);

double largest_speed(World& world, clothc_cloth_id cloth) {
  double largest = 0;
  for (const Point& v : world.get(cloth, CLOTHC_CHANNEL_VELOCITY)) {
    largest = std::max(largest, std::hypot(double{v.x}, double{v.y}, double{v.z}));
  }
  return largest;
}

double largest_distance(const std::vector<Point>& a, const std::vector<Point>& b) {
  double largest = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    const double x = double{a[i].x} - b[i].x, y = double{a[i].y} - b[i].y, z = double{a[i].z} - b[i].z;
    largest = std::max(largest, std::hypot(x, y, z));
  }
  return largest;
}

// Two particles of 1 kg, 1 m apart.
Plan pair() {
  Plan plan;
  plan.points = {{0, 0, 0, 1}, {1, 0, 0, 1}};
  plan.phases = {{{0, 1, 1}}};
  return plan;
}

// A sheet of 8 x 8 particles that hangs by two corners.
Plan hung_sheet() {
  SheetPlan wanted;
  wanted.n = 8;
  Plan plan = sheet(wanted);
  plan.points[0].w = plan.points[7].w = 0;
  return plan;
}

clothc_cloth_parameters damped_parameters() {
  clothc_cloth_parameters parameters = default_parameters();
  fill(parameters.damping, 0.3f);
  parameters.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY;
  return parameters;
}

TEST_P(PhysicsShortUpdates, a_sheet_at_rest_stays_at_rest_when_tiny_updates_come_in_between) {
  if (is_software(GetParam())) {
    World world(GetParam()), same(cpu_target);
    const clothc_cloth_id cloth = world.add(hung_sheet(), damped_parameters());
    const clothc_cloth_id twin = same.add(hung_sheet(), damped_parameters());
    for (const float dt : {1 / 60.0f, 1e-4f, 1 / 60.0f, 1e-6f, 1e-5f, 0.1f, 1 / 60.0f})
      world.update(dt), same.update(dt);
    EXPECT_TRUE(same_bits(world.get(cloth), same.get(twin)));
    return;
  }
  for (const float normal : {1 / 60.0f, 0.1f}) {
    World world(GetParam());
    const clothc_cloth_id cloth = world.add(hung_sheet(), damped_parameters());
    world.update(normal, normal > 0.05f ? 150 : 600);
    const std::vector<Point> settled = world.get(cloth);
    ASSERT_LT(largest_speed(world, cloth), 0.01);
    for (const float tiny : {1e-4f, 1e-5f, 1e-6f}) {
      double speed = 0, energy = 0, distance = 0;
      for (int k = 0; k < 20; ++k) {
        for (const float dt : {normal, tiny}) {
          world.update(dt);
          speed = std::max(speed, largest_speed(world, cloth));
          energy = std::max(energy, double{world.status(cloth).kinetic_energy});
          distance = std::max(distance, largest_distance(settled, world.get(cloth)));
        }
      }
      const std::string steps = "updates of " + std::to_string(normal) + " and " + std::to_string(tiny) + " s: ";
      expect_at_most(GetParam(), "sheet at rest, " + steps + "speed [m/s]", 0.01, speed);
      expect_at_most(GetParam(), "sheet at rest, " + steps + "kinetic energy [J]", 1e-4, energy);
      expect_at_most(GetParam(), "sheet at rest, " + steps + "moved [m]", 1e-3, distance);
    }
  }
}

// Generates random update lengths that are evenly distributed on a logarithmic scale between two limits.
class RandomLength {
 public:
  RandomLength(double least, double most) : least_(std::log(least)), most_(std::log(most)) {}
  float next() {
    const double part = double(generator_()) / double(std::mt19937::max());
    return float(std::exp(least_ + part * (most_ - least_)));
  }

 private:
  double least_, most_;
  std::mt19937 generator_{12345};
};

TEST_P(PhysicsShortUpdates, a_sheet_at_rest_stays_at_rest_in_updates_of_any_length) {
  World world(GetParam()), same(cpu_target);
  const clothc_cloth_id cloth = world.add(hung_sheet(), damped_parameters());
  // Two thirds of the updates are shorter than an iteration.
  RandomLength length(1.001e-6, 0.1);
  if (is_software(GetParam())) {
    const clothc_cloth_id twin = same.add(hung_sheet(), damped_parameters());
    for (int k = 0; k < 20; ++k) {
      const float dt = length.next();
      world.update(dt), same.update(dt);
    }
    EXPECT_TRUE(same_bits(world.get(cloth), same.get(twin)));
    return;
  }
  world.update(1 / 60.0f, 600);
  const std::vector<Point> settled = world.get(cloth);
  double speed = 0, distance = 0;
  for (int k = 0; k < 1000; ++k) {
    world.update(length.next());
    speed = std::max(speed, largest_speed(world, cloth));
    distance = std::max(distance, largest_distance(settled, world.get(cloth)));
  }
  const std::string row = "sheet at rest, updates of 1e-6 .. 0.1 s at random: ";
  expect_at_most(GetParam(), row + "speed [m/s]", 0.5, speed);
  expect_at_most(GetParam(), row + "moved [m]", 5e-3, distance);
}

TEST_P(PhysicsShortUpdates, a_sheet_at_rest_is_not_torn_up_when_all_updates_become_short) {
  World world(GetParam()), same(cpu_target);
  const clothc_cloth_id cloth = world.add(hung_sheet(), damped_parameters());
  if (is_software(GetParam())) {
    const clothc_cloth_id twin = same.add(hung_sheet(), damped_parameters());
    for (World* each : {&world, &same}) each->update(1 / 60.0f), each->update(1e-4f, 40);
    EXPECT_TRUE(same_bits(world.get(cloth), same.get(twin)));
    return;
  }
  world.update(1 / 60.0f, 600);
  double speed = 0;
  for (int k = 0; k < 1000; ++k) {
    world.update(1e-4f);
    speed = std::max(speed, largest_speed(world, cloth));
  }
  EXPECT_EQ(world.status(cloth).iteration_count, 1u);
  expect_at_most(GetParam(), "sheet at rest, updates of 1e-4 s from now on: speed [m/s]", 2, speed);
}

// However the frame times of a game vary between 30 and 144 frames per second, each frame moves the cloth.
TEST_P(PhysicsShortUpdates, frames_of_games_are_never_held_back) {
  for (const float frequency : {60.0f, 120.0f, 300.0f}) {
    World world(GetParam());
    const clothc_cloth_id cloth = world.add(pair(), plain_parameters(frequency));
    RandomLength length(1 / 144.0, 1 / 30.0);
    for (int k = 0; k < 300; ++k) {
      // Runs of long frames fill the filter of gravity before a short one.
      const float dt = k % 40 == 39 ? 1 / 144.0f : k % 40 > 5 ? 0.0249f : length.next();
      world.update(dt);
      ASSERT_GE(world.status(cloth).iteration_count, 1u) << "update " << k << " of " << dt << " s at " << frequency;
    }
  }
}

TEST_P(PhysicsShortUpdates, no_time_and_no_velocity_is_lost) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(256);
  parameters.gravity[1] = -8;
  const clothc_cloth_id cloth = world.add(pair(), parameters);
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{2, 0, 0, 0}, {2, 0, 0, 0}});
  double time = 0;
  for (int k = 0; k < 64; ++k) {
    for (const float dt : {1 / 64.0f, 1 / 8192.0f, 1 / 65536.0f}) world.update(dt), time += dt;
  }
  world.update(1 / 64.0f), time += 1 / 64.0;
  const double h = 1 / 256.0;
  EXPECT_NEAR(world.get(cloth)[0].x, 2 * time, 1e-4);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].x, 2, 1e-3);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].y, -8 * time, 8 * time * 0.01);
  EXPECT_NEAR(world.get(cloth)[0].y, -4 * time * (time + h), 4 * time * time * 0.01);
}

TEST_P(PhysicsShortUpdates, updates_that_stay_short_are_soon_run_one_by_one) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(pair(), plain_parameters(256));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{1, 0, 0, 0}, {1, 0, 0, 0}});
  world.update(1 / 64.0f);
  const float dt = 1 / 8192.0f;
  world.update(dt);
  EXPECT_EQ(world.status(cloth).iteration_count, 0u);
  EXPECT_EQ(world.status(cloth).iteration_dt, 1 / 256.0f);
  int k = 1;
  // A sixteenth of a second.
  for (; k < 512; ++k) {
    world.update(dt);
    const double behind = 1 / 64.0 + (k + 1) * double{dt} - double{world.get(cloth)[0].x};
    EXPECT_LT(behind, 1 / 512.0) << "more than half an iteration is held back in update " << k;
  }
  for (; k < 522; ++k) {
    world.update(dt);
    EXPECT_EQ(world.status(cloth).iteration_count, 1u);
    EXPECT_NEAR(world.get(cloth)[0].x, 1 / 64.0 + (k + 1) * double{dt}, 5e-6);
  }
}

// Particles without forces stay where they are in the world, whatever their frame does.
TEST_P(PhysicsShortUpdates, a_frame_that_moves_on_is_felt_once) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(pair(), plain_parameters(256));
  auto frame = initialised<clothc_cloth_frame>();
  for (int k = 0; k < 16; ++k) {
    for (const float dt : {1 / 64.0f, 1 / 8192.0f}) {
      frame.translation[0] += 4 * dt;
      world.set_frame(cloth, frame);
      world.update(dt);
    }
  }
  frame.translation[0] += 4 / 64.0f;
  world.set_frame(cloth, frame);
  world.update(1 / 64.0f);
  // As always, the first update spreads the frame's acceleration over its iterations.
  EXPECT_NEAR(world.get(cloth)[0].x + frame.translation[0], 0, 2e-3);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].x, -4, 1e-3);
}

}  // namespace
}  // namespace physics::short_updates_test
