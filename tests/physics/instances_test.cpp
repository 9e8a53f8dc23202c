// instances_test.cpp - instances of meshes and signed distance fields (SDFs) act like triangles of a set and like a
// sphere, whatever their position, rotation and scale. Also tested: the inside of an SDF, and growing instances that
// push particles.
#include <algorithm>
#include <cmath>
#include <limits>

#include "support/bodies.h"

namespace physics::instances_test {
namespace {

using PhysicsInstances = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsInstances);

double as_double(float x) { return x; }
double radius_of(const Point& p) { return std::hypot(as_double(p.x), as_double(p.y), as_double(p.z)); }

// Returns points spread over a cube around the origin.
Plan random_particles(uint32_t count, float half_side) {
  Plan plan;
  for (uint32_t i = 0; i < count; ++i) {
    const auto coordinate = [&](uint32_t factor) {
      return half_side * (static_cast<float>(i * factor % 499) / 249.5f - 1);
    };
    plan.points.push_back({coordinate(101), coordinate(77), coordinate(331), 1});
  }
  return plan;
}

clothc_cloth_parameters colliding(uint32_t flags, float margin = 0) {
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  parameters.friction = 0.4f;
  parameters.collision_flags = flags;
  parameters.contact_margin = margin;
  return parameters;
}

// Returns the positions of resting particles after one iteration of 1/60 s.
std::vector<Point> moved_once(const Target& target, const Plan& plan, const Shapes& shapes, float margin = 0,
                              uint32_t flags = 0) {
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.contact_margin = margin;
  parameters.collision_flags = flags;
  World world(target);
  const clothc_cloth_id cloth = world.add(plan, parameters, {}, {world.add_colliders(shapes)});
  world.update(1 / 60.0f);
  return world.get(cloth);
}

double furthest(const std::vector<Point>& a, const std::vector<Point>& b) {
  double most = 0;
  for (size_t k = 0; k < a.size(); ++k) {
    most = std::max(most, radius_of({a[k].x - b[k].x, a[k].y - b[k].y, a[k].z - b[k].z, 0}));
  }
  return most;
}

constexpr float half_angle = 0.7f;
// Turns the instance about (2, 1, 2) / 3.
void turn(Instance& instance) {
  const float s = std::sin(half_angle) / 3;
  const float q[4] = {2 * s, s, 2 * s, std::cos(half_angle)};
  std::copy(q, q + 4, instance.rotation);
}

Vertex posed(const Instance& instance, Vertex v) {
  const double x = as_double(instance.rotation[0]), y = as_double(instance.rotation[1]);
  const double z = as_double(instance.rotation[2]), w = as_double(instance.rotation[3]);
  const double s = as_double(instance.scale), a = s * as_double(v.x), b = s * as_double(v.y), c = s * as_double(v.z);
  return {static_cast<float>(as_double(instance.translation[0]) + (1 - 2 * (y * y + z * z)) * a +
                             2 * (x * y - z * w) * b + 2 * (x * z + y * w) * c),
          static_cast<float>(as_double(instance.translation[1]) + 2 * (x * y + z * w) * a +
                             (1 - 2 * (x * x + z * z)) * b + 2 * (y * z - x * w) * c),
          static_cast<float>(as_double(instance.translation[2]) + 2 * (x * z - y * w) * a + 2 * (y * z + x * w) * b +
                             (1 - 2 * (x * x + y * y)) * c)};
}

TEST_P(PhysicsInstances, a_mesh_where_it_was_made_is_the_triangles_of_a_set_to_the_bit) {
  const AssetPointer ball = ball_mesh(0.5f);
  Shapes instance, set;
  instance.instances = {{ball}};
  set.vertices = ball->vertices;
  set.triangles = ball->triangles;
  Plan plan = sheet({13, 1.2f, 0.2f, true});
  for (Point& p : plan.points) p.y = 0.55f;
  for (const uint32_t flags : {0u, uint32_t{CLOTHC_COLLISION_CONTINUOUS}}) {
    for (const clothc_collider_space space : {CLOTHC_COLLIDER_SPACE_LOCAL, CLOTHC_COLLIDER_SPACE_WORLD}) {
      instance.space = set.space = space;
      World one(GetParam()), other(GetParam());
      const clothc_cloth_id a = one.add(plan, colliding(flags, 0.01f), {}, {one.add_colliders(instance)});
      const clothc_cloth_id b = other.add(plan, colliding(flags, 0.01f), {}, {other.add_colliders(set)});
      for (int frame = 0; frame < 20; ++frame) {
        for (World* world : {&one, &other}) {
          auto pose = initialised<clothc_cloth_frame>();
          pose.translation[1] = -0.004f * static_cast<float>(frame);
          world->set_frame(world == &one ? a : b, pose);
          world->update(1 / 60.0f);
        }
        ASSERT_TRUE(same_bits(one.get(a), other.get(b))) << "frame " << frame << ", flags " << flags;
      }
      EXPECT_LT(one.get(a)[0].y, 0.55f);
      EXPECT_GT(one.get(a)[13 * 6 + 6].y, 0.5f);
    }
  }
}

TEST_P(PhysicsInstances, a_mesh_that_is_scaled_turned_and_moved_is_the_same_mesh_with_its_vertices_so) {
  const AssetPointer ball = ball_mesh(0.5f);
  for (const float scale : {0.25f, 1.75f, 100.0f}) {
    Instance instance = {ball, {0.25f * scale, -0.125f * scale, 0.0625f * scale}, {0, 0, 0, 1}, scale};
    turn(instance);
    Shapes shown, by_hand;
    shown.instances = {instance};
    for (const Vertex& v : ball->vertices) by_hand.vertices.push_back(posed(instance, v));
    by_hand.triangles = ball->triangles;
    shown.reach = by_hand.reach = 0.125f * scale;
    const Plan plan = random_particles(499, 0.75f * scale);
    for (const float margin : {0.0f, 0.03f * scale}) {
      const std::vector<Point> a = moved_once(GetParam(), plan, shown, margin);
      const std::vector<Point> b = moved_once(GetParam(), plan, by_hand, margin);
      EXPECT_LT(furthest(a, b), 2e-5 * as_double(scale)) << "scale " << scale << ", margin " << margin;
      EXPECT_GT(furthest(a, plan.points), 0.1 * as_double(scale));
    }
  }
}

TEST_P(PhysicsInstances, the_reach_of_meshes_is_in_metres_whatever_their_scale) {
  for (const float scale : {0.125f, 1.0f, 8.0f}) {
    Shapes shapes;
    shapes.instances = {{ground_mesh(10), {0, 0, 0}, {0, 0, 0, 1}, scale}};
    shapes.reach = 0.25f;
    Plan plan;
    plan.points = {{0.1f, -0.24f, 0.3f, 1}, {0.1f, -0.26f, 0.3f, 1}, {0.1f, 0.09f, 0.3f, 1}, {0.1f, 0.11f, 0.3f, 1}};
    const std::vector<Point> p = moved_once(GetParam(), plan, shapes, 0.1f);
    EXPECT_NEAR(p[0].y, 0.1, 1e-5) << "scale " << scale;
    EXPECT_EQ(p[1].y, -0.26f) << "scale " << scale;
    EXPECT_NEAR(p[2].y, 0.1, 1e-5) << "scale " << scale;
    EXPECT_EQ(p[3].y, 0.11f) << "scale " << scale;
  }
}

// Interpolation between the nodes makes distances wrong by h^2 / 8 times their second derivatives along the axes, which
// are 2 / r.
TEST_P(PhysicsInstances, an_sdf_of_a_ball_is_a_sphere_within_what_is_lost_between_its_nodes) {
  for (const uint32_t counts : {32u, 64u}) {
    const AssetPointer ball = ball_sdf(0.5, counts);
    Shapes sdf, sphere;
    Instance instance = {ball, {0, 0, 0}, {0, 0, 0, 1}, 2};
    turn(instance);
    sdf.instances = {instance};
    sphere.spheres = {{0, 0, 0, 1}};
    const Plan plan = random_particles(499, 0.8f);
    for (const float margin : {0.0f, 0.1f}) {
      const std::vector<Point> a = moved_once(GetParam(), plan, sdf, margin);
      const std::vector<Point> b = moved_once(GetParam(), plan, sphere, margin);
      double most = 0, most_across = 0;
      for (size_t k = 0; k < a.size(); ++k) {
        const double r = radius_of(plan.points[k]);
        if (r < 0.4) continue;
        // The error occurs once at the particle's position.
        const double h = 2 * as_double(ball->spacing), lost = h * h / (4 * (r - h));
        const double reached = radius_of(a[k]), wanted = radius_of(b[k]);
        EXPECT_LT(reached, wanted + 1e-5) << "particle " << k;
        most = std::max(most, (wanted - reached) / lost);
        if (r < 1 + as_double(margin)) most_across = std::max(most_across, furthest({a[k]}, {b[k]}) / h);
      }
      EXPECT_LT(most, 3) << counts << " nodes: a part of what may be lost, and of the length of the gradient";
      EXPECT_LT(most_across, 1) << counts << " nodes: across, in cells";
    }
  }
}

// The particle lies on the triangle, where the direction away from it is undefined.
TEST_P(PhysicsInstances, a_particle_on_a_triangle_is_put_off_by_the_margin) {
  Shapes shapes;
  shapes.vertices = {{-1, 0, -1}, {-1, 0, 1}, {1, 0, -1}};
  shapes.triangles = {0, 1, 2};
  Plan plan;
  for (const float y : {0.0f, 0.01f, -0.01f}) plan.points.push_back({-0.5f, y, -0.5f, 1});
  for (const float margin : {0.0f, 0.05f}) {
    const std::vector<Point> p = moved_once(GetParam(), plan, shapes, margin);
    EXPECT_NEAR(p[0].y, margin, 1e-6f);
    EXPECT_NEAR(p[1].y, std::max(margin, 0.01f), 1e-6f);
    EXPECT_NEAR(p[2].y, margin, 1e-6f);
  }
}

TEST_P(PhysicsInstances, a_linear_sdf_is_a_half_space_where_its_grid_is_and_nothing_beyond) {
  for (const uint32_t flags : {0u, uint32_t{CLOTHC_COLLISION_CONTINUOUS}}) {
    for (const float scale : {0.01f, 1.0f, 100.0f}) {
      Shapes shapes;
      Instance instance = {ground_sdf(2), {0, 0, 0}, {0, 0, 0, 1}, scale};
      shapes.instances = {instance};
      Plan plan;
      for (const float y : {-1.9f, -0.5f, -0.01f, 0.05f, 0.2f}) plan.points.push_back({0.3f, y, 1.7f, 1});
      for (const float y : {-1.9f, -0.01f}) plan.points.push_back({2.01f, y, 0, 1});
      plan.points.push_back({0, -2.01f, 0, 1});
      for (Point& p : plan.points) p.x *= scale, p.y *= scale, p.z *= scale;
      const std::vector<Point> p = moved_once(GetParam(), plan, shapes, 0.1f * scale, flags);
      for (size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(p[k].y / scale, 0.1, 2e-6) << "height " << plan.points[k].y;
        EXPECT_NEAR(p[k].x, plan.points[k].x, 1e-6f * scale);
        EXPECT_NEAR(p[k].z, plan.points[k].z, 1e-6f * scale);
      }
      for (size_t k = 4; k < p.size(); ++k) EXPECT_EQ(p[k].y, plan.points[k].y) << "particle " << k;
    }
  }
}

// The margin is in metres, whatever the scale and the rotation.
TEST_P(PhysicsInstances, keep_the_margin_at_any_scale) {
  for (const AssetPointer& ground : {ground_sdf(2), ground_mesh(2)}) {
    for (const float scale : {0.1f, 1.0f, 20.0f}) {
      Instance instance = {ground, {0.25f, 0.5f, -0.25f}, {0, 0, 0, 1}, scale};
      turn(instance);
      Shapes shapes;
      shapes.instances = {instance};
      const Vertex origin = posed(instance, {0, 0, 0}), up = posed(instance, {0, 1 / scale, 0});
      const Vertex normal = {up.x - origin.x, up.y - origin.y, up.z - origin.z};
      Plan plan;
      for (const float height : {-0.05f, 0.01f, 0.04f, 0.06f}) {
        plan.points.push_back(
            {origin.x + height * normal.x, origin.y + height * normal.y, origin.z + height * normal.z, 1});
      }
      const std::vector<Point> p = moved_once(GetParam(), plan, shapes, 0.05f);
      for (size_t k = 0; k < 4; ++k) {
        const float height =
            (p[k].x - origin.x) * normal.x + (p[k].y - origin.y) * normal.y + (p[k].z - origin.z) * normal.z;
        EXPECT_NEAR(as_double(height), k < 3 ? 0.05 : 0.06, 1e-5) << "scale " << scale << ", particle " << k;
      }
    }
  }
}

// A ball that grows from half its size pushes the particles around it outwards in each iteration, and releases them
// when it shrinks.
TEST_P(PhysicsInstances, that_grow_push_what_they_overlap_to_their_surface) {
  const std::pair<AssetPointer, double> balls[] = {{ball_mesh(1, 4), 0.999}, {ball_sdf(1), 0.999}};
  for (const auto& [ball, inner] : balls) {
    for (const uint32_t flags : {0u, uint32_t{CLOTHC_COLLISION_CONTINUOUS}}) {
      const AssetPointer shell = ball_mesh(0.55f, 2);
      Plan plan;
      for (const Vertex& v : shell->vertices) plan.points.push_back({v.x, v.y, v.z, 1});
      clothc_cloth_parameters parameters = plain_parameters(240);
      parameters.collision_flags = flags;
      fill(parameters.damping, 1);
      Shapes shapes;
      shapes.instances = shapes.instance_starts = {{ball}};
      shapes.instance_starts[0].scale = 0.5f;
      World world(GetParam());
      const clothc_collider_set_id set = world.add_colliders(shapes);
      const clothc_cloth_id cloth = world.add(plan, parameters, {}, {set});
      // 16 iterations.
      world.update(1 / 15.0f);
      for (const Point& p : world.get(cloth)) {
        EXPECT_GT(radius_of(p), inner - 1e-4) << "flags " << flags;
        EXPECT_LT(radius_of(p), 1.02) << "flags " << flags;
      }
      const std::vector<Point> large = world.get(cloth);
      shapes.instance_starts.clear();
      shapes.instances[0].scale = 0.5f;
      world.write(set, shapes);
      world.update(1 / 15.0f);
      world.update(1 / 15.0f);
      for (const Point& p : world.get(cloth)) EXPECT_GT(radius_of(p), inner - 1e-4) << "nothing pulls them";
    }
  }
}

TEST_P(PhysicsInstances, of_the_same_assets_act_each_where_it_is) {
  const AssetPointer mesh = ball_mesh(0.5f), sdf = ball_sdf(0.5);
  Shapes shapes;
  Plan plan;
  for (int k = 0; k < 6; ++k) {
    const auto at = static_cast<float>(k);
    Instance instance = {k % 2 == 0 ? mesh : sdf, {3 * at, 0, at}, {0, 0, 0, 1}, 0.5f + 0.25f * at};
    if (k % 3 != 0) turn(instance);
    shapes.instances.push_back(instance);
    plan.points.push_back({3 * at, 0.5f * instance.scale - 0.05f, at, 1});
  }
  // The order of the instances does not matter.
  std::swap(shapes.instances[1], shapes.instances[4]);
  const std::vector<Point> p = moved_once(GetParam(), plan, shapes);
  for (size_t k = 0; k < p.size(); ++k) {
    const double size = 0.5 + 0.25 * static_cast<double>(k);
    const double r = std::hypot(as_double(p[k].x) - 3.0 * static_cast<double>(k), as_double(p[k].y),
                                as_double(p[k].z) - static_cast<double>(k));
    EXPECT_NEAR(r / size, 0.5, 0.003) << "instance " << k;
  }
}

}  // namespace
}  // namespace physics::instances_test
