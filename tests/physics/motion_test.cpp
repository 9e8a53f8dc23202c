// motion_test.cpp - motion constraints: particles stay inside spheres while the spheres move.
#include <cmath>

#include "support/world.h"

namespace physics::motion_test {
namespace {

using PhysicsMotion = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsMotion);

Plan one_particle(Point p) { return {{p}, {}, {}, 0, {}, {}}; }

clothc_cloth_parameters one_iteration() {
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.stiffness_frequency = 60;
  return parameters;
}

float x_after_one(const Target& target, Point sphere, const clothc_cloth_parameters& parameters) {
  World world(target);
  const clothc_cloth_id cloth = world.add(one_particle({3, 0, 0, 1}), parameters);
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {sphere});
  world.update(1 / 60.0f);
  return world.get(cloth)[0].x;
}

TEST_P(PhysicsMotion, a_particle_outside_its_sphere_moves_to_the_surface) {
  EXPECT_NEAR(x_after_one(GetParam(), {1, 0, 0, 0.5f}, one_iteration()), 1.5, 2e-6);
}

TEST_P(PhysicsMotion, a_particle_inside_its_sphere_is_free) {
  EXPECT_EQ(x_after_one(GetParam(), {2, 0, 0, 1.5f}, one_iteration()), 3);
}

TEST_P(PhysicsMotion, stiffness_is_the_part_of_the_excess_removed) {
  clothc_cloth_parameters parameters = one_iteration();
  parameters.motion_constraint_stiffness = 0.25f;
  EXPECT_NEAR(x_after_one(GetParam(), {1, 0, 0, 0.5f}, parameters), 3 - 0.25 * 1.5, 2e-6);
}

TEST_P(PhysicsMotion, scale_and_bias_change_the_radius) {
  clothc_cloth_parameters parameters = one_iteration();
  parameters.motion_constraint_scale = 0.5f;
  parameters.motion_constraint_bias = 0.25f;
  EXPECT_NEAR(x_after_one(GetParam(), {1, 0, 0, 1}, parameters), 1.75, 2e-6);
  parameters.motion_constraint_bias = -1;
  EXPECT_NEAR(x_after_one(GetParam(), {1, 0, 0, 1}, parameters), 1, 2e-6);
}

TEST_P(PhysicsMotion, a_negative_radius_leaves_the_particle_alone) {
  EXPECT_EQ(x_after_one(GetParam(), {1, 0, 0, -1}, one_iteration()), 3);
}

TEST_P(PhysicsMotion, particles_stay_in_their_spheres_while_gravity_pulls) {
  World world(GetParam());
  Plan plan;
  std::vector<Point> spheres;
  for (uint32_t i = 0; i < 100; ++i) {
    plan.points.push_back({static_cast<float>(i), 0, 0, static_cast<float>(i % 3) + 0.5f});
    spheres.push_back({static_cast<float>(i), 0, 0, static_cast<float>(i) / 100});
  }
  clothc_cloth_parameters parameters = default_parameters();
  parameters.stiffness_frequency = 1000;
  const clothc_cloth_id cloth = world.add(plan, parameters);
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, spheres);
  for (int frame = 0; frame < 60; ++frame) {
    world.update(1 / 60.0f);
    const std::vector<Point> points = world.get(cloth);
    for (size_t i = 0; i < points.size(); ++i) EXPECT_GE(points[i].y, -spheres[i].w - 1e-6f);
    EXPECT_EQ(points[0].y, 0);
  }
  EXPECT_LT(world.get(cloth)[99].y, -0.98f);
}

// A radius of 0 removes the particle's inverse mass for the rest of the iteration, so the link moves only the other
// end.
TEST_P(PhysicsMotion, a_radius_of_zero_holds_the_particle_against_constraints) {
  World world(GetParam());
  const Plan plan = {{{0, 0, 0, 1}, {2, 0, 0, 1}}, {{{0, 1, 1}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, one_iteration());
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {{0, 0, 0, 0}, {0, 0, 0, -1}});
  world.update(1 / 60.0f);
  EXPECT_EQ(world.get(cloth)[0].x, 0);
  EXPECT_NEAR(world.get(cloth)[1].x, 1, 2e-6);
  require(clothc_cloth_clear(world.solver, cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT));
  world.set(cloth, CLOTHC_CHANNEL_POSITION, {{0, 0, 0, 1}, {2, 0, 0, 1}}, CLOTHC_SET_AT_REST);
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth)[0].x, 0.5, 2e-6);
}

TEST_P(PhysicsMotion, a_pinned_particle_follows_its_sphere) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(one_particle({3, 0, 0, 0}), one_iteration());
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {{4, 0, 0, 0}});
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth)[0].x, 4, 1e-6);
}

// With radius 0 the particle is at start + (target - start) (i + 1) / n after iteration i. The previous position is the
// one after iteration n - 2.
TEST_P(PhysicsMotion, a_moving_sphere_is_interpolated_over_the_iterations) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.stiffness_frequency = 100000;
  const clothc_cloth_id cloth = world.add(one_particle({0, 0, 0, 1}), parameters);
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT_START, {{0, 0, 0, 0}});
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {{1, 2, -4, 0}});
  world.update(1 / 60.0f);
  EXPECT_EQ(world.get(cloth)[0].x, 1);
  EXPECT_EQ(world.get(cloth)[0].z, -4);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].x, 0.75, 1e-6);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].z, -3, 1e-6);
  // The sphere starts where the last motion ended.
  world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {{3, 2, -4, 0}});
  world.update(1 / 60.0f);
  EXPECT_EQ(world.get(cloth)[0].x, 3);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].x, 2.5, 1e-6);
  // The sphere stays where it is.
  world.update(1 / 60.0f);
  EXPECT_EQ(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].x, 3);
}

}  // namespace
}  // namespace physics::motion_test
