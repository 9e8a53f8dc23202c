// wind_limits_test.cpp - limits of the wind formulas: still air, triangles without an area, cloth of the smallest
// permitted mass, and fabrics without triangles.
#include <cmath>
#include <stdexcept>

#include "support/world.h"

namespace physics::wind_limits_test {
namespace {

using PhysicsWindLimits = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsWindLimits);

clothc_cloth_parameters windy(float drag, float lift) {
  clothc_cloth_parameters parameters = plain_parameters(64);
  parameters.drag_coefficient = drag;
  parameters.lift_coefficient = lift;
  return parameters;
}

// The air counts as still if a triangle moves by less than 3.4527e-4 m per iteration.
TEST_P(PhysicsWindLimits, still_air_does_nothing) {
  for (const float moved : {3.44e-4f, 3.46e-4f}) {
    World world(GetParam());
    const Plan plan = sheet({});
    const clothc_cloth_id with_wind = world.add(plan, windy(0.5f, 0.5f));
    const clothc_cloth_id without = world.add(plan, windy(0, 0));
    for (const clothc_cloth_id cloth : {with_wind, without}) {
      world.set(cloth, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {0, moved * 64, 0, 0}));
    }
    world.update(1 / 64.0f);
    EXPECT_EQ(same_bits(world.get(with_wind), world.get(without)), moved < 3.45e-4f) << moved;
  }
}

TEST_P(PhysicsWindLimits, triangles_without_an_area_feel_exactly_nothing) {
  const std::vector<Point> flat[] = {
      // Two corners coincide.
      {{0, 0, 0, 1}, {0, 0, 0, 2}, {1, 0, 0, 1}},
      // All three corners coincide.
      {{0, 0, 0, 1}, {0, 0, 0, 1}, {0, 0, 0, 1}},
      // The corners lie on a line.
      {{0, 0, 0, 1}, {1, 1, 1, 1}, {3, 3, 3, 1}},
      // The corners lie on a line, the third one between the others, and the second one is pinned.
      {{1, 0, 0, 1}, {2, 0, 0, 0}, {1.5f, 0, 0, 1}},
      // The triangle is so small that its area underflows to 0.
      {{1e-20f, 0, 0, 1}, {0, 1e-20f, 0, 1}, {0, 0, 1e-20f, 1e9f}},
  };
  for (const std::vector<Point>& points : flat) {
    std::vector<Point> ends[2];
    for (const int k : {0, 1}) {
      World world(GetParam());
      Plan plan = {points, {}, {}, 0, {}, {}, {0, 1, 2}};
      clothc_cloth_parameters parameters = k == 0 ? windy(0.5f, 0.5f) : windy(0, 0);
      parameters.wind_velocity[1] = 1000;
      parameters.wind_velocity[2] = 300;
      const clothc_cloth_id cloth = world.add(plan, parameters);
      world.update(1 / 64.0f, 3);
      ends[k] = world.get(cloth);
      EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
    }
    EXPECT_TRUE(same_bits(ends[0], ends[1]));
  }
}

// A triangle without an area that shares corners with one that has an area changes nothing, although the contributions
// of both are added.
TEST_P(PhysicsWindLimits, a_triangle_with_one_corner_named_twice_is_left_out) {
  std::vector<Point> ends[2];
  for (const int k : {0, 1}) {
    World world(GetParam());
    Plan plan = {{{0, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 1, 1}}, {}, {}, 0, {}, {}, {0, 1, 2}};
    if (k == 1) plan.triangles.insert(plan.triangles.end(), {1, 1, 2});
    clothc_cloth_parameters parameters = windy(0.01f, 0.01f);
    parameters.wind_velocity[1] = 1;
    parameters.wind_velocity[2] = 1;
    const clothc_cloth_id cloth = world.add(plan, parameters);
    world.update(1 / 64.0f, 10);
    ends[k] = world.get(cloth);
    EXPECT_GT(ends[k][0].y, 1e-4f);
  }
  EXPECT_TRUE(same_bits(ends[0], ends[1]));
}

// However light the cloth, drag removes at most the existing motion relative to the air: a sheet, flat or tilted, never
// moves against the wind, never moves faster than it, and never slows down. Very light cloth takes on the whole motion
// at once.
struct Blown {
  float inverse_mass, density, wind, slope;
  clothc_cloth_id cloth = 0;
  std::vector<Point> velocities = std::vector<Point>(25, {0, 0, 0, 0});
};

std::vector<Blown> add_blown(World& world) {
  std::vector<Blown> blown;
  for (const float inverse_mass : {1.0f, 1e3f, 1e9f}) {
    for (const float density : {1.0f, 1e6f}) {
      for (const float wind : {1.0f, 100.0f, 1e6f}) {
        for (const float slope : {0.0f, 1.0f}) blown.push_back({inverse_mass, density, wind, slope});
      }
    }
  }
  for (Blown& b : blown) {
    SheetPlan wanted;
    wanted.constrained = false;
    Plan plan = sheet(wanted);
    for (Point& p : plan.points) p = {p.x, p.y + b.slope * p.x, p.z, b.inverse_mass};
    clothc_cloth_parameters parameters = windy(1, 0);
    parameters.wind_velocity[1] = b.wind;
    parameters.fluid_density = b.density;
    b.cloth = world.add(plan, parameters);
  }
  return blown;
}

TEST_P(PhysicsWindLimits, drag_never_reverses_the_motion_relative_to_the_air) {
  World world(GetParam());
  std::vector<Blown> blown = add_blown(world);
  for (int update = 0; update < 4; ++update) {
    world.update(1 / 64.0f);
    for (Blown& b : blown) {
      SCOPED_TRACE(testing::Message() << b.inverse_mass << "/kg, " << b.density << " kg/m3, " << b.wind
                                      << " m/s, slope " << b.slope << ", update " << update);
      const std::vector<Point> now = world.get(b.cloth, CLOTHC_CHANNEL_VELOCITY);
      for (size_t i = 0; i < now.size(); ++i) {
        EXPECT_LE(now[i].y, b.wind * 1.0001f);
        EXPECT_GE(now[i].y, b.velocities[i].y * 0.9999f);
        EXPECT_NEAR(now[i].x, 0, 1e-3 * b.wind);
        EXPECT_NEAR(now[i].z, 0, 1e-3 * b.wind);
      }
      b.velocities = now;
    }
  }
  for (const Blown& b : blown) {
    if (b.inverse_mass * b.density >= 1e3f) {
      EXPECT_NEAR(b.velocities[12].y, b.wind, 1e-3 * b.wind) << b.inverse_mass << " " << b.density;
    }
    EXPECT_EQ(world.status(b.cloth).non_finite_count, 0u);
  }
}

TEST_P(PhysicsWindLimits, extremes_of_mass_density_and_wind_stay_finite) {
  World world(GetParam());
  Plan plan = sheet({});
  for (size_t i = 0; i < plan.points.size(); ++i) plan.points[i].w = i % 3 == 0 ? 1e9f : i % 3 == 1 ? 1e-9f : 0;
  clothc_cloth_parameters parameters = windy(1, 1);
  parameters.fluid_density = 1e6f;
  fill(parameters.wind_velocity, 1e6f);
  const clothc_cloth_id cloth = world.add(plan, parameters);
  for (int update = 0; update < 60; ++update) {
    world.update(1 / 64.0f);
    for (const Point& p : world.get(cloth)) {
      ASSERT_LE(std::fabs(p.x), 1e9f);
      ASSERT_LE(std::fabs(p.y), 1e9f);
      ASSERT_LE(std::fabs(p.z), 1e9f);
    }
  }
}

TEST_P(PhysicsWindLimits, a_fabric_without_triangles_refuses_wind_and_says_why) {
  World world(GetParam());
  const Plan plan = {{{0, 0, 0, 1}}, {}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, windy(0, 0));
  clothc_cloth_parameters parameters = windy(0, 0);
  parameters.wind_velocity[0] = 5;
  EXPECT_EQ(clothc_cloth_set_parameters(world.solver, cloth, &parameters), CLOTHC_SUCCESS);
  for (const clothc_cloth_parameters& wanted : {windy(0.1f, 0), windy(0, 0.1f)}) {
    EXPECT_EQ(clothc_cloth_set_parameters(world.solver, cloth, &wanted), CLOTHC_ERROR_INVALID_ARGUMENT);
    const std::string message = clothc_last_error_message();
    EXPECT_NE(message.find("no triangles"), std::string::npos) << message;
    EXPECT_NE(message.find("fabric_desc.triangles"), std::string::npos) << message;
    EXPECT_THROW(world.add(plan, wanted), std::runtime_error);
  }
  auto kept = initialised<clothc_cloth_parameters>();
  require(clothc_cloth_get_parameters(world.solver, cloth, &kept));
  EXPECT_EQ(kept.drag_coefficient, 0);
  EXPECT_EQ(kept.wind_velocity[0], 5);
}

}  // namespace
}  // namespace physics::wind_limits_test
