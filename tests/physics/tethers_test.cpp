// tethers_test.cpp - tethers keep a particle within a distance of its anchors and have no effect on nearer particles.
#include <cmath>

#include "support/world.h"

namespace physics::physics_tethers_test {
namespace {

using PhysicsTethers = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsTethers);

// Makes an anchor at 0 and a free particle on the x axis, with one tether.
Plan on_a_tether(float distance, float length, float inverse_mass = 1) {
  return {{{0, 0, 0, 0}, {distance, 0, 0, inverse_mass}}, {}, {}, 1, {0, 0}, {length, length}};
}

clothc_cloth_parameters one_iteration(float stiffness) {
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.stiffness_frequency = 60;
  parameters.tether_stiffness = stiffness;
  return parameters;
}

float distance_after_one(const Target& target, const Plan& plan, const clothc_cloth_parameters& parameters) {
  World world(target);
  const clothc_cloth_id cloth = world.add(plan, parameters);
  world.update(1 / 60.0f);
  return world.get(cloth)[1].x;
}

TEST_P(PhysicsTethers, an_iteration_removes_the_part_of_the_excess_that_stiffness_says) {
  EXPECT_NEAR(distance_after_one(GetParam(), on_a_tether(3, 2), one_iteration(0.25f)), 2.75, 2e-6);
  EXPECT_NEAR(distance_after_one(GetParam(), on_a_tether(3, 2), one_iteration(1)), 2, 2e-6);
  EXPECT_EQ(distance_after_one(GetParam(), on_a_tether(3, 2), one_iteration(0)), 3);
}

TEST_P(PhysicsTethers, the_mass_of_the_particle_does_not_matter) {
  EXPECT_EQ(distance_after_one(GetParam(), on_a_tether(3, 2, 1e-3f), one_iteration(0.5f)),
            distance_after_one(GetParam(), on_a_tether(3, 2, 1e3f), one_iteration(0.5f)));
}

TEST_P(PhysicsTethers, a_slack_tether_does_nothing) {
  EXPECT_EQ(distance_after_one(GetParam(), on_a_tether(1.5f, 2), one_iteration(1)), 1.5f);
}

TEST_P(PhysicsTethers, the_scale_changes_the_reach) {
  clothc_cloth_parameters parameters = one_iteration(1);
  parameters.tether_scale = 0.5f;
  EXPECT_NEAR(distance_after_one(GetParam(), on_a_tether(3, 2), parameters), 1, 2e-6);
}

// The anchors are at 0 and 6 with tethers of length 2, and the particle is at 3: the pulls of 1 m cancel. With lengths
// 2 and 2.5 they do not.
TEST_P(PhysicsTethers, several_tethers_of_a_particle_are_averaged) {
  Plan plan = {{{0, 0, 0, 0}, {3, 0, 0, 1}, {6, 0, 0, 0}}, {}, {}, 2, {0, 0, 2, 0, 2, 2}, {9, 2, 9, 9, 2, 9}};
  EXPECT_NEAR(distance_after_one(GetParam(), plan, one_iteration(1)), 3, 2e-6);
  plan.reaches[4] = 2.5f;
  EXPECT_NEAR(distance_after_one(GetParam(), plan, one_iteration(1)), 3 - (1 - 0.5) / 2, 2e-6);
}

// Particle 1 is tethered to 0, and 2 to 1. Particle 2 must follow the new position of 1 in the same iteration.
TEST_P(PhysicsTethers, anchors_that_are_tethered_themselves_move_first) {
  World world(GetParam());
  const Plan plan = {{{0, 0, 0, 0}, {2, 0, 0, 1}, {4, 0, 0, 1}}, {}, {}, 1, {0, 0, 1}, {9, 1, 1}};
  const clothc_cloth_id cloth = world.add(plan, one_iteration(1));
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth)[1].x, 1, 2e-6);
  EXPECT_NEAR(world.get(cloth)[2].x, 2, 4e-6);
}

TEST_P(PhysicsTethers, falling_particles_end_every_update_within_reach) {
  World world(GetParam());
  Plan plan;
  plan.tethers_per_particle = 1;
  plan.points.push_back({0, 0, 0, 0});
  plan.reaches.push_back(0);
  for (uint32_t i = 1; i < 200; ++i) {
    plan.points.push_back(
        {static_cast<float>(i) / 100, static_cast<float>(i % 10) / 50, 0, static_cast<float>(i % 5) + 1});
    plan.reaches.push_back(static_cast<float>(i) / 90);
  }
  plan.anchors.assign(plan.points.size(), 0);
  clothc_cloth_parameters parameters = default_parameters();
  parameters.stiffness_frequency = 1000;
  const clothc_cloth_id cloth = world.add(plan, parameters);
  for (int frame = 0; frame < 60; ++frame) {
    world.update(1 / 60.0f);
    const std::vector<Point> points = world.get(cloth);
    for (size_t i = 1; i < points.size(); ++i) {
      EXPECT_LE(std::sqrt(points[i].x * points[i].x + points[i].y * points[i].y), plan.reaches[i] * 1.0001f);
    }
  }
}

}  // namespace
}  // namespace physics::physics_tethers_test
