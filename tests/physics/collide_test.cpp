// collide_test.cpp - spheres, planes and convexes: no particle stays inside, the displacements of overlapping shapes
// are averaged, and moving shapes carry particles along.
#include <cmath>

#include "support/world.h"

namespace physics::collide_test {
namespace {

using PhysicsCollide = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsCollide);

Plan scattered_particles() {
  Plan plan;
  for (uint32_t i = 0; i < 500; ++i) {
    const auto coordinate = [i](uint32_t factor) { return static_cast<float>(i * factor % 499) / 250.0f - 1; };
    plan.points.push_back({coordinate(101), coordinate(77), coordinate(331), i % 11 == 0 ? 0.25f : 1.0f});
  }
  return plan;
}

Plan one_particle(Point p) { return {{p}, {}, {}, 0, {}, {}}; }

Point moved_once(const Target& target, Point start, const Shapes& shapes) {
  World world(target);
  const clothc_collider_set_id set = world.add_colliders(shapes);
  const clothc_cloth_id cloth = world.add(one_particle(start), plain_parameters(60), {}, {set});
  world.update(1 / 60.0f);
  return world.get(cloth)[0];
}

TEST_P(PhysicsCollide, nothing_is_inside_a_sphere_or_below_a_plane_at_the_end_of_an_update) {
  World world(GetParam());
  Shapes ball;
  ball.spheres = {{0, -0.5f, 0, 0.75f}};
  Shapes floor;
  floor.planes = {{0, 1, 0, 0.5f}};
  const clothc_cloth_id on_ball =
      world.add(scattered_particles(), default_parameters(), {}, {world.add_colliders(ball)});
  const clothc_cloth_id on_floor =
      world.add(scattered_particles(), default_parameters(), {}, {world.add_colliders(floor)});
  for (int frame = 0; frame < 60; ++frame) {
    world.update(1 / 60.0f);
    for (const Point& p : world.get(on_ball)) {
      EXPECT_GE(std::sqrt(p.x * p.x + (p.y + 0.5f) * (p.y + 0.5f) + p.z * p.z), 0.75f - 1e-6f);
    }
    for (const Point& p : world.get(on_floor)) EXPECT_GE(p.y, -0.5f - 1e-6f);
  }
}

TEST_P(PhysicsCollide, a_particle_leaves_a_sphere_radially) {
  Shapes shapes;
  shapes.spheres = {{1, 1, 1, 2}};
  const Point p = moved_once(GetParam(), {1.6f, 1, 1.8f, 1}, shapes);
  EXPECT_NEAR(p.x, 1 + 2 * 0.6, 1e-5);
  EXPECT_NEAR(p.y, 1, 1e-6);
  EXPECT_NEAR(p.z, 1 + 2 * 0.8, 1e-5);
}

TEST_P(PhysicsCollide, displacements_of_overlapping_spheres_are_averaged) {
  Shapes shapes;
  shapes.spheres = {{-1, 0, 0, 2}, {0, 0, -1, 1.5f}, {50, 0, 0, 1}};
  const Point p = moved_once(GetParam(), {0, 0, 0, 1}, shapes);
  EXPECT_NEAR(p.x, 0.5 * 1, 1e-6);
  EXPECT_NEAR(p.z, 0.5 * 0.5, 1e-6);
}

TEST_P(PhysicsCollide, displacements_of_overlapping_half_spaces_are_averaged) {
  Shapes shapes;
  shapes.planes = {{0, 1, 0, -1}, {1, 0, 0, -3}, {0, 0, 1, 0}};
  const Point p = moved_once(GetParam(), {0, 0, 1, 1}, shapes);
  EXPECT_NEAR(p.x, 1.5, 1e-6);
  EXPECT_NEAR(p.y, 0.5, 1e-6);
  EXPECT_EQ(p.z, 1);
}

// The shapes are a box with half sides 1 2 3 made of six planes, and the same planes as half-spaces that belong to no
// convex.
TEST_P(PhysicsCollide, a_particle_leaves_a_convex_by_its_nearest_plane) {
  Shapes box;
  box.planes = {{1, 0, 0, -1}, {-1, 0, 0, -1}, {0, 1, 0, -2}, {0, -1, 0, -2}, {0, 0, 1, -3}, {0, 0, -1, -3}};
  box.convexes = {{0, 1, 2, 3, 4, 5}};
  Point p = moved_once(GetParam(), {-0.5f, 0.25f, 1, 1}, box);
  EXPECT_NEAR(p.x, -1, 1e-6);
  EXPECT_EQ(p.y, 0.25f);
  p = moved_once(GetParam(), {0.5f, -1.9f, 1, 1}, box);
  EXPECT_EQ(p.x, 0.5f);
  EXPECT_NEAR(p.y, -2, 1e-6);
  p = moved_once(GetParam(), {1.5f, 0, 0, 1}, box);
  EXPECT_EQ(p.x, 1.5f);
}

// Two sets with one sphere each must have the same effect as one set with both spheres.
TEST_P(PhysicsCollide, shapes_of_several_sets_count_like_those_of_one) {
  World world(GetParam());
  Shapes left, right, both;
  left.spheres = {{-1, 0, 0, 2}};
  right.spheres = {{0, 0, -1, 1.5f}};
  both.spheres = {left.spheres[0], right.spheres[0]};
  const clothc_collider_set_id sets[] = {world.add_colliders(left), world.add_colliders(right),
                                         world.add_colliders(both)};
  const clothc_cloth_id two = world.add(one_particle({0, 0, 0, 1}), plain_parameters(60), {}, {sets[0], sets[1]});
  const clothc_cloth_id one = world.add(one_particle({0, 0, 0, 1}), plain_parameters(60), {}, {sets[2]});
  world.update(1 / 60.0f);
  EXPECT_EQ(world.get(two)[0].x, world.get(one)[0].x);
  EXPECT_EQ(world.get(two)[0].z, world.get(one)[0].z);
}

TEST_P(PhysicsCollide, a_shape_moves_from_its_start_to_its_target) {
  World world(GetParam());
  Shapes shapes;
  shapes.planes = {{0, 1, 0, -1}};
  shapes.plane_starts = {{0, 1, 0, 0}};
  const clothc_collider_set_id set = world.add_colliders(shapes);
  const clothc_cloth_id cloth = world.add(one_particle({0, 0, 0, 1}), plain_parameters(240), {}, {set});
  world.update(1 / 60.0f);
  EXPECT_GE(world.get(cloth)[0].y, 1 - 1e-6f);
  EXPECT_NEAR(world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0].y, 0.75, 1e-6);
}

// A particle rests on top of a sphere that moves sideways. With enough friction it moves along; without friction it
// stays behind.
TEST_P(PhysicsCollide, a_moving_sphere_carries_a_particle_only_with_friction) {
  for (const float friction : {0.0f, 5.0f}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = default_parameters();
    parameters.friction = friction;
    Shapes shapes;
    shapes.spheres = {{0, -100, 0, 100}};
    const clothc_collider_set_id set = world.add_colliders(shapes);
    const clothc_cloth_id cloth = world.add(one_particle({0, 0, 0, 1}), parameters, {}, {set});
    for (int frame = 1; frame <= 60; ++frame) {
      shapes.spheres[0].x = static_cast<float>(frame) / 120;
      world.write(set, shapes);
      world.update(1 / 60.0f);
    }
    const float speed = world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0].x;
    if (friction > 0) {
      EXPECT_NEAR(speed, 0.5, 0.01);
      EXPECT_NEAR(world.get(cloth)[0].x, 0.5, 0.02);
    } else {
      // The slope of the sphere under the particle accelerates it by g x / 100.
      EXPECT_NEAR(speed, 0, 0.03);
    }
  }
}

// Some devices abort loops that run for long, so such a cloth is always split, whatever schedule was requested.
TEST_P(PhysicsCollide, hundreds_of_spheres_are_all_seen) {
  const auto run = [](const Target& target) {
    World world(target);
    Plan plan;
    for (uint32_t k = 0; k < 2500; ++k)
      plan.points.push_back({0.1f * static_cast<float>(k % 50), 0, 0.1f * static_cast<float>(k / 50), 1});
    Shapes shapes;
    for (uint32_t k = 0; k < 400; ++k) shapes.spheres.push_back({100.0f + static_cast<float>(k), 0, 0, 0.5f});
    shapes.spheres.push_back({2.5f, -0.2f, 2.5f, 0.5f});
    const clothc_cloth_id cloth = world.add(plan, plain_parameters(60), {}, {world.add_colliders(shapes)});
    world.update(1 / 30.0f);
    return world.get(cloth);
  };
  const std::vector<Point> points = run(GetParam()), expected = run(cpu_target);
  for (size_t k = 0; k < points.size(); ++k) ASSERT_EQ(points[k].y, expected[k].y) << "particle " << k;
  EXPECT_GT(points[25 * 50 + 25].y, 0.25f) << "the last sphere pushes it up";
}

}  // namespace
}  // namespace physics::collide_test
