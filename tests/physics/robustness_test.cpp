// robustness_test.cpp - values at the ends of the documented ranges: the state stays finite and within 1e9 m, particles
// that leave this range are counted, and a reset makes a cloth as good as new.
#include <cmath>

#include "physics/frame_motion.h"
#include "support/world.h"

namespace physics::robustness_test {
namespace {

using PhysicsRobustness = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsRobustness);

void expect_in_range(const std::vector<Point>& points, const std::string& where) {
  for (const Point& p : points) {
    ASSERT_LE(std::fabs(p.x), 1e9f) << where;
    ASSERT_LE(std::fabs(p.y), 1e9f) << where;
    ASSERT_LE(std::fabs(p.z), 1e9f) << where;
  }
}

TEST_P(PhysicsRobustness, extremes_of_mass_and_stiffness_stay_finite) {
  for (const float stiffness_frequency : {0.01f, 100000.0f}) {
    for (const float stiffness : {1e-9f, 1.0f}) {
      World world(GetParam());
      Plan plan = sheet({});
      const float inverse_masses[] = {1e9f, 1e-9f, 1, 0, 1e-30f, 1e-40f};
      for (size_t i = 0; i < plan.points.size(); ++i) plan.points[i].w = inverse_masses[i * 5 % 6];
      // This constraint is ignored.
      plan.phases[0].push_back({0, 24, 0});
      // This constraint has an extreme rest length.
      plan.phases[1].push_back({0, 24, 4e9f});
      clothc_cloth_parameters parameters = default_parameters();
      parameters.stiffness_frequency = stiffness_frequency;
      parameters.statistics = CLOTHC_STATISTIC_STRETCH | CLOTHC_STATISTIC_KINETIC_ENERGY;
      const clothc_cloth_id cloth = world.add(
          plan, parameters, {phase_config(0, stiffness), phase_config(1, stiffness), phase_config(2, stiffness)});
      for (int k = 0; k < 30; ++k) {
        world.update(1 / 60.0f);
        expect_in_range(world.get(cloth), std::to_string(stiffness_frequency));
        EXPECT_TRUE(std::isfinite(world.status(cloth).kinetic_energy));
        EXPECT_TRUE(std::isfinite(world.status(cloth).largest_stretch));
      }
    }
  }
}

TEST_P(PhysicsRobustness, huge_accelerations_velocities_and_frames_stay_finite) {
  World world(GetParam());
  Plan plan = sheet({});
  plan.points[0].w = 0;
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 20;
  fill(parameters.gravity, 1e6f);
  const clothc_cloth_id cloth = world.add(plan, parameters);
  world.set(cloth, CLOTHC_CHANNEL_ACCELERATION, std::vector<Point>(25, {1e9f, -1e9f, 1e9f, 0}));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {-1e9f, 1e9f, 1e9f, 0}));
  for (int k = 0; k < 60; ++k) {
    world.set_frame(cloth, frame_at({{k % 2 == 0 ? 1e9 : -1e9, 0, k % 3 == 0 ? 1e9 : 0}, {0.0, 3.0 * k, 0}}));
    // Shorter updates would be held back.
    world.update(k % 20 == 0 ? 10.0f : 0.02f);
    expect_in_range(world.get(cloth), "update " + std::to_string(k));
    EXPECT_EQ(world.get(cloth)[0].x, plan.points[0].x);
  }
  EXPECT_GT(world.status(cloth).non_finite_count, 0u);
}

// One of many particles is thrown beyond 1e9 m. Only this particle is put back and counted, each time it leaves the
// range.
TEST_P(PhysicsRobustness, what_does_not_fit_is_restored_particle_by_particle_and_counted) {
  World world(GetParam());
  SheetPlan wanted;
  wanted.constrained = false;
  const Plan plan = sheet(wanted);
  const clothc_cloth_id thrown = world.add(plan, plain_parameters(60));
  std::vector<Point> points = plan.points, before = plan.points;
  points[7].x = 9e8f;
  before[7].x = 6e8f;
  world.set(thrown, CLOTHC_CHANNEL_POSITION, points);
  world.set(thrown, CLOTHC_CHANNEL_PREVIOUS_POSITION, before);
  EXPECT_EQ(world.status(thrown).flags & CLOTHC_STATUS_NON_FINITE, 0u);
  world.update(1 / 60.0f);
  EXPECT_EQ(world.status(thrown).non_finite_count, 1u);
  EXPECT_NE(world.status(thrown).flags & CLOTHC_STATUS_NON_FINITE, 0u);
  EXPECT_TRUE(same_bits(world.get(thrown), points));
  // The particle has lost its velocity.
  world.update(1 / 60.0f);
  EXPECT_EQ(world.status(thrown).non_finite_count, 1u);
  EXPECT_EQ(world.status(thrown).flags & CLOTHC_STATUS_NON_FINITE, 0u);
}

// A cloth whose particles went to the bounds is reset. From then on it behaves like a cloth that has just been added.
TEST_P(PhysicsRobustness, a_reset_cloth_equals_a_new_one_to_the_bit) {
  World world(GetParam());
  Plan plan = sheet({});
  plan.points[0].w = 0;
  clothc_cloth_parameters parameters = default_parameters();
  parameters.drag_coefficient = 0.1f;
  parameters.wind_velocity[2] = 3;
  parameters.sleep_threshold = 0.05f;
  parameters.acceleration_filter_width = 40;
  const clothc_cloth_id cloth = world.add(plan, parameters);
  world.set(cloth, CLOTHC_CHANNEL_ACCELERATION, std::vector<Point>(25, {1e9f, 1e9f, -1e9f, 0}));
  std::vector<Point> spheres(25, {0, 0, 0, -1});
  spheres[3].w = 0.1f;
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, spheres);
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, std::vector<Point>(25, {0, 0, 0, 1e6f}));
  const FramePose pose = {{1, 2, 3}, {0, 1, 0}};
  world.set_frame(cloth, frame_at(pose));
  for (int k = 0; k < 10; ++k) world.update(0.01f * static_cast<float>(1 + k % 5));
  world.set(cloth, CLOTHC_CHANNEL_POSITION, std::vector<Point>(25, {9e8f, -9e8f, 0, 1e9f}));
  world.set(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION, std::vector<Point>(25, {6e8f, 0, 0, 0}));
  world.update(0.01f);
  EXPECT_GT(world.status(cloth).non_finite_count, 0u);
  require(clothc_cloth_reset(world.solver, cloth, &plan.points[0].x));
  const clothc_cloth_id added = world.add(plan, parameters);
  start_at(world, added, pose);
  // No state of all the other particles may come back.
  for (const clothc_cloth_id each : {cloth, added}) {
    world.set(each, CLOTHC_CHANNEL_ACCELERATION, {{1, 0, 0, 0}});
    world.set(each, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {{0, 0, 0, -1}});
    world.set(each, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{0, 0, 0, -1}});
  }
  for (int k = 0; k < 30; ++k) {
    world.update(0.01f * static_cast<float>(1 + k % 4));
    ASSERT_TRUE(same_bits(world.get(cloth), world.get(added))) << k;
    ASSERT_TRUE(same_bits(world.get(cloth, CLOTHC_CHANNEL_VELOCITY), world.get(added, CLOTHC_CHANNEL_VELOCITY))) << k;
  }
  EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
  EXPECT_LT(world.get(cloth)[24].y, -0.1f);
}

}  // namespace
}  // namespace physics::robustness_test
