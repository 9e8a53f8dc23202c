// friction_test.cpp - Coulomb's law on a ramp: a sheet stays at rest below the angle atan(mu) and accelerates by g (sin
// - mu cos) above it. A sheet that is held does not move at all. With NvCloth's smoothing, friction acts on velocities
// only, so the sheet creeps by the distance g h^2 sin that gravity moves it in an iteration.
#include <cmath>

#include "support/world.h"

namespace physics::friction_test {
namespace {

using PhysicsFriction = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsFriction);

constexpr double g = 9.81;
constexpr double h = 1 / 240.0;
const double degree = std::acos(-1.0) / 180;

struct Slide {
  // In m/s after 1 s and after 2 s.
  double speed[2];

  // Distance in m after 1 s and after 2 s.
  double way[2];
};

// Runs a sheet of 4 x 4 particles with unequal masses that lies on a plane sloping down towards +x.
Slide slide(const Target& target, double angle, float friction, float smoothing = 0) {
  World world(target);
  const double sine = std::sin(angle), cosine = std::cos(angle);
  Shapes ramp;
  ramp.planes = {{static_cast<float>(sine), static_cast<float>(cosine), 0, 0}};
  Plan plan;
  plan.phases.resize(2);
  const float spacing = 0.125f;
  for (uint32_t i = 0; i < 16; ++i) {
    const double along = static_cast<double>(spacing) * static_cast<double>(i % 4);
    plan.points.push_back({static_cast<float>(along * cosine), static_cast<float>(-along * sine),
                           spacing * static_cast<float>(i / 4), 1.0f + static_cast<float>(i % 3)});
    if (i % 4 != 3) plan.phases[0].push_back({i, i + 1, spacing});
    if (i < 12) plan.phases[1].push_back({i, i + 4, spacing});
  }
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = 240;
  parameters.friction = friction;
  parameters.friction_smoothing = smoothing;
  const clothc_cloth_id cloth = world.add(plan, parameters, {}, {world.add_colliders(ramp)});
  const auto mean_along = [&](clothc_channel channel) {
    double sum = 0;
    for (const Point& p : world.get(cloth, channel)) {
      sum += (static_cast<double>(p.x) * cosine - static_cast<double>(p.y) * sine) / 16;
    }
    return sum;
  };
  const double start = mean_along(CLOTHC_CHANNEL_POSITION);
  Slide result = {};
  for (int second = 0; second < 2; ++second) {
    world.update(1 / 60.0f, 60);
    result.speed[second] = mean_along(CLOTHC_CHANNEL_VELOCITY);
    result.way[second] = mean_along(CLOTHC_CHANNEL_POSITION) - start;
  }
  return result;
}

TEST_P(PhysicsFriction, a_sheet_on_a_ramp_slides_above_the_angle_of_friction_and_not_below) {
  for (const float friction : {0.1f, 0.3f, 0.5f}) {
    const double critical = std::atan(static_cast<double>(friction));
    const Slide below = slide(GetParam(), critical - 0.25 * degree, friction);
    const Slide above = slide(GetParam(), critical + 0.25 * degree, friction);
    const std::string name = "friction ramp, mu " + std::to_string(friction).substr(0, 3);
    EXPECT_NEAR(below.speed[1], 0, 1e-5);
    expect_at_most(GetParam(), name + ", 0.25 degrees below atan(mu): creep [m/s]", 1e-6,
                   std::abs(below.way[1] - below.way[0]));
    const double expected = g * std::sin(0.25 * degree) / std::cos(critical);
    expect_row(GetParam(), name + ", 0.25 degrees above: acceleration [m/s2]", expected,
               above.speed[1] - above.speed[0], 0.1);
  }
}

// The smoothing is about a tenth of the depth, since gravity presses the sheet at most 1.6e-4 m into the plane in an
// iteration.
TEST_P(PhysicsFriction, a_sheet_creeps_with_a_smoothing_as_nvcloth_does) {
  const double angle = std::atan(0.3) / 2;
  const Slide below = slide(GetParam(), angle, 0.3f, 1e-5f);
  EXPECT_NEAR(below.speed[1], 0, 1e-3);
  expect_row(GetParam(), "friction ramp, mu 0.3, smoothing 1e-5 m, half the angle: creep, g h sin [m/s]",
             g * h * std::sin(angle), below.way[1] - below.way[0], 0.02);
}

TEST_P(PhysicsFriction, a_sheet_accelerates_down_a_ramp_as_coulomb_says) {
  const Slide down = slide(GetParam(), 30 * degree, 0.3f);
  expect_row(GetParam(), "friction ramp, 30 degrees, mu 0.3: acceleration [m/s2]",
             g * (std::sin(30 * degree) - 0.3 * std::cos(30 * degree)), down.speed[1] - down.speed[0], 0.01);
}

}  // namespace
}  // namespace physics::friction_test
