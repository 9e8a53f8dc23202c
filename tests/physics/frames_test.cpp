// frames_test.cpp - a cloth in a moving frame. With all inertias 1 a free particle continues on its straight line
// through the world, and with smaller ones it is carried along. Centrifugal acceleration is w^2 r. Drag combined with
// equal damping slows the motion through the world.
#include <cmath>
#include <cstdio>
#include <functional>
#include <utility>

#include "physics/frame_motion.h"
#include "support/world.h"

namespace physics::physics_frames_test {
namespace {

using PhysicsFrames = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsFrames);

Plan one_particle(Point p) { return {{p}, {}, {}, 0, {}, {}}; }

Point local_velocity(World& world, clothc_cloth_id cloth) { return world.get(cloth, CLOTHC_CHANNEL_VELOCITY)[0]; }

// Position of a frame whose velocity changes back and forth from update to update.
Vector3 shaken(double t) { return {3 * t * t, std::sin(5 * t), t < 0.5 ? 2 * t : 2 - 2 * t}; }

// Returns a particle's largest distance from its straight line through the world during 1 s.
double distance_from_line_when_shaken(const Target& target, float frequency) {
  World world(target);
  const clothc_cloth_id cloth = world.add(one_particle({0.5f, 0, -0.25f, 1}), plain_parameters(frequency));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{1, -0.5f, 2, 0}});
  double worst = 0;
  for (int k = 1; k <= 60; ++k) {
    const Vector3 p = shaken(k / 60.0);
    world.set_frame(cloth, frame_at({p, {}}));
    world.update(1 / 60.0f);
    const Point x = world.get(cloth)[0];
    const Vector3 expected = Vector3{0.5, 0, -0.25} + Vector3{1, -0.5, 2} * (k / 60.0) - p;
    worst = std::fmax(worst, length(Vector3{x.x, x.y, x.z} - expected));
  }
  return worst;
}

// The motion is exact except for rounding errors, which grow as (steps)^1.5.
TEST_P(PhysicsFrames, an_accelerating_frame_leaves_a_free_particle_on_its_way) {
  const std::string row = "free particle, accelerating frame, 1 s at ";
  const std::string what = " Hz: largest distance from its straight line through the world [m]";
  expect_row(GetParam(), row + "60" + what, 0, distance_from_line_when_shaken(GetParam(), 60), 1e-4);
  expect_row(GetParam(), row + "240" + what, 0, distance_from_line_when_shaken(GetParam(), 240), 1e-3);
}

// All numbers are exact in binary, so nothing is rounded and the line is kept to the bit.
TEST_P(PhysicsFrames, an_acceleration_exact_in_binary_is_felt_exactly) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(one_particle({0.5f, 0, 0, 1}), plain_parameters(256));
  for (int k = 1; k <= 32; ++k) {
    const double t = k / 64.0;
    world.set_frame(cloth, frame_at({{2 * t * t, k < 16 ? t : 0.5 - t, 0}, {}}));
    world.update(1 / 64.0f);
    EXPECT_EQ(world.get(cloth)[0].x, static_cast<float>(0.5 - 2 * t * t));
    EXPECT_EQ(world.get(cloth)[0].y, static_cast<float>(k < 16 ? -t : t - 0.5));
  }
}

TEST_P(PhysicsFrames, without_linear_inertia_the_cloth_follows_the_frame_rigidly) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  fill(parameters.linear_inertia, 0);
  parameters.gravity[1] = -9.81f;
  const clothc_cloth_id carried = world.add(sheet({}), parameters);
  const clothc_cloth_id resting = world.add(sheet({}), parameters);
  for (int k = 1; k <= 20; ++k) {
    world.set_frame(carried, frame_at({shaken(k / 60.0), {}}));
    world.update(1 / 60.0f);
    EXPECT_TRUE(same_bits(world.get(carried), world.get(resting)));
  }
  EXPECT_LT(world.get(carried)[12].y, -0.5f);
}

TEST_P(PhysicsFrames, linear_inertia_is_the_part_of_the_acceleration_felt_per_axis) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.linear_inertia[0] = 0.25f;
  parameters.linear_inertia[1] = 0.5f;
  const clothc_cloth_id cloth = world.add(one_particle({0, 0, 0, 1}), parameters);
  for (int k = 1; k <= 30; ++k) {
    const double t = k / 60.0;
    world.set_frame(cloth, frame_at({{2 * t, 3 * t, -4 * t}, {}}));
    world.update(1 / 60.0f);
  }
  const Point v = local_velocity(world, cloth);
  EXPECT_NEAR(v.x, -0.25 * 2, 1e-3);
  EXPECT_NEAR(v.y, -0.5 * 3, 1e-3);
  EXPECT_NEAR(v.z, 4, 1e-3);
  EXPECT_NEAR(world.get(cloth)[0].z, 4 * 0.5, 1e-4);
}

// The axes of linear inertia are those of the world, even if the frame is turned.
TEST_P(PhysicsFrames, linear_inertia_is_along_the_axes_of_the_world) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.linear_inertia[1] = parameters.linear_inertia[2] = 0;
  const clothc_cloth_id cloth = world.add(one_particle({0, 0, 0, 1}), parameters);
  const Vector3 quarter = {0, 0, std::acos(0.0)};
  start_at(world, cloth, {{}, quarter});
  world.set_frame(cloth, frame_at({{1 / 60.0, 1 / 60.0, 1 / 60.0}, quarter}));
  world.update(1 / 60.0f);
  // The world's -x is the frame's +y.
  const Point v = local_velocity(world, cloth);
  EXPECT_NEAR(v.x, 0, 1e-4);
  EXPECT_NEAR(v.y, 1, 1e-4);
  EXPECT_NEAR(v.z, 0, 1e-4);
}

// Returns the distance of a particle from its straight line after one second. Its velocity in the world is (1, 0, 0.5),
// and it is simulated in a frame that first stands still and then has the rotation vector turn(time).
template <class Turn>
double distance_from_line(const Target& target, int updates, int iterations, Turn turn) {
  World world(target);
  const clothc_cloth_parameters parameters = plain_parameters(static_cast<float>(updates * iterations));
  const clothc_cloth_id cloth = world.add(one_particle({1, 0.25f, 0, 1}), parameters);
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{1, 0, 0.5f, 0}});
  for (int k = 1; k <= updates; ++k) {
    world.set_frame(cloth, frame_at({{}, turn(static_cast<double>(k) / updates)}));
    world.update(1 / static_cast<float>(updates));
  }
  const Point p = world.get(cloth)[0];
  return length(rotated(turn(1), {p.x, p.y, p.z}) - Vector3{2, 0.25, 0.5});
}

// The scheme is exact with one iteration per update. With more, its error is of first order in the update's time step.
TEST_P(PhysicsFrames, a_turning_frame_leaves_a_free_particle_near_its_straight_line) {
  const std::vector<std::pair<std::string, std::function<Vector3(double)>>> turns = {{"2 rad/s",
                                                                                      [](double t) {
                                                                                        return Vector3{0, 2 * t, 0};
                                                                                      }},
                                                                                     {"2 t rad/s", [](double t) {
                                                                                        return Vector3{0, t * t, 0};
                                                                                      }}};
  for (const auto& [name, turn] : turns) {
    const std::string row = "free particle, frame turning at " + name + ", 1 s, ";
    const std::string what = ": distance from its straight line through the world [m]";
    expect_row(GetParam(), row + "60 updates of 1 iteration" + what, 0, distance_from_line(GetParam(), 60, 1, turn),
               1e-4);
    expect_at_most(GetParam(), row + "60 updates of 4 iterations" + what, name == "2 rad/s" ? 0.012 : 0.025,
                   distance_from_line(GetParam(), 60, 4, turn));
    const double error_10 = distance_from_line(GetParam(), 10, 4, turn);
    const double error_20 = distance_from_line(GetParam(), 20, 4, turn);
    const double error_40 = distance_from_line(GetParam(), 40, 4, turn);
    EXPECT_NEAR(error_10 / error_20, 2, 0.2) << name;
    EXPECT_NEAR(error_20 / error_40, 2, 0.2) << name;
  }
}

// A mass on a thread of 0.5 m that hangs 1 m from the axis of a turning frame. It is at rest where tan(angle) = w^2 r /
// g.
struct Pendulum {
  // Rotation speed in rad/s.
  double spin;
  float frequency;

  // Inertias.
  float centrifugal = 1, angular = 1;

  // Measured angle.
  double angle = 0;
  clothc_cloth_id cloth = 0;
};

void swing(const Target& target, std::vector<Pendulum>& pendulums) {
  World world(target);
  const Plan plan = {{{1, 0, 0, 0}, {1, -0.5f, 0, 1}}, {{{0, 1, 0.5f}}}, {}, 0, {}, {}};
  for (Pendulum& pendulum : pendulums) {
    clothc_cloth_parameters parameters = plain_parameters(pendulum.frequency);
    parameters.stiffness_frequency = 100000;
    parameters.gravity[1] = -9.81f;
    // 99.3 % per second.
    fill(parameters.damping, 5e-5f);
    fill(parameters.centrifugal_inertia, pendulum.centrifugal);
    fill(parameters.angular_inertia, pendulum.angular);
    pendulum.cloth = world.add(plan, parameters);
  }
  for (int k = 1; k <= 300; ++k) {
    for (const Pendulum& pendulum : pendulums) {
      world.set_frame(pendulum.cloth, frame_at({{}, {0, pendulum.spin * k / 60.0, 0}}));
    }
    world.update(1 / 60.0f);
  }
  for (Pendulum& pendulum : pendulums) {
    const Point p = world.get(pendulum.cloth)[1];
    pendulum.angle = std::atan2(p.x - 1, -p.y);
  }
}

// Returns the angle if the given part of the centrifugal acceleration is felt.
double expected_lean(double spin, double part) {
  double angle = 0;
  for (int k = 0; k < 1000; ++k) angle = std::atan(part * spin * spin * (1 + 0.5 * std::sin(angle)) / 9.81);
  return angle;
}

// The matrices of turning frames nearly cancel. Rounding leaves an error of 1e-7/h^2 m/s2 per m, which is 0.6 % of this
// w^2 r at 240 Hz.
TEST_P(PhysicsFrames, a_pendulum_in_a_turning_frame_leans_outward) {
  std::vector<Pendulum> pendulums = {{1, 60}, {2, 60}, {3, 60}, {1, 240}, {2, 240}, {3, 240}};
  swing(GetParam(), pendulums);
  for (const Pendulum& pendulum : pendulums) {
    char row[128];
    std::snprintf(row, sizeof(row), "pendulum 1 m from the axis of a frame turning at %g rad/s, %g Hz: angle [rad]",
                  pendulum.spin, static_cast<double>(pendulum.frequency));
    expect_row(GetParam(), row, expected_lean(pendulum.spin, 1), pendulum.angle,
               pendulum.frequency == 60 ? 0.005 : 0.02);
  }
}

// In the scheme of the recorded trajectories, angular inertia contributes 1 / 2n of the centrifugal acceleration if an
// update has n iterations, and centrifugal inertia contributes the rest. Without both, a pendulum hangs straight down.
TEST_P(PhysicsFrames, centrifugal_inertia_is_the_part_felt_but_for_that_of_angular_inertia) {
  std::vector<Pendulum> pendulums;
  for (const float frequency : {60.0f, 240.0f}) {
    for (const float centrifugal : {0.0f, 0.5f}) {
      for (const float angular : {0.0f, 1.0f}) pendulums.push_back({2, frequency, centrifugal, angular});
    }
  }
  swing(GetParam(), pendulums);
  for (const Pendulum& pendulum : pendulums) {
    const double of_angular = 30 / static_cast<double>(pendulum.frequency);
    const double part = static_cast<double>(pendulum.centrifugal) * (1 - of_angular) +
                        static_cast<double>(pendulum.angular) * of_angular;
    EXPECT_NEAR(pendulum.angle, expected_lean(2, part), part > 0 ? 0.01 : 0)
        << pendulum.frequency << " Hz, centrifugal inertia " << pendulum.centrifugal << ", angular inertia "
        << pendulum.angular;
  }
}

std::string at(float frequency) { return " at " + std::to_string(static_cast<int>(frequency)) + " Hz"; }

// If damping equals drag, the part of the motion through the world that is left is (1 - c)^(stiffness_frequency t).
TEST_P(PhysicsFrames, linear_drag_with_damping_slows_the_motion_through_the_world) {
  for (const float frequency : {60.0f, 120.0f, 240.0f}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = plain_parameters(frequency);
    parameters.stiffness_frequency = 10;
    // At first the frame carries the cloth along.
    fill(parameters.linear_inertia, 0);
    fill(parameters.damping, 0.2f);
    fill(parameters.linear_drag, 0.2f);
    const clothc_cloth_id cloth = world.add(one_particle({0, 0, 0, 1}), parameters);
    for (int k = 1; k <= 30; ++k) {
      world.set_frame(cloth, frame_at({{2 * k / 60.0, 0, 0}, {}}));
      world.update(1 / 60.0f);
    }
    expect_row(GetParam(), "linear drag and damping 0.2, 0.5 s" + at(frequency) + ": velocity through the world kept",
               std::pow(0.8, 5), 1 + static_cast<double>(local_velocity(world, cloth).x) / 2, 0.01);
  }
}

TEST_P(PhysicsFrames, linear_drag_alone_takes_its_part_of_the_frames_velocity_every_iteration) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.stiffness_frequency = 10;
  parameters.linear_drag[0] = 0.1f;
  fill(parameters.linear_inertia, 0);
  const clothc_cloth_id cloth = world.add(one_particle({0, 0, 0, 1}), parameters);
  for (int k = 1; k <= 30; ++k) {
    world.set_frame(cloth, frame_at({{2 * k / 60.0, 3 * k / 60.0, 0}, {}}));
    world.update(1 / 60.0f);
  }
  EXPECT_NEAR(local_velocity(world, cloth).x, -2 * 120 * (1 - std::pow(0.9, 10 / 240.0)), 1e-3);
  EXPECT_EQ(local_velocity(world, cloth).y, 0);
}

// A particle that turns with its frame at 1 m is released. Its velocity through the world, w r at first, keeps its
// direction while drag and damping slow it down.
TEST_P(PhysicsFrames, angular_drag_with_damping_slows_the_motion_through_the_world) {
  for (const float frequency : {60.0f, 120.0f, 240.0f}) {
    World world(GetParam());
    clothc_cloth_parameters parameters = plain_parameters(frequency);
    parameters.stiffness_frequency = 10;
    fill(parameters.angular_inertia, 0);
    fill(parameters.centrifugal_inertia, 0);
    const clothc_cloth_id cloth = world.add(one_particle({1, 0, 0, 1}), parameters);
    const auto turn = [](double k) { return Vector3{0, 0, 1.5 * k / 60.0}; };
    start_at(world, cloth, {{}, turn(-1)});
    world.set_frame(cloth, frame_at({{}, turn(0)}));
    world.update(1 / 60.0f);
    fill(parameters.angular_inertia, 1);
    fill(parameters.centrifugal_inertia, 1);
    fill(parameters.damping, 0.2f);
    fill(parameters.angular_drag, 0.2f);
    world.set_parameters(cloth, parameters);
    for (int k = 1; k <= 30; ++k) {
      world.set_frame(cloth, frame_at({{}, turn(k)}));
      world.update(1 / 60.0f);
    }
    const Point p = world.get(cloth)[0], q = world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION)[0];
    const double h = 1 / static_cast<double>(frequency);
    const Vector3 through_world =
        (rotated(turn(30), {p.x, p.y, p.z}) - rotated(turn(30 - 60 * h), {q.x, q.y, q.z})) * (1 / h);
    expect_row(GetParam(), "angular drag and damping 0.2, 0.5 s" + at(frequency) + ": velocity through the world kept",
               std::pow(0.8, 5), through_world.y / 1.5, 0.01);
  }
}

}  // namespace
}  // namespace physics::physics_frames_test
