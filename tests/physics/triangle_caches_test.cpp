// triangle_caches_test.cpp - what particles remember of the triangles around them from update to update changes no bit.
// Each scene is compared with one in which a new clone, which remembers nothing, takes the cloth's place in every
// update.
#include <cmath>
#include <functional>

#include "support/bodies.h"

namespace physics::physics_triangle_caches_test {
namespace {

using PhysicsTriangleCaches = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsTriangleCaches);

// A ball with bumps, from which the vertices are so far away in one direction.
Shapes ball(float sway, float radius = 0.5f) {
  Shapes shapes;
  add_ball(radius, 3, shapes.vertices, shapes.triangles);
  for (Vertex& v : shapes.vertices) {
    const float bump = 1 + 0.04f * std::sin(17 * v.x) * std::sin(13 * v.z + 5 * v.y);
    v = {v.x * bump + sway, v.y * bump, v.z * bump};
  }
  return shapes;
}

struct Play {
  World& world;
  clothc_cloth_id cloth;
  clothc_collider_set_id set;
};

clothc_cloth_parameters parameters_with(float margin, float friction = 0.3f) {
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  parameters.contact_margin = margin;
  parameters.friction = friction;
  parameters.collision_flags |= CLOTHC_COLLISION_CONTINUOUS;
  return parameters;
}

// A sheet falls on the ball and lies there when `changes` is called for the first time, before every update from then
// on.
void expect_same_as_without_caches(const Target& target, const std::function<void(const Play&, int)>& changes,
                                   int frames = 24, float friction = 0.3f) {
  constexpr int first_change = 14;
  World kept(target), fresh(target);
  SheetPlan wanted;
  wanted.n = 14;
  Plan plan = sheet(wanted);
  for (Point& point : plan.points) point.y += 0.54f;
  std::vector<Play> plays;
  for (World* world : {&kept, &fresh}) {
    const clothc_collider_set_id set = world->add_colliders(ball(0));
    plays.push_back({*world, world->add(plan, parameters_with(0.01f, friction), {}, {set}), set});
  }
  for (int frame = 0; frame < frames; ++frame) {
    clothc_cloth_id clone = 0;
    require(clothc_cloth_clone(fresh.solver, plays[1].cloth, &clone));
    require(clothc_cloth_remove(fresh.solver, plays[1].cloth));
    plays[1].cloth = clone;
    if (frame == first_change) {
      size_t on_ball = 0;
      for (const Point& point : kept.get(plays[0].cloth)) on_ball += point.y > 0.3f;
      EXPECT_GT(on_ball, 10u);
    }
    for (const Play& play : plays) {
      if (frame >= first_change) changes(play, frame - first_change);
      play.world.update(1 / 60.0f);
    }
    for (const clothc_channel channel : {CLOTHC_CHANNEL_POSITION, CLOTHC_CHANNEL_PREVIOUS_POSITION}) {
      ASSERT_TRUE(same_bits(kept.get(plays[0].cloth, channel), fresh.get(plays[1].cloth, channel)))
          << "channel " << channel << " after update " << frame;
    }
  }
}

TEST_P(PhysicsTriangleCaches, nothing_changes) {
  expect_same_as_without_caches(GetParam(), [](const Play&, int) {});
}

// The ball slides along below the sheet by more than a triangle.
TEST_P(PhysicsTriangleCaches, vertices_creep) {
  constexpr int frames = 110;
  expect_same_as_without_caches(
      GetParam(),
      [](const Play& play, int frame) { play.world.write(play.set, ball(0.0007f * static_cast<float>(frame))); },
      frames, 0);
}

TEST_P(PhysicsTriangleCaches, vertices_creep_and_then_move_far_and_stand_still) {
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    if (frame < 6) play.world.write(play.set, ball(frame == 3 ? 0.05f : 0.0007f * static_cast<float>(frame)));
  });
}

TEST_P(PhysicsTriangleCaches, vertices_jump_to_where_they_start) {
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    Shapes shapes = ball(0.01f * static_cast<float>(frame));
    shapes.vertex_starts = ball(0.01f * static_cast<float>(frame) - 0.0001f).vertices;
    play.world.write(play.set, shapes);
  });
}

TEST_P(PhysicsTriangleCaches, triangles_are_replaced_by_as_many) {
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    Shapes shapes = ball(0);
    if (frame % 4 == 0) std::swap(shapes.triangles.front(), shapes.triangles[shapes.triangles.size() - 3]);
    play.world.write(play.set, shapes);
  });
}

TEST_P(PhysicsTriangleCaches, margin_and_reach_change) {
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    const float part = frame % 4 == 0 ? 2.0f : 0.5f;
    play.world.set_parameters(play.cloth, parameters_with(0.01f * part));
    Shapes shapes = ball(0);
    shapes.reach = 0.1f * part;
    play.world.write(play.set, shapes);
  });
}

TEST_P(PhysicsTriangleCaches, positions_are_set) {
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    if (frame % 2 != 0) return;
    std::vector<Point> points = play.world.get(play.cloth);
    for (Point& point : points) point.y += frame % 4 == 0 ? 0.05f : -0.03f;
    play.world.set(play.cloth, CLOTHC_CHANNEL_POSITION, points);
  });
}

TEST_P(PhysicsTriangleCaches, a_shape_comes_and_goes) {
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    Shapes shapes = ball(0);
    if (frame % 4 == 0) shapes.spheres.push_back({0.3f, 0.4f, 0, 0.2f});
    play.world.write(play.set, shapes);
  });
}

TEST_P(PhysicsTriangleCaches, frame_moves_past_shapes_of_the_world) {
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    Shapes shapes = ball(0);
    shapes.space = CLOTHC_COLLIDER_SPACE_WORLD;
    play.world.write(play.set, shapes);
    auto pose = initialised<clothc_cloth_frame>();
    pose.translation[0] = 0.005f * static_cast<float>(frame);
    if (frame == 6) pose.flags = CLOTHC_FRAME_TELEPORT;
    play.world.set_frame(play.cloth, pose);
  });
}

TEST_P(PhysicsTriangleCaches, an_instance_takes_the_place_of_the_triangles_and_grows) {
  static const AssetPointer mesh = ball_mesh(0.5f);
  expect_same_as_without_caches(GetParam(), [](const Play& play, int frame) {
    Shapes shapes;
    shapes.instances = {{mesh}};
    shapes.instances[0].scale = 1 + 0.01f * static_cast<float>(frame / 4);
    play.world.write(play.set, shapes);
  });
}

}  // namespace
}  // namespace physics::physics_triangle_caches_test
