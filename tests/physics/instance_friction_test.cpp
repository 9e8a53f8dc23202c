// instance_friction_test.cpp - friction with instances of meshes and signed distance fields (SDFs). A sheet that lies
// on an instance moves and turns with it, and slides down a slope according to Coulomb's law.
#include <cmath>

#include "support/world.h"

namespace physics::instance_friction_test {
namespace {

using PhysicsInstanceFriction = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsInstanceFriction);

constexpr double g = 9.81;
const double degree = std::acos(-1.0) / 180;

double as_double(float x) { return x; }

struct Ground {
  const char* name;
  AssetPointer asset;
  float scale;
};

std::vector<Ground> grounds() { return {{"mesh", ground_mesh(8), 0.5f}, {"SDF", ground_sdf(1), 4.0f}}; }

clothc_cloth_parameters rough(float friction) {
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  parameters.friction = friction;
  parameters.contact_margin = 0.01f;
  return parameters;
}

Plan resting_sheet() {
  Plan plan = sheet({5, 0.5f, 0.2f, true});
  for (Point& p : plan.points) p.y = 0.01f;
  return plan;
}

// The instance moves in every iteration of an update, so that it never gets ahead of the particles that lie on it.
TEST_P(PhysicsInstanceFriction, a_sheet_goes_where_the_ground_goes) {
  for (const Ground& ground : grounds()) {
    for (const uint32_t flags : {0u, uint32_t{CLOTHC_COLLISION_CONTINUOUS}}) {
      for (const clothc_collider_space space : {CLOTHC_COLLIDER_SPACE_LOCAL, CLOTHC_COLLIDER_SPACE_WORLD}) {
        World world(GetParam());
        Shapes shapes;
        shapes.space = space;
        shapes.instances = {{ground.asset, {0, 0, 0}, {0, 0, 0, 1}, ground.scale}};
        const clothc_collider_set_id set = world.add_colliders(shapes);
        const Plan plan = resting_sheet();
        clothc_cloth_parameters parameters = rough(1);
        parameters.collision_flags = flags;
        const clothc_cloth_id cloth = world.add(plan, parameters, {}, {set});
        world.update(1 / 60.0f, 10);
        // The speed is 1.2 m/s. It is reached from 0 more slowly than friction can accelerate the sheet.
        for (int frame = 1; frame <= 60; ++frame) {
          const double time = frame / 60.0, way = time < 0.5 ? 1.2 * time * time : 1.2 * (time - 0.25);
          shapes.instances[0].translation[0] = static_cast<float>(way);
          world.write(set, shapes);
          world.update(1 / 60.0f);
        }
        const std::vector<Point> p = world.get(cloth);
        for (size_t k = 0; k < p.size(); ++k) {
          EXPECT_NEAR(p[k].x - plan.points[k].x, 0.9, 0.02) << ground.name << ", flags " << flags;
          EXPECT_NEAR(p[k].z, plan.points[k].z, 0.005) << ground.name;
          EXPECT_NEAR(p[k].y, 0.01, 1e-3) << ground.name;
        }
      }
    }
  }
}

TEST_P(PhysicsInstanceFriction, a_sheet_turns_as_the_ground_turns) {
  for (const Ground& ground : grounds()) {
    World world(GetParam());
    Shapes shapes;
    shapes.instances = {{ground.asset, {0, 0, 0}, {0, 0, 0, 1}, ground.scale}};
    const clothc_collider_set_id set = world.add_colliders(shapes);
    const Plan plan = resting_sheet();
    const clothc_cloth_id cloth = world.add(plan, rough(1), {}, {set});
    world.update(1 / 60.0f, 10);
    double angle = 0;
    // The speed rises to 60 degrees per second.
    for (int frame = 1; frame <= 60; ++frame) {
      angle += std::min(frame, 20) / 20.0 * degree;
      shapes.instances[0].rotation[1] = static_cast<float>(std::sin(angle / 2));
      shapes.instances[0].rotation[3] = static_cast<float>(std::cos(angle / 2));
      world.write(set, shapes);
      world.update(1 / 60.0f);
    }
    const std::vector<Point> p = world.get(cloth);
    for (size_t k = 0; k < p.size(); ++k) {
      const double x = as_double(plan.points[k].x), z = as_double(plan.points[k].z);
      EXPECT_NEAR(as_double(p[k].x), std::cos(angle) * x + std::sin(angle) * z, 0.01) << ground.name;
      EXPECT_NEAR(as_double(p[k].z), std::cos(angle) * z - std::sin(angle) * x, 0.01) << ground.name;
    }
  }
}

// Without friction the ground slides away below the sheet.
TEST_P(PhysicsInstanceFriction, a_sheet_without_friction_stays_where_it_is) {
  for (const Ground& ground : grounds()) {
    World world(GetParam());
    Shapes shapes;
    shapes.instances = {{ground.asset, {0, 0, 0}, {0, 0, 0, 1}, ground.scale}};
    const clothc_collider_set_id set = world.add_colliders(shapes);
    const Plan plan = resting_sheet();
    const clothc_cloth_id cloth = world.add(plan, rough(0), {}, {set});
    for (int frame = 0; frame < 40; ++frame) {
      shapes.instances[0].translation[0] = 0.02f * static_cast<float>(frame);
      world.write(set, shapes);
      world.update(1 / 60.0f);
    }
    const std::vector<Point> p = world.get(cloth);
    for (size_t k = 0; k < p.size(); ++k) EXPECT_NEAR(p[k].x, plan.points[k].x, 1e-4) << ground.name;
  }
}

struct Slide {
  // In m/s after 1 s and after 2 s.
  double speed[2];
  double way[2];
};

// Runs a sheet on a ground sloping down towards +x.
Slide slide(const Target& target, const Ground& ground, double angle, float friction) {
  World world(target);
  const double sine = std::sin(angle), cosine = std::cos(angle);
  Shapes ramp;
  ramp.instances = {{ground.asset,
                     {0, 0, 0},
                     {0, 0, static_cast<float>(-std::sin(angle / 2)), static_cast<float>(std::cos(angle / 2))},
                     ground.scale}};
  Plan plan = sheet({4, 0.375f, 0.2f, true});
  for (Point& p : plan.points) {
    p.y = static_cast<float>(-as_double(p.x) * sine + 0.01 * cosine);
    p.x = static_cast<float>(as_double(p.x) * cosine + 0.01 * sine);
  }
  const clothc_cloth_id cloth = world.add(plan, rough(friction), {}, {world.add_colliders(ramp)});
  const auto mean_along = [&](clothc_channel channel) {
    double sum = 0;
    for (const Point& p : world.get(cloth, channel)) sum += (as_double(p.x) * cosine - as_double(p.y) * sine) / 16;
    return sum;
  };
  Slide result = {};
  for (int second = 0; second < 2; ++second) {
    world.update(1 / 60.0f, 60);
    result.speed[second] = mean_along(CLOTHC_CHANNEL_VELOCITY);
    result.way[second] = mean_along(CLOTHC_CHANNEL_POSITION);
  }
  return result;
}

TEST_P(PhysicsInstanceFriction, a_sheet_on_a_slope_slides_above_the_angle_of_friction_and_not_below) {
  for (const Ground& ground : grounds()) {
    const float friction = 0.3f;
    const double critical = std::atan(0.3);
    const Slide below = slide(GetParam(), ground, critical - degree, friction);
    const Slide above = slide(GetParam(), ground, critical + degree, friction);
    const std::string name = std::string("slope of a ") + ground.name;
    EXPECT_NEAR(below.speed[1], 0, 1e-4) << name;
    expect_at_most(GetParam(), name + ", 1 degree below atan(mu): creep [m/s]", 1e-6,
                   std::abs(below.way[1] - below.way[0]));
    expect_row(GetParam(), name + ", 1 degree above: acceleration [m/s2]", g * std::sin(degree) / std::cos(critical),
               above.speed[1] - above.speed[0], 0.1);
  }
}

}  // namespace
}  // namespace physics::instance_friction_test
