// self_collision_test.cpp - particles of a cloth keep each other at a distance: closed forms for pairs, excluded pairs,
// and the effect of many contacts.
#include <algorithm>
#include <cmath>

#include "support/configurations.h"
#include "support/world.h"

namespace physics::self_collision_test {
namespace {

using PhysicsSelfCollision = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsSelfCollision);

constexpr float dt = 1 / 60.0f;

// Returns parameters with one iteration per update that removes all of an overlap.
clothc_cloth_parameters colliding(float distance) {
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.stiffness_frequency = 60;
  parameters.self_collision_distance = distance;
  return parameters;
}

Plan loose(std::vector<Point> points) { return {std::move(points), {}, {}, 0, {}, {}}; }

double distance(const Point& a, const Point& b) {
  return std::hypot(std::hypot(double{a.x} - double{b.x}, double{a.y} - double{b.y}), double{a.z} - double{b.z});
}

TEST_P(PhysicsSelfCollision, a_pair_moves_apart_by_inverse_masses) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(loose({{0, 0, 0, 1}, {0.06f, 0, 0, 3}}), colliding(0.1f));
  world.update(dt);
  const std::vector<Point> after = world.get(cloth);
  EXPECT_NEAR(after[0].x, -0.01, 1e-6);
  EXPECT_NEAR(after[1].x, 0.09, 1e-6);
}

TEST_P(PhysicsSelfCollision, stiffness_is_the_part_of_the_overlap_that_goes) {
  World world(GetParam());
  clothc_cloth_parameters parameters = colliding(0.1f);
  parameters.self_collision_stiffness = 0.25f;
  const clothc_cloth_id cloth = world.add(loose({{0, 0, 0, 1}, {0.06f, 0, 0, 1}}), parameters);
  world.update(dt);
  const std::vector<Point> after = world.get(cloth);
  EXPECT_NEAR(distance(after[0], after[1]), 0.06 + 0.25 * 0.04, 1e-6);
}

TEST_P(PhysicsSelfCollision, pinned_particles_push_and_stay) {
  World world(GetParam());
  const clothc_cloth_id cloth =
      world.add(loose({{0, 0, 0, 0}, {0.06f, 0, 0, 2}, {0.5f, 0, 0, 0}, {0.52f, 0, 0, 0}}), colliding(0.1f));
  world.update(dt);
  const std::vector<Point> after = world.get(cloth);
  EXPECT_EQ(after[0].x, 0);
  EXPECT_NEAR(after[1].x, 0.1, 1e-6);
  EXPECT_EQ(after[2].x, 0.5f);
  EXPECT_EQ(after[3].x, 0.52f);
}

TEST_P(PhysicsSelfCollision, no_particle_moves_by_more_than_half_the_distance) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(loose({{0, 0, 0, 0}, {0.01f, 0, 0, 2}}), colliding(0.1f));
  world.update(dt);
  EXPECT_NEAR(world.get(cloth)[1].x, 0.06, 1e-6);
}

TEST_P(PhysicsSelfCollision, particles_at_the_same_position_are_harmless_and_part) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(loose(std::vector<Point>(9, {1, 2, 3, 1})), colliding(0.1f));
  world.update(dt, 200);
  const std::vector<Point> after = world.get(cloth);
  EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
  double least = 1;
  for (size_t i = 0; i < after.size(); ++i) {
    for (size_t k = i + 1; k < after.size(); ++k) least = std::min(least, distance(after[i], after[k]));
  }
  EXPECT_GT(least, 0.09);
}

TEST_P(PhysicsSelfCollision, particles_near_each_other_at_rest_pass) {
  World world(GetParam());
  const clothc_cloth_id cloth =
      world.add(loose({{0, 0, 0, 1}, {0.06f, 0, 0, 1}, {0, 1, 0, 1}, {0.06f, 1, 0, 1}}), colliding(0.1f));
  world.set(cloth, CLOTHC_CHANNEL_REST_POSITION, {{0, 0, 0, 0}, {0.09f, 0, 0, 0}, {0, 0, 1, 0}, {0.11f, 0, 1, 0}});
  world.update(dt);
  const std::vector<Point> after = world.get(cloth);
  EXPECT_EQ(after[0].x, 0);
  EXPECT_EQ(after[1].x, 0.06f);
  EXPECT_NEAR(distance(after[2], after[3]), 0.1, 1e-6);
  require(clothc_cloth_clear(world.solver, cloth, CLOTHC_CHANNEL_REST_POSITION));
  world.update(dt);
  EXPECT_NEAR(distance(world.get(cloth)[0], world.get(cloth)[1]), 0.1, 1e-6);
}

TEST_P(PhysicsSelfCollision, only_the_chosen_particles_collide) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(loose({{0, 0, 0, 1}, {0.06f, 0, 0, 1}, {0, 0.06f, 0, 1}}), colliding(0.1f));
  const uint32_t chosen[] = {2, 0};
  require(clothc_cloth_set_self_collision_particles(world.solver, cloth, chosen, 2));
  world.update(dt);
  const std::vector<Point> after = world.get(cloth);
  EXPECT_EQ(after[1].x, 0.06f);
  EXPECT_NEAR(after[0].y, -0.02, 1e-6);
  EXPECT_NEAR(after[2].y, 0.08, 1e-6);
  require(clothc_cloth_set_self_collision_particles(world.solver, cloth, nullptr, 0));
  world.update(dt);
  EXPECT_NE(world.get(cloth)[1].x, 0.06f);
}

// Friction removes the slip, at most by friction times the displacement of the push.
TEST_P(PhysicsSelfCollision, friction_stops_what_slips) {
  for (const float friction : {0.0f, 0.1f, 10.0f}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = colliding(0.1f);
    parameters.self_collision_friction = friction;
    const clothc_cloth_id cloth = world.add(loose({{0, 0, 0, 1}, {0, 0.09f, 0, 1}}), parameters);
    world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{0.03f, 0, 0, 0}, {-0.03f, 0, 0, 0}});
    world.update(dt);
    const double slip = std::min(0.001, static_cast<double>(friction) * 0.01);
    // The line between the particles is slightly tilted.
    EXPECT_NEAR(world.get(cloth)[0].x, 0.0005 - slip / 2, 7e-5) << friction;
  }
}

// This holds for any contacts: the shares of a pair are those of its masses, split.
TEST_P(PhysicsSelfCollision, momentum_is_kept_where_many_are_in_contact) {
  World world(GetParam());
  std::vector<Point> points;
  for (uint32_t k = 0; k < 200; ++k) {
    points.push_back({static_cast<float>(k * 37 % 101) / 300, static_cast<float>(k * 53 % 97) / 300,
                      static_cast<float>(k * 71 % 89) / 300, 0.5f + static_cast<float>(k % 7)});
  }
  clothc_cloth_parameters parameters = colliding(0.05f);
  parameters.self_collision_friction = 0.5f;
  parameters.self_collision_damping = 0.5f;
  const clothc_cloth_id cloth = world.add(loose(points), parameters);
  std::vector<Point> velocities;
  for (uint32_t k = 0; k < 200; ++k)
    velocities.push_back({static_cast<float>(k % 3) - 1, 0.1f, static_cast<float>(k % 2), 0});
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
  const auto momentum = [&](int axis) {
    const std::vector<Point> now = world.get(cloth), before = world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION);
    double sum = 0;
    for (size_t k = 0; k < now.size(); ++k) {
      const double d[] = {double{now[k].x} - double{before[k].x}, double{now[k].y} - double{before[k].y},
                          double{now[k].z} - double{before[k].z}};
      sum += d[axis] / static_cast<double>(now[k].w) / static_cast<double>(dt);
    }
    return sum;
  };
  world.update(dt);
  double first[3], scale = 0;
  for (int axis = 0; axis < 3; ++axis) first[axis] = momentum(axis);
  for (const Point& p : points) scale += 1 / static_cast<double>(p.w);
  for (int k = 0; k < 30; ++k) {
    world.update(dt);
    for (int axis = 0; axis < 3; ++axis) ASSERT_NEAR(momentum(axis), first[axis], 1e-4 * scale) << k;
  }
}

// A sheet that crumples on the floor: hashes after half a second and after a second, of a software device only the
// first one, and the positions after half a second. The bits must be the same however the work is divided.
struct Crumpled {
  std::vector<uint64_t> hashes;
  std::vector<Point> points;
};

Crumpled crumple(const Configuration& configuration, float distance) {
  ConfiguredWorld world(configuration);
  Shapes floor;
  floor.planes = {{0, 1, 0, 0}};
  Plan plan = sheet({24, 0.6f, 0.2f, true});
  for (size_t i = 0; i < plan.points.size(); ++i) {
    std::swap(plan.points[i].y, plan.points[i].z);
    plan.points[i].y += 0.4f;
    plan.points[i].z = 0.004f * static_cast<float>(i * 29 % 13);
  }
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  parameters.self_collision_distance = distance;
  parameters.self_collision_friction = 0.4f;
  parameters.self_collision_damping = 0.3f;
  const clothc_cloth_id cloth = world.add(plan, parameters, {}, {world.add_colliders(floor)});
  std::vector<Point> rest = sheet({24, 0.6f, 0.2f, true}).points;
  world.set(cloth, CLOTHC_CHANNEL_REST_POSITION, rest);
  Crumpled crumpled;
  for (int half = 0; half < (is_software(configuration.target) ? 1 : 2); ++half) {
    world.update(dt, 30);
    crumpled.hashes.push_back(world.hash());
    if (half == 0) crumpled.points = world.get(cloth);
  }
  return crumpled;
}

class PhysicsSelfCollisionEverywhere : public testing::TestWithParam<Configuration> {};
INSTANTIATE_TEST_SUITE_P(Configurations, PhysicsSelfCollisionEverywhere, testing::ValuesIn(other_configurations()),
                         name_of_configuration);

TEST_P(PhysicsSelfCollisionEverywhere, gives_the_same_bits) {
  static const Crumpled expected = crumple(plainest_configuration(), 0.02f);
  static const Crumpled apart = crumple(plainest_configuration(), 0);
  ASSERT_FALSE(same_bits(expected.points, apart.points)) << "the sheet does not touch itself in half a second";
  const Crumpled crumpled = crumple(GetParam(), 0.02f);
  for (size_t k = 0; k < crumpled.hashes.size(); ++k) EXPECT_EQ(crumpled.hashes[k], expected.hashes[k]) << k;
}

}  // namespace
}  // namespace physics::self_collision_test
