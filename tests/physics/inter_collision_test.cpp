// inter_collision_test.cpp - cloths that push each other: closed forms for pairs, groups and masks, momentum, frames,
// sleep, and many cloths at once.
#include <algorithm>
#include <cmath>

#include "support/configurations.h"
#include "support/long_form.h"
#include "support/world.h"

namespace physics::physics_inter_collision_test {
namespace {

using PhysicsInterCollision = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsInterCollision);

constexpr float dt = 1 / 60.0f;

clothc_cloth_parameters colliding(float thickness, uint32_t passes = 0) {
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.stiffness_frequency = 60;
  parameters.inter_collision_distance = thickness;
  parameters.inter_collision_iterations = passes;
  return parameters;
}

Plan particle(Point point) { return {{point}, {}, {}, 0, {}, {}}; }

TEST_P(PhysicsInterCollision, two_cloths_keep_apart_the_mean_of_their_thicknesses) {
  for (const uint32_t passes : {0u, 1u, 3u}) {
    World world(GetParam());
    const clothc_cloth_id a = world.add(particle({0, 0, 0, 1}), colliding(0.08f, passes));
    const clothc_cloth_id b = world.add(particle({0.06f, 0, 0, 3}), colliding(0.12f, passes));
    world.update(dt);
    EXPECT_NEAR(world.get(a)[0].x, -0.01, 2e-6) << passes;
    EXPECT_NEAR(world.get(b)[0].x, 0.09, 2e-6) << passes;
  }
}

TEST_P(PhysicsInterCollision, cloths_collide_if_each_mask_has_the_others_group) {
  struct Row {
    uint32_t group_a, mask_a, group_b, mask_b;
    bool collide;
  };
  for (const Row& row : {Row{1, 1, 1, 1, true}, Row{1, 2, 2, 1, true}, Row{1, 2, 2, 4, false}, Row{1, 4, 2, 1, false},
                         Row{6, 1, 1, 4, true}, Row{0, 1, 1, 1, false}, Row{1u << 31, ~0u, 1, 1u << 31, true}}) {
    World world(GetParam());
    clothc_cloth_parameters of_a = colliding(0.1f), of_b = colliding(0.1f);
    of_a.inter_collision_group = row.group_a;
    of_a.inter_collision_mask = row.mask_a;
    of_b.inter_collision_group = row.group_b;
    of_b.inter_collision_mask = row.mask_b;
    const clothc_cloth_id a = world.add(particle({0, 0, 0, 1}), of_a);
    world.add(particle({0.06f, 0, 0, 1}), of_b);
    world.update(dt);
    EXPECT_EQ(world.get(a)[0].x != 0, row.collide) << row.group_a << " " << row.mask_a << " " << row.group_b;
  }
}

TEST_P(PhysicsInterCollision, cloths_collide_in_the_world_wherever_their_frames_are) {
  World world(GetParam());
  const clothc_cloth_id a = world.add(particle({0, 0, 0, 1}), colliding(0.1f));
  const clothc_cloth_id b = world.add(particle({0, 0.5f, 0, 1}), colliding(0.1f));
  auto frame = initialised<clothc_cloth_frame>();
  frame.flags = CLOTHC_FRAME_CLEAR_INERTIA;
  frame.translation[0] = 1000;
  world.set_frame(a, frame);
  // b's y axis is the world's -x axis, so b is at 1000.0625.
  frame.translation[0] = 1000.5625f;
  frame.rotation[2] = frame.rotation[3] = std::sqrt(0.5f);
  world.set_frame(b, frame);
  world.update(dt);
  EXPECT_NEAR(world.get(a)[0].x, -0.01875, 2e-6);
  EXPECT_NEAR(world.get(b)[0].y, 0.5 - 0.01875, 2e-6);
}

// Two loose sheets fly into each other. No particle is pushed by more than half a distance.
TEST_P(PhysicsInterCollision, momentum_is_kept) {
  for (const uint32_t passes : {0u, 2u}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = colliding(0.08f, passes);
    parameters.solver_frequency = 240;
    parameters.inter_collision_friction = 0.4f;
    parameters.inter_collision_damping = 0.5f;
    Plan plan = sheet({12, 0.5f, 0.2f, true});
    const clothc_cloth_id a = world.add(plan, parameters);
    for (Point& p : plan.points) p = {p.x + 0.013f, p.y + 0.12f, p.z + 0.02f, p.w / 2};
    const clothc_cloth_id b = world.add(plan, parameters);
    world.set(a, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(144, {0, 0.5f, 0, 0}));
    world.set(b, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(144, {0.1f, -0.5f, 0, 0}));
    const auto momentum = [&](float Point::*axis) {
      double sum = 0;
      for (const clothc_cloth_id cloth : {a, b}) {
        const std::vector<Point> now = world.get(cloth), before = world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION);
        for (size_t k = 0; k < now.size(); ++k)
          sum += (double{now[k].*axis} - double{before[k].*axis}) * 240 / static_cast<double>(now[k].w);
      }
      return sum;
    };
    const double mass_of_a = 0.2 * 0.25, scale = mass_of_a * 0.5;
    world.update(dt);
    const double y = momentum(&Point::y), x = momentum(&Point::x);
    EXPECT_NEAR(y, -mass_of_a * 0.5, 0.01 * scale);
    bool bounced = false;
    for (int k = 0; k < 30; ++k) {
      world.update(dt);
      ASSERT_NEAR(momentum(&Point::y), y, 2e-3 * scale) << passes << " " << k;
      ASSERT_NEAR(momentum(&Point::x), x, 2e-3 * scale) << passes << " " << k;
      bounced = bounced || world.get(a)[70].y < world.get(a, CLOTHC_CHANNEL_PREVIOUS_POSITION)[70].y;
    }
    EXPECT_TRUE(bounced) << "they never met";
  }
}

TEST_P(PhysicsInterCollision, a_cloth_on_another_comes_to_rest_and_sleeps_until_a_third_one_falls_on_it) {
  World world(GetParam());
  Shapes floor;
  floor.planes = {{0, 1, 0, 0}};
  const clothc_collider_set_id colliders = world.add_colliders(floor);
  constexpr uint32_t n = 16;
  constexpr float thickness = 1.2f * 0.5f / (n - 1);
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  fill(parameters.damping, 0.2f);
  parameters.friction = 0.5f;
  parameters.contact_margin = thickness / 2;
  parameters.inter_collision_distance = thickness;
  parameters.inter_collision_friction = 0.5f;
  parameters.inter_collision_damping = 1;
  parameters.sleep_threshold = 0.02f;
  std::vector<clothc_cloth_id> cloths;
  const auto drop = [&](float height) {
    Plan plan = sheet({n, 0.5f, 0.2f, true});
    for (Point& p : plan.points) p.x += 0.01f * static_cast<float>(cloths.size()), p.y += height;
    cloths.push_back(world.add(plan, parameters, {}, {colliders}));
  };
  const auto asleep = [&] {
    return std::count_if(cloths.begin(), cloths.end(), [&](clothc_cloth_id cloth) {
      return (world.status(cloth).flags & CLOTHC_STATUS_ASLEEP) != 0;
    });
  };
  drop(thickness / 2);
  drop(2 * thickness);
  world.update(dt, 600);
  ASSERT_EQ(asleep(), 2);
  const std::vector<Point> before = world.get(cloths[1]);
  world.update(dt, 30);
  EXPECT_TRUE(same_bits(world.get(cloths[1]), before));
  double least = 1;
  for (const Point& p : world.get(cloths[0])) {
    for (const Point& q : before) {
      const double d =
          std::hypot(std::hypot(double{p.x} - double{q.x}, double{p.y} - double{q.y}), double{p.z} - double{q.z});
      least = std::min(least, d / static_cast<double>(thickness));
    }
  }
  EXPECT_GT(least, 0.9);
  drop(4 * thickness);
  world.update(dt, 30);
  EXPECT_EQ(asleep(), 0);
}

// Arrays are padded with particles at the origin, where a shape pushes them.
TEST_P(PhysicsInterCollision, padding_keeps_no_cloth_awake) {
  for (const float thickness : {0.0f, 0.1f}) {
    World world(GetParam());
    Shapes floor;
    floor.planes = {{0, 1, 0, 0}};
    clothc_cloth_parameters parameters = colliding(thickness);
    parameters.contact_margin = 0.1f;
    parameters.sleep_threshold = 0.05f;
    parameters.sleep_test_interval = 1;
    const clothc_collider_set_id colliders = world.add_colliders(floor);
    const clothc_cloth_id cloth = world.add(particle({0, 1, 0, 1}), parameters, {}, {colliders});
    world.add(particle({0, 2, 0, 1}), parameters, {}, {colliders});
    world.update(dt);
    EXPECT_EQ(world.status(cloth).sleep_pass_count, 1u) << thickness;
  }
}

// Returns the hash of a heap with more cloths than a level of the BVH holds. The bits must be the same however the work
// is divided.
uint64_t heap(const Configuration& configuration) {
  ConfiguredWorld world(configuration);
  Shapes floor;
  floor.planes = {{0, 1, 0, 0}};
  const clothc_collider_set_id colliders = world.add_colliders(floor);
  for (uint32_t k = 0; k < 40; ++k) {
    Plan plan = sheet({6 + k % 5, 0.3f, 0.2f, true});
    for (Point& p : plan.points) {
      p.x += 0.11f * static_cast<float>(k * 7 % 5);
      p.y += 0.1f + 0.03f * static_cast<float>(k);
      p.z += 0.11f * static_cast<float>(k * 3 % 4);
    }
    clothc_cloth_parameters parameters = default_parameters();
    parameters.solver_frequency = k % 4 == 3 ? 120.0f : 240.0f;
    parameters.inter_collision_distance = 0.04f + 0.002f * static_cast<float>(k % 3);
    parameters.inter_collision_friction = k % 6 == 0 ? 0.0f : 0.4f;
    parameters.inter_collision_damping = 0.2f;
    parameters.inter_collision_iterations = k % 5 == 4 ? 2 : 0;
    parameters.inter_collision_group = 1u << k % 3;
    parameters.inter_collision_mask = k % 7 == 0 ? 3u : 7u;
    parameters.self_collision_distance = k % 2 == 0 ? 0.03f : 0.0f;
    parameters.sleep_threshold = 0.5f;
    world.add(plan, parameters, {}, {colliders});
  }
  world.update(dt, clothc_test::long_form() ? 40 : 20);
  return world.hash();
}

class PhysicsInterCollisionEverywhere : public testing::TestWithParam<Configuration> {};
INSTANTIATE_TEST_SUITE_P(Configurations, PhysicsInterCollisionEverywhere, testing::ValuesIn(other_configurations()),
                         name_of_configuration);

TEST_P(PhysicsInterCollisionEverywhere, gives_the_same_bits) {
  static const uint64_t expected = heap(plainest_configuration());
  EXPECT_EQ(heap(GetParam()), expected);
}

}  // namespace
}  // namespace physics::physics_inter_collision_test
