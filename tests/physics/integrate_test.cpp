// integrate_test.cpp - the integration stage: gravity, damping, accelerations, varying time steps and pins.
#include <algorithm>
#include <cmath>

#include "support/world.h"

namespace physics::integrate_test {
namespace {

using PhysicsIntegrate = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsIntegrate);

Plan one_particle(float inverse_mass = 1) { return {{{0, 0, 0, inverse_mass}}, {}, {}, 0, {}, {}}; }

// n steps of v += g h, x += v h give x = g h^2 n (n + 1) / 2 = g t (t + h) / 2.
TEST_P(PhysicsIntegrate, free_particle_falls_as_semi_implicit_euler_predicts) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(64);
  // This value is exact in float, and so is every position that occurs.
  parameters.gravity[2] = -8;
  const clothc_cloth_id cloth = world.add(one_particle(), parameters);
  world.update(1 / 16.0f, 64);
  expect_row(GetParam(), "free fall, 4 s at 64 Hz, g 8 m/s2: z [m]", -0.5 * 8 * 4 * (4 + 1 / 64.0),
             world.get(cloth)[0].z, 1e-6);
}

// Here each step rounds x, and Verlet integration keeps the error as a velocity.
TEST_P(PhysicsIntegrate, rounding_in_free_fall_stays_small) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.gravity[2] = -9.81f;
  const clothc_cloth_id cloth = world.add(one_particle(), parameters);
  world.update(1 / 60.0f, 60);
  expect_row(GetParam(), "free fall, 1 s at 240 Hz, g 9.81 m/s2: z [m]", -0.5 * 9.81 * (1 + 1 / 240.0),
             world.get(cloth)[0].z, 1e-4);
}

// After t seconds the part (1 - c)^(stiffness_frequency t) of the velocity is left, on each axis with its own c.
TEST_P(PhysicsIntegrate, damping_takes_its_part_of_each_axis) {
  for (const float frequency : {60.0f, 120.0f, 240.0f}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = plain_parameters(frequency);
    parameters.stiffness_frequency = 10;
    const float damping[3] = {0.0f, 0.05f, 0.2f};
    std::copy(damping, damping + 3, parameters.damping);
    const clothc_cloth_id cloth = world.add(one_particle(), parameters);
    world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{1, 1, 1, 0}});
    world.update(1 / 60.0f, 60);
    const Point v = world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0];
    const std::string where = ", 1 s at " + std::to_string(static_cast<int>(frequency)) + " Hz: velocity kept";
    expect_row(GetParam(), "damping 0" + where, 1, v.x, 0.01);
    expect_row(GetParam(), "damping 0.05" + where, std::pow(1 - 0.05, 10), v.y, 0.01);
    expect_row(GetParam(), "damping 0.2" + where, std::pow(1 - 0.2, 10), v.z, 0.01);
  }
}

TEST_P(PhysicsIntegrate, an_acceleration_of_every_particle_equals_gravity) {
  World world(GetParam());
  clothc_cloth_parameters falling = plain_parameters(240);
  falling.gravity[0] = 1.5f;
  falling.gravity[1] = -9.81f;
  const clothc_cloth_id by_gravity = world.add(one_particle(), falling);
  const clothc_cloth_id by_acceleration = world.add(one_particle(), plain_parameters(240));
  world.set(by_acceleration, CLOTHC_CHANNEL_ACCELERATION, {{1.5f, -9.81f, 0, 0}});
  world.update(1 / 60.0f, 30);
  EXPECT_NEAR(world.get(by_acceleration)[0].x, world.get(by_gravity)[0].x, 1e-5);
  EXPECT_NEAR(world.get(by_acceleration)[0].y, world.get(by_gravity)[0].y, 1e-5);
  require(clothc_cloth_clear(world.solver, by_acceleration, CLOTHC_CHANNEL_ACCELERATION));
  const float before = world.get(by_acceleration, CLOTHC_CHANNEL_VELOCITY)[0].y;
  world.update(1 / 60.0f, 10);
  EXPECT_NEAR(world.get(by_acceleration, CLOTHC_CHANNEL_VELOCITY)[0].y, before, 1e-2);
}

TEST_P(PhysicsIntegrate, a_velocity_carries_over_changes_of_the_time_step) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(one_particle(), plain_parameters(240));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{2, -1, 0.5f, 0}});
  double time = 0;
  for (const float dt : {0.016f, 0.033f, 0.004f, 0.05f, 0.011f, 0.02f, 0.0f, 0.0083f}) {
    world.update(dt);
    time += static_cast<double>(dt);
  }
  const Point p = world.get(cloth)[0];
  EXPECT_NEAR(p.x, 2 * time, 1e-4);
  EXPECT_NEAR(p.y, -time, 1e-4);
  EXPECT_NEAR(p.z, 0.5 * time, 1e-4);
}

TEST_P(PhysicsIntegrate, a_constant_time_step_makes_the_acceleration_filter_invisible) {
  World world(GetParam());
  std::vector<clothc_cloth_id> cloths;
  for (const uint32_t width : {1u, 30u, 256u}) {
    clothc_cloth_parameters parameters = default_parameters();
    parameters.acceleration_filter_width = width;
    cloths.push_back(world.add(one_particle(), parameters));
  }
  world.update(1 / 64.0f, 40);
  EXPECT_NEAR(world.get(cloths[1])[0].y, world.get(cloths[0])[0].y, 1e-5);
  EXPECT_NEAR(world.get(cloths[2])[0].y, world.get(cloths[0])[0].y, 1e-5);
}

// Implements the filter in double precision from its description: iteration time steps of the last updates, weighted by
// a trapezoid with ramps of an eighth.
double filtered(const std::vector<double>& history, size_t width) {
  const int count = static_cast<int>(std::min(width, history.size()));
  const int ramp = std::max(1, count / 8);
  double sum = 0, weights = 0;
  for (int k = 0; k < count; ++k) {
    const int weight = std::min({k + 1, ramp, count - k});
    sum += weight * history[history.size() - static_cast<size_t>(count - k)];
    weights += weight;
  }
  return sum / weights;
}

TEST_P(PhysicsIntegrate, gravity_uses_the_filtered_time_step_while_the_time_step_varies) {
  for (const uint32_t width : {1u, 7u, 30u, 200u}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = default_parameters();
    parameters.acceleration_filter_width = width;
    const clothc_cloth_id cloth = world.add(one_particle(), parameters);
    std::vector<double> history;
    double y = 0, before = 0, last_step = 0;
    for (int frame = 0; frame < 40; ++frame) {
      const float dt = 1 / (30.0f + static_cast<float>(frame * 37 % 50));
      const int count = std::max(1, static_cast<int>(dt * parameters.solver_frequency + 0.5f));
      const double h = static_cast<double>(dt) / count;
      const double step = history.empty() ? h : filtered(history, width);
      for (int k = 0; k < count; ++k) {
        const double ratio = k == 0 && last_step > 0 ? h / last_step : 1;
        const double next = y + (y - before) * ratio - 9.81 * step * step;
        before = y;
        y = next;
      }
      last_step = h;
      history.insert(history.end(), static_cast<size_t>(count), h);
      world.update(dt);
    }
    EXPECT_NEAR(world.get(cloth)[0].y, y, 2e-4 * std::fabs(y)) << "width " << width;
  }
}

TEST_P(PhysicsIntegrate, changing_the_solver_frequency_empties_the_filter) {
  World world(GetParam());
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 60;
  const clothc_cloth_id cloth = world.add(one_particle(), parameters);
  world.update(1 / 20.0f, 3);
  parameters.solver_frequency = 240;
  require(clothc_cloth_set_parameters(world.solver, cloth, &parameters));
  const float before = world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].y;
  world.update(1 / 60.0f, 1);
  // With the old entries gravity would act as if each of the 4 iterations lasted 1/60 s, so each would add four times
  // the velocity.
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].y - before, -9.81 / 60, 2e-3);
}

TEST_P(PhysicsIntegrate, a_pinned_particle_stays_and_moves_only_when_it_is_set) {
  World world(GetParam());
  Plan plan = {{{0, 0, 0, 0}, {0, -1, 0, 1}}, {{{0, 1, 1}}}, {}, 0, {}, {}};
  clothc_cloth_parameters parameters = default_parameters();
  parameters.damping[0] = parameters.damping[1] = 0.5f;
  const clothc_cloth_id cloth = world.add(plan, parameters);
  world.update(1 / 60.0f, 30);
  EXPECT_EQ(world.get(cloth)[0].y, 0);
  EXPECT_NEAR(world.get(cloth)[1].y, -1, 1e-3);
  world.set(cloth, CLOTHC_CHANNEL_POSITION, {{2, 0.5f, 0, 0}});
  world.update(1 / 60.0f, 300);
  const std::vector<Point> points = world.get(cloth);
  EXPECT_EQ(points[0].x, 2);
  EXPECT_EQ(points[0].y, 0.5f);
  EXPECT_EQ(points[0].w, 0);
  EXPECT_NEAR(points[1].x, 2, 5e-3);
  EXPECT_NEAR(points[1].y, -0.5, 5e-3);
}

TEST_P(PhysicsIntegrate, particles_are_pinned_and_unpinned_while_the_cloth_runs) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(one_particle(), default_parameters());
  world.update(1 / 60.0f, 10);
  Point p = world.get(cloth)[0];
  EXPECT_LT(p.y, -0.1f);
  p.w = 0;
  world.set(cloth, CLOTHC_CHANNEL_POSITION, {p});
  world.update(1 / 60.0f, 10);
  EXPECT_EQ(world.get(cloth)[0].y, p.y);
  world.set(cloth, CLOTHC_CHANNEL_POSITION, {{p.x, p.y, p.z, 4}}, CLOTHC_SET_AT_REST);
  world.update(1 / 60.0f, 10);
  EXPECT_NEAR(world.get(cloth)[0].y - p.y, -0.5 * 9.81 * (1 / 6.0) * (1 / 6.0 + 1 / 300.0), 1e-4);
  EXPECT_EQ(world.get(cloth)[0].w, 4);
}

TEST_P(PhysicsIntegrate, a_time_step_of_zero_moves_nothing) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(one_particle(), default_parameters());
  world.update(1 / 60.0f, 10);
  uint64_t before = 0, after = 0;
  require(clothc_solver_state_hash(world.solver, &before));
  world.update(0, 3);
  require(clothc_solver_state_hash(world.solver, &after));
  EXPECT_EQ(before, after);
  EXPECT_LT(world.get(cloth)[0].y, 0);
}

// One level of lanes reduces so few particles, two levels more of them, and three levels more than 16,384.
TEST_P(PhysicsIntegrate, bounds_are_exactly_those_of_the_particles_however_many_there_are) {
  World world(GetParam());
  std::vector<clothc_cloth_id> cloths;
  for (const uint32_t count : {1u, 1000u, 16'385u}) {
    Plan plan;
    for (uint32_t i = 0; i < count; ++i) {
      const auto coordinate = [i](uint32_t factor) { return static_cast<float>(i * factor % 65'521) / 64.0f - 7; };
      plan.points.push_back({coordinate(10'007), coordinate(57'719), coordinate(33'113), i % 7 == 0 ? 0.0f : 1.0f});
    }
    cloths.push_back(world.add(plan, plain_parameters(60)));
  }
  world.update(1 / 60.0f);
  for (const clothc_cloth_id cloth : cloths) {
    const clothc_cloth_status status = world.status(cloth);
    const std::vector<Point> points = world.get(cloth);
    Point low = points[0], high = low;
    for (const Point& p : points) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z), 0};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z), 0};
    }
    EXPECT_EQ(status.bounds_minimum[0], low.x) << points.size();
    EXPECT_EQ(status.bounds_minimum[1], low.y) << points.size();
    EXPECT_EQ(status.bounds_minimum[2], low.z) << points.size();
    EXPECT_EQ(status.bounds_maximum[0], high.x) << points.size();
    EXPECT_EQ(status.bounds_maximum[1], high.y) << points.size();
    EXPECT_EQ(status.bounds_maximum[2], high.z) << points.size();
    EXPECT_EQ(status.iteration_count, 1u);
  }
}

}  // namespace
}  // namespace physics::integrate_test
