// separation_test.cpp - separation constraints: particles stay outside spheres while the spheres move.
#include <cmath>

#include "support/world.h"

namespace physics::physics_separation_test {
namespace {

using PhysicsSeparation = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsSeparation);

Plan particles(const std::vector<Point>& points) { return {points, {}, {}, 0, {}, {}}; }

double distance(const Point& a, const Point& b) {
  const double x = static_cast<double>(a.x) - b.x, y = static_cast<double>(a.y) - b.y,
               z = static_cast<double>(a.z) - b.z;
  return std::sqrt(x * x + y * y + z * z);
}

// There are free and pinned particles inside, on and outside the sphere, in all directions. After one iteration those
// inside are on the surface, on the line from the centre, and the others have not moved by a bit.
TEST_P(PhysicsSeparation, a_particle_inside_its_sphere_is_put_on_the_surface_and_others_are_left_alone) {
  World world(GetParam());
  const Point centre = {0.5f, -1, 2, 1.5f};
  std::vector<Point> points;
  for (uint32_t i = 0; i < 60; ++i) {
    const auto part = [i](uint32_t factor) { return static_cast<float>(i * factor % 59) / 16 - 1.8f; };
    points.push_back({centre.x + part(17), centre.y + part(23), centre.z + part(31), i % 4 == 0 ? 0.0f : 2.0f});
  }
  const clothc_cloth_id cloth = world.add(particles(points), plain_parameters(60));
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, std::vector<Point>(60, centre));
  world.update(1 / 60.0f);
  const std::vector<Point> after = world.get(cloth);
  int inside = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const double before = distance(points[i], centre);
    if (before >= 1.5) {
      EXPECT_TRUE(same_bits({after[i]}, {points[i]})) << i;
      continue;
    }
    ++inside;
    EXPECT_NEAR(distance(after[i], centre), 1.5, 2e-6) << i;
    EXPECT_NEAR(after[i].x - centre.x, (points[i].x - centre.x) * 1.5 / before, 2e-6) << i;
    EXPECT_NEAR(after[i].y - centre.y, (points[i].y - centre.y) * 1.5 / before, 2e-6) << i;
    EXPECT_EQ(after[i].w, points[i].w);
  }
  EXPECT_GT(inside, 10);
  EXPECT_LT(inside, 50);
}

TEST_P(PhysicsSeparation, a_radius_of_zero_or_less_leaves_the_particle_alone) {
  World world(GetParam());
  const std::vector<Point> points = {{1, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 0}};
  const clothc_cloth_id cloth = world.add(particles(points), plain_parameters(60));
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{1.25f, 0, 0, 0}, {1.25f, 0, 0, -1}, {1.25f, 0, 0, -1e9f}});
  world.update(1 / 60.0f, 3);
  EXPECT_TRUE(same_bits(world.get(cloth), points));
}

TEST_P(PhysicsSeparation, a_centre_exactly_on_the_particle_is_harmless) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(particles({{1, 2, 3, 1}, {4, 5, 6, 0}}), plain_parameters(60));
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{1, 2, 3, 0.5f}, {4, 5, 6, 0.5f}});
  world.update(1 / 60.0f, 3);
  EXPECT_TRUE(same_bits(world.get(cloth), {{1, 2, 3, 1}, {4, 5, 6, 0}}));
  EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
}

// The sphere moves by a quarter of its path per iteration and pushes the particle ahead of it.
TEST_P(PhysicsSeparation, a_moving_sphere_pushes_the_particle_along) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  // Without a velocity of its own the particle stays on the surface.
  fill(parameters.damping, 1);
  parameters.stiffness_frequency = 100000;
  const clothc_cloth_id cloth = world.add(particles({{1, 0, 0, 1}}), parameters);
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT_START, {{0, 0, 0, 1}});
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{2, 0, 0, 1.5f}});
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth)[0].x, 3.5, 1e-6);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].x, 1.5 + 1.375, 1e-6);
  // The sphere starts where the last motion ended.
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{6, 0, 0, 1.5f}});
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth)[0].x, 7.5, 1e-6);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].x, 6.5, 1e-6);
  // The sphere stays where it is.
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].x, 7.5, 1e-6);
}

TEST_P(PhysicsSeparation, a_new_constraint_without_a_start_does_not_move) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  fill(parameters.damping, 1);
  parameters.stiffness_frequency = 100000;
  const clothc_cloth_id cloth = world.add(particles({{1, 0, 0, 1}}), parameters);
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{0.5f, 0, 0, 2}});
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth)[0].x, 2.5, 1e-6);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].x, 2.5, 1e-6);
}

TEST_P(PhysicsSeparation, a_sphere_holds_a_falling_particle_up_until_it_is_cleared) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(particles({{0, 0.25f, 0, 1}}), default_parameters());
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{0, -1, 0, 1}});
  for (int k = 0; k < 60; ++k) {
    world.update(1 / 60.0f);
    EXPECT_GE(distance(world.get(cloth)[0], {0, -1, 0, 0}), 1 - 1e-6);
  }
  EXPECT_NEAR(world.get(cloth)[0].y, 0, 1e-5);
  require(clothc_cloth_clear(world.solver, cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT));
  world.update(1 / 60.0f, 30);
  EXPECT_LT(world.get(cloth)[0].y, -1);
}

// Fabric constraints pull the particle into the sphere. The separation constraint comes after them in every iteration.
TEST_P(PhysicsSeparation, a_sphere_wins_over_fabric_constraints) {
  World world(GetParam());
  const Plan plan = {{{0, 0, 0, 0}, {2, 0, 0, 1}}, {{{0, 1, 0.5f}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, plain_parameters(240));
  world.set(cloth, CLOTHC_CHANNEL_SEPARATION_CONSTRAINT, {{0, 0, 0, 0}, {0, 0, 0, 1}});
  world.update(1 / 60.0f, 10);
  EXPECT_NEAR(distance(world.get(cloth)[1], {0, 0, 0, 0}), 1, 1e-6);
}

}  // namespace
}  // namespace physics::physics_separation_test
