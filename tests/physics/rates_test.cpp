// rates_test.cpp - stiffness acts at the same speed at every solver frequency: after t seconds the part (1 - c)^(f t)
// of an error is left, where f is the stiffness frequency. Velocities are cleared after each update, so that only the
// constraint acts. The row for damping is in integrate_test.cpp.
#include <cmath>
#include <functional>

#include "support/world.h"

namespace physics::rates_test {
namespace {

using PhysicsRates = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsRates);

constexpr float stiffness = 0.1f;

clothc_cloth_parameters slow_parameters(float frequency) {
  clothc_cloth_parameters parameters = plain_parameters(frequency);
  parameters.stiffness_frequency = 10;
  parameters.tether_stiffness = stiffness;
  parameters.motion_constraint_stiffness = stiffness;
  return parameters;
}

// Returns the part that is left, after half a second, of an excess of 1 m over 1 m.
double left_after(const Target& target, float frequency, const Plan& plan,
                  const std::function<void(World&, clothc_cloth_id)>& begin) {
  World world(target);
  std::vector<clothc_phase_config> phases;
  if (!plan.phases.empty()) phases = {phase_config(0, stiffness)};
  const clothc_cloth_id cloth = world.add(plan, slow_parameters(frequency), phases);
  begin(world, cloth);
  for (int k = 0; k < static_cast<int>(frequency) / 2; ++k) {
    world.update(1 / frequency);
    world.set(cloth, CLOTHC_CHANNEL_POSITION, world.get(cloth), CLOTHC_SET_AT_REST);
  }
  return static_cast<double>(world.get(cloth)[1].x) - 1;
}

TEST_P(PhysicsRates, stiffness_acts_at_the_same_speed_at_every_solver_frequency) {
  const std::vector<Point> points = {{0, 0, 0, 0}, {2, 0, 0, 1}};
  const double expected = std::pow(1 - static_cast<double>(stiffness), 10 * 0.5);
  const auto nothing = [](World&, clothc_cloth_id) {};
  for (const float frequency : {60.0f, 120.0f, 240.0f}) {
    const std::string where =
        " stiffness 0.1, 0.5 s at " + std::to_string(static_cast<int>(frequency)) + " Hz: error left";
    expect_row(GetParam(), "phase" + where, expected,
               left_after(GetParam(), frequency, {points, {{{0, 1, 1}}}, {}, 0, {}, {}}, nothing), 0.01);
    expect_row(GetParam(), "constraint's own" + where, expected,
               left_after(GetParam(), frequency, {points, {{{0, 1, 1}}}, {stiffness}, 0, {}, {}}, nothing), 0.01);
    expect_row(GetParam(), "tether" + where, expected,
               left_after(GetParam(), frequency, {points, {}, {}, 1, {0, 0}, {1, 1}}, nothing), 0.01);
    expect_row(GetParam(), "motion constraint" + where, expected,
               left_after(GetParam(), frequency, {points, {}, {}, 0, {}, {}},
                          [](World& world, clothc_cloth_id cloth) {
                            world.set(cloth, CLOTHC_CHANNEL_MOTION_CONSTRAINT, {{0, 0, 0, 0}, {0, 0, 0, 1}});
                          }),
               0.01);
  }
}

}  // namespace
}  // namespace physics::rates_test
