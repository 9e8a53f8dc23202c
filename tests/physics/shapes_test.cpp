// shapes_test.cpp - closed forms for each kind of shape: where particles leave capsules, ellipsoids, boxes and
// triangles, the margin, virtual particles, mass scale, shapes in the world, and shapes without a size.
#include <cmath>
#include <limits>

#include "support/bodies.h"

namespace physics::shapes_test {
namespace {

using PhysicsShapes = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsShapes);

Plan particles(std::vector<Point> points) {
  Plan plan;
  plan.points = std::move(points);
  return plan;
}

// Returns the positions of resting particles after one iteration of 1/60 s.
std::vector<Point> moved_once(const Target& target, const std::vector<Point>& points, const Shapes& shapes,
                              clothc_cloth_parameters parameters = plain_parameters(60)) {
  World world(target);
  const clothc_cloth_id cloth = world.add(particles(points), parameters, {}, {world.add_colliders(shapes)});
  world.update(1 / 60.0f);
  return world.get(cloth);
}

void expect_at(const Point& p, double x, double y, double z, double within = 1e-5) {
  EXPECT_NEAR(p.x, x, within);
  EXPECT_NEAR(p.y, y, within);
  EXPECT_NEAR(p.z, z, within);
}

TEST_P(PhysicsShapes, a_particle_leaves_a_capsule_across_its_axis_and_its_ends_by_their_spheres) {
  Shapes shapes;
  shapes.spheres = {{-1, 0, 0, 0.5f}, {1, 0, 0, 0.5f}};
  shapes.capsules = {0, 1};
  const std::vector<Point> p =
      moved_once(GetParam(), {{0.5f, 0.3f, 0, 1}, {1.3f, 0.3f, 0, 1}, {-1.4f, 0, 0, 1}, {1, 0, 0.6f, 1}}, shapes);
  expect_at(p[0], 0.5, 0.5, 0);
  expect_at(p[1], 1 + 0.5 * std::sqrt(0.5), 0.5 * std::sqrt(0.5), 0);
  expect_at(p[2], -1.5, 0, 0);
  expect_at(p[3], 1, 0, 0.6f);
}

// The radii are 0.2 and 0.4 and the centres 2 apart. The surface is tangent to both spheres, at a slope of asin(0.1).
TEST_P(PhysicsShapes, a_particle_leaves_a_tapered_capsule_square_to_its_surface) {
  Shapes shapes;
  shapes.spheres = {{-1, 0, 0, 0.2f}, {1, 0, 0, 0.4f}};
  shapes.capsules = {0, 1};
  const double sine = 0.1, cosine = std::sqrt(1 - sine * sine);
  // The expected point is on the surface, half-way between the tangent circles. The particle starts 0.1 below it.
  const double x = 0 - 0.3 * sine, y = 0.3 * cosine;
  const std::vector<Point> p = moved_once(
      GetParam(), {{static_cast<float>(x + 0.1 * sine), static_cast<float>(y - 0.1 * cosine), 0, 1}}, shapes);
  expect_at(p[0], x, y, 0);
}

TEST_P(PhysicsShapes, a_sphere_of_two_capsules_holds_what_sticks_out_of_both) {
  Shapes elbow;
  elbow.spheres = {{-1, 0, 0, 0.3f}, {0, 0, 0, 0.3f}, {0, -1, 0, 0.3f}};
  elbow.capsules = {0, 1, 1, 2};
  const std::vector<Point> p = moved_once(GetParam(), {{0.1f, 0.1f, 0, 1}, {-0.5f, 0.1f, 0, 1}}, elbow);
  expect_at(p[0], 0.3 * std::sqrt(0.5), 0.3 * std::sqrt(0.5), 0);
  expect_at(p[1], -0.5, 0.3, 0);
}

TEST_P(PhysicsShapes, a_capsule_whose_one_sphere_contains_the_other_is_its_spheres) {
  Shapes nested;
  nested.spheres = {{0, 0, 0, 1}, {0.25f, 0, 0, 0.5f}, {5, 0, 0, 0.5f}, {5, 0, 0, 0.5f}};
  nested.capsules = {0, 1, 2, 3};
  const std::vector<Point> p = moved_once(GetParam(), {{0, 0.8f, 0, 1}, {5, 0.25f, 0, 1}}, nested);
  expect_at(p[0], 0, 1, 0);
  expect_at(p[1], 5, 0.5, 0);
}

// The line to the closest point is perpendicular to the surface: along (x / a^2, y / b^2, z / c^2).
TEST_P(PhysicsShapes, a_particle_leaves_an_ellipsoid_to_the_closest_point) {
  const double a = 0.5, b = 1, c = 2;
  Shapes shapes;
  shapes.ellipsoids = {{{0, 0, 0}, {0, 0, 0, 1}, {0.5f, 1, 2}}};
  const std::vector<Point> starts = {
      {0.1f, 0.3f, 0.4f, 1}, {-0.05f, 0.8f, -0.2f, 1}, {0.3f, -0.3f, 1.0f, 1}, {0.01f, 0.02f, 1.9f, 1},
      {0, 0, 0, 1},          {0, 0.5f, 0, 1},          {0.6f, 0, 0, 1}};
  const std::vector<Point> ends = moved_once(GetParam(), starts, shapes);
  for (size_t k = 0; k < 4; ++k) {
    const Point &p = ends[k], &s = starts[k];
    const double x = p.x, y = p.y, z = p.z;
    EXPECT_NEAR(x * x / (a * a) + y * y / (b * b) + z * z / (c * c), 1, 1e-5);
    const double n[3] = {x / (a * a), y / (b * b), z / (c * c)};
    const double d[3] = {x - static_cast<double>(s.x), y - static_cast<double>(s.y), z - static_cast<double>(s.z)};
    const double along = n[0] * d[0] + n[1] * d[1] + n[2] * d[2];
    const double lengths =
        std::sqrt((n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    EXPECT_NEAR(along / lengths, 1, 1e-4) << "particle " << k;
  }
  EXPECT_NEAR(std::fabs(ends[4].x), 0.5, 1e-3) << "from the centre by the shortest way";
  EXPECT_NEAR(std::fabs(ends[5].x), std::sqrt(1 - 4.0 / 9) * 0.5, 0.01) << "from the symmetry plane too";
  expect_at(ends[6], 0.6f, 0, 0);
}

TEST_P(PhysicsShapes, a_particle_leaves_a_box_by_its_nearest_face) {
  // The box is turned by 90 degrees about z: its half sides are 2 along x and 1 along y.
  Shapes shapes;
  shapes.boxes = {{{1, 1, 1}, {0, 0, std::sqrt(0.5f), std::sqrt(0.5f)}, {1, 2, 3}}};
  const std::vector<Point> p =
      moved_once(GetParam(), {{1.5f, 1.9f, 1, 1}, {-0.9f, 1, 1, 1}, {1, 1, 3.9f, 1}, {1, 2.5f, 1, 1}}, shapes);
  expect_at(p[0], 1.5, 2, 1);
  expect_at(p[1], -1, 1, 1);
  expect_at(p[2], 1, 1, 4);
  expect_at(p[3], 1, 2.5, 1);
}

// Makes two triangles in the plane y = 0, face up.
Shapes table() {
  Shapes shapes;
  shapes.vertices = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1}};
  shapes.triangles = {0, 2, 1, 0, 3, 2};
  shapes.reach = 0.2f;
  return shapes;
}

TEST_P(PhysicsShapes, triangles_take_back_what_is_behind_them_within_reach) {
  std::vector<Point> p =
      moved_once(GetParam(), {{0.3f, -0.1f, 0.4f, 1}, {0.3f, 0.1f, 0.4f, 1}, {0.3f, -0.3f, 0.4f, 1}}, table());
  expect_at(p[0], 0.3f, 0, 0.4f);
  expect_at(p[1], 0.3f, 0.1f, 0.4f);
  expect_at(p[2], 0.3f, -0.3f, 0.4f);
  Shapes endless = table();
  endless.reach = std::numeric_limits<float>::infinity();
  p = moved_once(GetParam(), {{0.3f, -0.3f, 0.4f, 1}, {0, -1e6f, 0, 1}}, endless);
  expect_at(p[0], 0.3f, 0, 0.4f);
  EXPECT_NEAR(p[1].y, 0, 0.1) << "however far";
}

TEST_P(PhysicsShapes, triangles_without_an_area_make_no_contacts) {
  Shapes shapes = table();
  shapes.vertices.push_back({0, -0.1f, 0});
  shapes.triangles.insert(shapes.triangles.end(), {0, 0, 2, 4, 4, 4, 0, 4, 4});
  const std::vector<Point> p = moved_once(GetParam(), {{0.3f, -0.1f, 0.4f, 1}, {0, -0.15f, 0, 1}}, shapes);
  expect_at(p[0], 0.3f, 0, 0.4f);
  expect_at(p[1], 0, 0, 0);
  Shapes nothing;
  nothing.vertices = {{0, 0, 0}, {1, 0, 0}};
  nothing.triangles = {0, 1, 1, 0, 0, 0};
  expect_at(moved_once(GetParam(), {{0.1f, -0.01f, 0, 1}}, nothing)[0], 0.1f, -0.01f, 0);
}

// For many particles, the BVH must find the nearest triangle of a ball, as a search through all triangles does.
TEST_P(PhysicsShapes, a_bvh_of_triangles_finds_the_nearest_one) {
  Shapes shapes;
  add_ball(1, 3, shapes.vertices, shapes.triangles);
  std::vector<Point> starts;
  for (uint32_t i = 0; i < 500; ++i) {
    const auto coordinate = [i](uint32_t factor) { return static_cast<float>(i * factor % 499) / 250.0f - 1; };
    starts.push_back({coordinate(101), coordinate(77), coordinate(331), 1});
  }
  const std::vector<Point> ends = moved_once(GetParam(), starts, shapes);
  for (size_t k = 0; k < starts.size(); ++k) {
    const double r = std::hypot(static_cast<double>(starts[k].x), static_cast<double>(starts[k].y),
                                static_cast<double>(starts[k].z));
    const double s =
        std::hypot(static_cast<double>(ends[k].x), static_cast<double>(ends[k].y), static_cast<double>(ends[k].z));
    if (r > 0.91 && r < 0.99) {
      EXPECT_GT(s, 0.993);
      EXPECT_LT(s, 1.001);
    } else if (r < 0.88 || r > 1.001) {
      EXPECT_EQ(s, r) << "beyond the reach, or outside";
    }
  }
}

TEST_P(PhysicsShapes, the_margin_keeps_particles_away_from_every_kind_of_shape) {
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.contact_margin = 0.1f;
  for (const Body& body : all_bodies()) {
    const std::vector<Point> p = moved_once(GetParam(), {{0.01f, 0.505f, 0.02f, 1}}, body.at({0, 0, 0}), parameters);
    const double before =
        body.distance(static_cast<double>(0.01f), static_cast<double>(0.505f), static_cast<double>(0.02f));
    const double after =
        body.distance(static_cast<double>(p[0].x), static_cast<double>(p[0].y), static_cast<double>(p[0].z));
    if (before < 0.09)
      EXPECT_NEAR(after, 0.1, 0.012) << body.name;
    else
      EXPECT_EQ(after, before) << body.name;
  }
}

// The ball is under the middle of a triangle and reaches none of its corners.
TEST_P(PhysicsShapes, a_virtual_particle_is_pushed_out_and_takes_its_corners_with_it) {
  Shapes shapes;
  shapes.spheres = {{0, -0.9f, 0, 1}};
  Plan plan = particles({{-1, 0, -1, 1}, {2, 0, -1, 1}, {-1, 0, 2, 1}});
  plan.virtual_particles = {0, 1, 2, 0};
  plan.virtual_weights = {1 / 3.0f, 1 / 3.0f, 1 / 3.0f};
  for (const bool pinned : {false, true}) {
    plan.points[0].w = pinned ? 0.0f : 1.0f;
    World world(GetParam());
    clothc_cloth_parameters parameters = plain_parameters(60);
    const clothc_cloth_id cloth = world.add(plan, parameters, {}, {world.add_colliders(shapes)});
    parameters.collision_flags = 0;
    const clothc_cloth_id without = world.add(plan, parameters, {}, {world.add_colliders(shapes)});
    world.update(1 / 60.0f);
    const std::vector<Point> p = world.get(cloth);
    const double height = (static_cast<double>(p[0].y) + static_cast<double>(p[1].y) + static_cast<double>(p[2].y)) / 3;
    EXPECT_NEAR(height, pinned ? 0.1 * 2 / 3 : 0.1, 1e-6);
    EXPECT_EQ(p[1].y, p[2].y);
    EXPECT_NEAR(p[0].y, pinned ? 0 : 0.1, 1e-6);
    EXPECT_EQ(world.get(without)[1].y, 0);
  }
}

// With mass scale, a particle that a sphere has pushed counts as heavier in the next iteration's constraints.
TEST_P(PhysicsShapes, a_particle_that_is_pushed_counts_as_heavier_until_it_is_pushed_again) {
  Shapes shapes;
  shapes.spheres = {{0, 0, 0, 1}};
  Plan plan = particles({{0.9f, 0, 0, 1}, {2.5f, 0, 0, 1}});
  plan.phases = {{{0, 1, 1.0f}}};
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(60);
  // 1 + 300 * 0.1^2 = 4 times.
  parameters.collision_mass_scale = 300;
  const clothc_collider_set_id set = world.add_colliders(shapes);
  parameters.damping[0] = 1;
  const clothc_cloth_id cloth = world.add(plan, parameters, {phase_config(0, 0)}, {set});
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.get(cloth)[0].x, 1, 1e-6);
  EXPECT_EQ(world.get(cloth)[0].w, 1) << "what a program sees is its own inverse mass";
  const clothc_phase_config on = phase_config(0);
  require(clothc_cloth_set_phases(world.solver, cloth, &on, 1));
  world.set(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION, world.get(cloth));
  world.update(1 / 60.0f);
  // The error of 0.5 is shared in the ratio 0.25 to 1.
  EXPECT_NEAR(world.get(cloth)[0].x, 1 + 0.5 * 0.2, 1e-3);
  EXPECT_NEAR(world.get(cloth)[1].x, 2.5 - 0.5 * 0.8, 1e-3);
}

// A cloth's frame moves and turns past shapes that are at rest in the world. In world coordinates, all particles stay
// outside the shapes.
TEST_P(PhysicsShapes, shapes_of_the_world_stay_where_they_are_while_the_frame_moves) {
  for (const Body& body : all_bodies()) {
    World world(GetParam());
    const Vertex centre = {0.5f, 0.25f, -0.25f};
    Shapes shapes = body.at(centre);
    shapes.space = CLOTHC_COLLIDER_SPACE_WORLD;
    Plan plan = sheet({9, 0.6f, 0.2f, false});
    clothc_cloth_parameters parameters = plain_parameters(240);
    fill(parameters.linear_inertia, 0);
    fill(parameters.angular_inertia, 0);
    fill(parameters.centrifugal_inertia, 0);
    const clothc_cloth_id cloth = world.add(plan, parameters, {}, {world.add_colliders(shapes)});
    double nearest = 1;
    for (int frame = 1; frame <= 60; ++frame) {
      auto pose = initialised<clothc_cloth_frame>();
      const double angle = 0.02 * frame;
      pose.translation[0] = 0.01f * static_cast<float>(frame);
      pose.translation[1] = 0.8f - 0.01f * static_cast<float>(frame);
      pose.rotation[2] = static_cast<float>(std::sin(angle / 2));
      pose.rotation[3] = static_cast<float>(std::cos(angle / 2));
      if (frame == 1) {
        pose.flags = CLOTHC_FRAME_START;
        pose.start_translation[1] = 0.85f;
      }
      world.set_frame(cloth, pose);
      world.update(1 / 60.0f);
      for (const Point& p : world.get(cloth)) {
        const double x = std::cos(angle) * static_cast<double>(p.x) - std::sin(angle) * static_cast<double>(p.y);
        const double y = std::sin(angle) * static_cast<double>(p.x) + std::cos(angle) * static_cast<double>(p.y);
        const double distance =
            body.distance(x + static_cast<double>(pose.translation[0]) - static_cast<double>(centre.x),
                          y + static_cast<double>(pose.translation[1]) - static_cast<double>(centre.y),
                          static_cast<double>(p.z) - static_cast<double>(centre.z));
        nearest = std::min(nearest, distance);
      }
    }
    EXPECT_GT(nearest, -1e-5) << body.name;
    EXPECT_LT(nearest, 0.01) << body.name << ": never met";
  }
}

TEST_P(PhysicsShapes, shapes_without_a_size_make_no_contacts) {
  Shapes shapes;
  shapes.spheres = {{0, 0, 0, 0}, {0, 0, 0, 0}};
  shapes.capsules = {0, 1};
  shapes.ellipsoids = {{{0, 0, 0}, {0, 0, 0, 1}, {0, 1, 1}}, {{0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0}}};
  shapes.boxes = {{{0, 0, 0}, {0, 0, 0, 1}, {0, 1, 1}}};
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  parameters.friction = 1;
  const std::vector<Point> p = moved_once(GetParam(), {{0, 0, 0, 1}, {0, 0.5f, 0, 1}}, shapes, parameters);
  expect_at(p[0], 0, 0, 0, 0);
  expect_at(p[1], 0, 0.5, 0, 0);
}

}  // namespace
}  // namespace physics::shapes_test
