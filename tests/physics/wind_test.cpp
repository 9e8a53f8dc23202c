// wind_test.cpp - drag and lift of the air on triangles. In an iteration of h, a flat sheet of areal density s that
// moves by d against the air loses 3 k rho / (s h) |cos| |d| d, where k is rate(drag_coefficient): each corner of a
// triangle of area A gets k |cos| rho A |d| d / h, and its mass is s A / 3. Physics has |cos| Cd rho / (2 s) |d| d, so
// Cd = 6 k / h: the coefficient for a given Cd is 1 - (1 - Cd h / 6)^(1 / (stiffness_frequency h)).
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "physics/frame_motion.h"
#include "support/world.h"

namespace physics::wind_test {
namespace {

using PhysicsWind = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsWind);

const double pi = std::acos(-1.0);
constexpr double air = 1.225, density = 0.2, gravity = 9.81;

// Returns the coefficient with which an iteration at the frequency removes the part k, with stiffness frequency 10.
float coefficient_of(double k, double frequency) {
  return static_cast<float>(-std::expm1(std::log1p(-k) * frequency / 10));
}

clothc_cloth_parameters still_air(double frequency, double drag_part, double lift_part = 0) {
  clothc_cloth_parameters parameters = plain_parameters(static_cast<float>(frequency));
  parameters.stiffness_frequency = 10;
  parameters.fluid_density = static_cast<float>(air);
  parameters.drag_coefficient = coefficient_of(drag_part, frequency);
  parameters.lift_coefficient = coefficient_of(lift_part, frequency);
  return parameters;
}

std::string at(double frequency) { return " at " + std::to_string(static_cast<int>(frequency)) + " Hz"; }

Plan loose_sheet() {
  SheetPlan wanted;
  wanted.constrained = false;
  return sheet(wanted);
}

// Rotates points about the z axis.
std::vector<Point> tilted(std::vector<Point> points, double angle) {
  const auto c = static_cast<float>(std::cos(angle)), s = static_cast<float>(std::sin(angle));
  for (Point& p : points) p = {c * p.x - s * p.y, s * p.x + c * p.y, p.z, p.w};
  return points;
}

// Drag acts after gravity, so v' = v + g h - a h (v + g h)^2 with a = Cd rho / (2 s). Its fixed point is the terminal
// velocity sqrt(g / a) minus g h, which is the velocity measured over an iteration.
double terminal_velocity(const Target& target, double frequency) {
  World world(target);
  clothc_cloth_parameters parameters = still_air(frequency, 1 / frequency / 6);
  parameters.gravity[1] = static_cast<float>(-gravity);
  const clothc_cloth_id cloth = world.add(loose_sheet(), parameters);
  world.update(1 / 60.0f, 90);
  const double begin = world.get(cloth)[0].y;
  world.update(1 / 60.0f, 30);
  return (begin - static_cast<double>(world.get(cloth)[0].y)) / 0.5;
}

TEST_P(PhysicsWind, a_sheet_that_falls_face_on_reaches_its_terminal_velocity) {
  const double terminal = std::sqrt(2 * density * gravity / air);
  const std::string row = "sheet falling face-on, 0.2 kg/m2, Cd 1";
  for (const double frequency : {60.0, 120.0, 240.0}) {
    expect_row(GetParam(), row + at(frequency) + ": terminal velocity less g h [m/s]", terminal - gravity / frequency,
               terminal_velocity(GetParam(), frequency), 0.001);
  }
  expect_row(GetParam(), row + at(1200) + ": terminal velocity [m/s]", terminal, terminal_velocity(GetParam(), 1200),
             0.01);
}

// Without gravity v' = v - a h v^2, which for small h is v0 / (1 + v0 t a).
double velocity_left(const Target& target, double frequency) {
  World world(target);
  const clothc_cloth_id cloth = world.add(loose_sheet(), still_air(frequency, 1 / frequency / 6));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {0, 5, 0, 0}));
  world.update(1 / 60.0f, 30);
  return world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[12].y;
}

TEST_P(PhysicsWind, a_sheet_that_coasts_face_on_slows_down_as_one_over_time) {
  const std::string row = "sheet coasting face-on, 5 m/s, 0.2 kg/m2, Cd 1";
  const double a = air / (2 * density), closed_form = 5 / (1 + 5 * 0.5 * a);
  double before = 0;
  for (const double frequency : {60.0, 120.0, 240.0, 480.0}) {
    double v = 5;
    for (int k = 0; k < frequency / 2; ++k) v -= a * v * v / frequency;
    const double measured = velocity_left(GetParam(), frequency);
    expect_row(GetParam(), row + at(frequency) + ": velocity of the scheme after 0.5 s [m/s]", v, measured, 0.001);
    const double error = std::fabs(measured - closed_form);
    if (before > 0) {
      EXPECT_NEAR(before / error, 2, 0.25) << "first order, at " << frequency;
    }
    before = error;
  }
  expect_row(GetParam(), row + at(960) + ": velocity after 0.5 s [m/s]", closed_form, velocity_left(GetParam(), 960),
             0.01);
}

// A coefficient c, used as a stiffness, acts at the same speed at every frequency as long as 1 - (1 - c)^(f h) is
// linear in h: Cd tends to -6 f ln(1 - c) from below.
TEST_P(PhysicsWind, a_small_drag_coefficient_means_the_same_drag_at_every_frequency) {
  for (const double frequency : {60.0, 120.0, 240.0}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = still_air(frequency, 0);
    parameters.drag_coefficient = 0.1f;
    const clothc_cloth_id cloth = world.add(loose_sheet(), parameters);
    world.set(cloth, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {0, 1, 0, 0}));
    world.update(static_cast<float>(1 / frequency));
    const double lost = 1 - static_cast<double>(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[12].y);
    expect_row(GetParam(), "drag coefficient 0.1" + at(frequency) + ": Cd", -60 * std::log(1 - 0.1),
               lost * frequency * 2 * density / air, 0.01);
  }
}

// Returns the change of velocity in one iteration at 60 Hz with k = 1/100 for a tilted sheet that moves at 2 m/s along
// y, as a fraction of the loss by drag on a sheet that faces the motion. All particles change alike, so one is
// returned.
Point tilted_change(const Target& target, double angle, double drag_part, double lift_part) {
  World world(target);
  Plan plan = loose_sheet();
  plan.points = tilted(plan.points, angle);
  const clothc_cloth_id cloth = world.add(plan, still_air(60, drag_part, lift_part));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {0, 2, 0, 0}));
  world.update(1 / 60.0f);
  const std::vector<Point> v = world.get(cloth, CLOTHC_CHANNEL_VELOCITY);
  for (const Point& p : v) {
    EXPECT_NEAR(p.x, v[0].x, 2e-5);
    EXPECT_NEAR(p.y, v[0].y, 2e-5);
  }
  const auto unit = static_cast<float>(3 * 0.01 * air / density * 4);
  return {v[12].x / unit, (v[12].y - 2) / unit, v[12].z / unit, 0};
}

std::string tilted_row(double degrees) {
  char text[64];
  std::snprintf(text, sizeof(text), "plate tilted by %g degrees: ", degrees);
  return text;
}

TEST_P(PhysicsWind, drag_is_against_the_motion_and_proportional_to_the_area_across_it) {
  for (const double degrees : {0.0, 30.0, 60.0, 85.0, 90.0, 120.0, 180.0}) {
    const double angle = degrees * pi / 180;
    const Point change = tilted_change(GetParam(), angle, 0.01, 0);
    const std::string row = tilted_row(degrees);
    expect_row(GetParam(), row + "drag / drag face-on", degrees == 90 ? 0 : std::fabs(std::cos(angle)),
               -static_cast<double>(change.y), 1e-5);
    EXPECT_NEAR(change.x, 0, 2e-5) << degrees;
    EXPECT_NEAR(change.z, 0, 2e-5) << degrees;
  }
}

// The lift formula contains sqrt(1 - cos^2) and a vector of length sin, so lift goes as cos sin^2. With the normal
// (-sin, cos, 0), the face that the air hits pushes the sheet along +x for angles up to 90 degrees, and along -x
// beyond.
TEST_P(PhysicsWind, lift_is_across_the_motion_and_goes_as_cos_sin_squared) {
  for (const double degrees : {0.0, 30.0, 54.7356, 80.0, 90.0, 120.0, 150.0, 180.0}) {
    const double angle = degrees * pi / 180;
    const Point change = tilted_change(GetParam(), angle, 0, 0.01);
    const double expected = std::cos(angle) * std::sin(angle) * std::sin(angle);
    const bool none = std::fabs(expected) < 1e-6;
    const std::string row = tilted_row(degrees);
    expect_row(GetParam(), row + "lift / drag face-on, equal coefficients", none ? 0 : expected, change.x, 1e-5);
    EXPECT_NEAR(change.y, 0, 2e-5) << degrees;
    EXPECT_NEAR(change.z, 0, 2e-5) << degrees;
  }
}

TEST_P(PhysicsWind, drag_is_proportional_to_the_density_of_the_air) {
  double lost[2];
  for (const int k : {0, 1}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = still_air(60, 0.001);
    parameters.fluid_density = k == 0 ? 0.5f : 3.5f;
    const clothc_cloth_id cloth = world.add(loose_sheet(), parameters);
    world.set(cloth, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {0, 2, 0, 0}));
    world.update(1 / 60.0f);
    lost[k] = 2 - static_cast<double>(world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[12].y);
  }
  EXPECT_NEAR(lost[1] / lost[0], 7, 7e-3);
}

TEST_P(PhysicsWind, which_way_round_triangles_are_wound_does_not_matter) {
  std::vector<Point> ends[2];
  for (const int k : {0, 1}) {
    World world(GetParam());
    Plan plan = sheet({});
    plan.points = tilted(plan.points, 0.7);
    if (k == 1) {
      for (size_t t = 0; t < plan.triangles.size(); t += 3) std::swap(plan.triangles[t + 1], plan.triangles[t + 2]);
    }
    clothc_cloth_parameters parameters = still_air(240, 0.001, 0.002);
    parameters.wind_velocity[0] = 3;
    const clothc_cloth_id cloth = world.add(plan, parameters);
    world.update(1 / 60.0f, 30);
    ends[k] = world.get(cloth);
    EXPECT_GT(ends[k][12].x, 0.05f);
  }
  for (size_t i = 0; i < ends[0].size(); ++i) {
    EXPECT_NEAR(ends[0][i].x, ends[1][i].x, 1e-5);
    EXPECT_NEAR(ends[0][i].y, ends[1][i].y, 1e-5);
    EXPECT_NEAR(ends[0][i].z, ends[1][i].z, 1e-5);
  }
}

// Only the motion relative to the air matters.
TEST_P(PhysicsWind, wind_on_a_sheet_at_rest_is_motion_through_still_air) {
  World world(GetParam());
  Plan plan = sheet({});
  plan.points = tilted(plan.points, 0.5);
  clothc_cloth_parameters parameters = still_air(240, 0.001, 0.002);
  const clothc_cloth_id moving = world.add(plan, parameters);
  world.set(moving, CLOTHC_CHANNEL_VELOCITY, std::vector<Point>(25, {-2, 1, 0.5f, 0}));
  const float wind[3] = {2, -1, -0.5f};
  std::copy(wind, wind + 3, parameters.wind_velocity);
  const clothc_cloth_id resting = world.add(plan, parameters);
  world.update(1 / 60.0f, 15);
  const std::vector<Point> a = world.get(moving), b = world.get(resting);
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i].x + 2 * 0.25, b[i].x, 2e-5);
    EXPECT_NEAR(a[i].y - 1 * 0.25, b[i].y, 2e-5);
    EXPECT_NEAR(a[i].z - 0.5 * 0.25, b[i].z, 2e-5);
  }
  EXPECT_GT(std::fabs(b[12].x - plan.points[12].x), 0.02f);
}

// A frame that carries the cloth along (linear inertia 0) through still air acts like a wind in the opposite direction.
TEST_P(PhysicsWind, a_frame_that_moves_through_still_air_feels_wind) {
  World world(GetParam());
  Plan plan = sheet({});
  plan.points = tilted(plan.points, 0.5);
  clothc_cloth_parameters parameters = still_air(256, 0.001, 0.002);
  fill(parameters.linear_inertia, 0);
  const clothc_cloth_id carried = world.add(plan, parameters);
  parameters.wind_velocity[0] = -4;
  const clothc_cloth_id resting = world.add(plan, parameters);
  auto frame = initialised<clothc_cloth_frame>();
  for (int k = 0; k < 16; ++k) {
    frame.translation[0] += 4 / 64.0f;
    world.set_frame(carried, frame);
    world.update(1 / 64.0f);
  }
  EXPECT_TRUE(same_bits(world.get(carried), world.get(resting)));
  EXPECT_LT(world.get(carried)[12].x, -0.02f);
}

// Gravity and wind act along the axes of the world. A resting frame changes only the coordinates, however it is turned.
TEST_P(PhysicsWind, a_turned_frame_changes_nothing_but_coordinates) {
  World world(GetParam());
  const Plan upright = sheet({});
  clothc_cloth_parameters parameters = still_air(240, 0.001, 0.002);
  parameters.gravity[1] = -9.81f;
  parameters.wind_velocity[0] = 3;
  parameters.wind_velocity[2] = -2;
  const clothc_cloth_id in_world = world.add(upright, parameters);
  const Vector3 turn = {0.9, -0.5, 0.4};
  Plan turned = upright;
  for (Point& p : turned.points) {
    const Vector3 local = rotated(turn * -1, {p.x, p.y, p.z});
    p = {static_cast<float>(local.x), static_cast<float>(local.y), static_cast<float>(local.z), p.w};
  }
  const clothc_cloth_id in_frame = world.add(turned, parameters);
  start_at(world, in_frame, {{}, turn});
  world.update(1 / 60.0f, 6);
  const std::vector<Point> a = world.get(in_world), b = world.get(in_frame);
  for (size_t i = 0; i < a.size(); ++i) {
    EXPECT_LT(length(rotated(turn, {b[i].x, b[i].y, b[i].z}) - Vector3{a[i].x, a[i].y, a[i].z}), 1e-5);
  }
  EXPECT_GT(std::fabs(a[12].x), 1e-3f);
}

}  // namespace
}  // namespace physics::wind_test
