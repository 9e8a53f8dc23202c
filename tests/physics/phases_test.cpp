// phases_test.cpp - single distance constraints compared with the formula for one correction: the error e = 1 - rest /
// length, of which the part k is removed, shared by inverse mass.
#include <cmath>

#include "support/world.h"

namespace physics::phases_test {
namespace {

using PhysicsPhases = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsPhases);

constexpr float dt = 1 / 60.0f;

// Returns parameters with one iteration per update and stiffness stated per iteration: rate(c) = c.
clothc_cloth_parameters one_iteration() {
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.stiffness_frequency = 60;
  return parameters;
}

// Makes a pinned particle at 0 and a free one at x = length, joined by links with the given rest lengths, one phase
// each.
Plan pair(float length, const std::vector<float>& rests) {
  Plan plan = {{{0, 0, 0, 0}, {length, 0, 0, 1}}, {}, {}, 0, {}, {}};
  for (const float rest : rests) plan.phases.push_back({{0, 1, rest}});
  return plan;
}

double length_after_one(const Target& target, const Plan& plan, const std::vector<clothc_phase_config>& phases = {}) {
  World world(target);
  const clothc_cloth_id cloth = world.add(plan, one_iteration(), phases);
  world.update(dt);
  return static_cast<double>(world.get(cloth)[1].x);
}

TEST_P(PhysicsPhases, an_iteration_removes_the_part_of_the_error_that_stiffness_says) {
  for (const float stiffness : {0.1f, 0.5f, 0.9f, 1.0f}) {
    EXPECT_NEAR(length_after_one(GetParam(), pair(1.5f, {1}), {phase_config(0, stiffness)}),
                1.5 - 0.5 * static_cast<double>(stiffness), 2e-6);
    EXPECT_NEAR(length_after_one(GetParam(), pair(0.6f, {1}), {phase_config(0, stiffness)}),
                0.6 + 0.4 * static_cast<double>(stiffness), 2e-6);
  }
}

TEST_P(PhysicsPhases, ends_share_a_correction_by_inverse_mass) {
  World world(GetParam());
  const Plan plan = {{{0, 0, 0, 3}, {2, 0, 0, 1}}, {{{0, 1, 1}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, one_iteration());
  world.update(dt);
  EXPECT_NEAR(world.get(cloth)[0].x, 0.75, 1e-6);
  EXPECT_NEAR(world.get(cloth)[1].x, 1.75, 1e-6);
}

// This holds whatever the rest of the config says. Stiffness per constraint applies only to other constraints.
TEST_P(PhysicsPhases, long_range_constraints_pull_and_never_push) {
  for (const bool has_stiffness : {false, true}) {
    const auto long_range = [&](float length, float rest) {
      Plan plan = pair(length, {rest});
      plan.phase_types = {CLOTHC_PHASE_LONG_RANGE};
      if (has_stiffness) plan.stiffness = {0.125f};
      return plan;
    };
    clothc_phase_config config = phase_config(0, 0.5f);
    config.stiffness_multiplier = 0.25f;
    config.compression_limit = 0.5f, config.stretch_limit = 2;
    EXPECT_NEAR(length_after_one(GetParam(), long_range(1.5f, 1), {config}), 1.25, 1e-6);
    EXPECT_NEAR(length_after_one(GetParam(), long_range(1.001f, 1), {config}), 1.0005, 1e-6);
    EXPECT_EQ(length_after_one(GetParam(), long_range(1, 1), {config}), 1);
    EXPECT_EQ(length_after_one(GetParam(), long_range(0.25f, 1), {config}), 0.25);
    EXPECT_EQ(length_after_one(GetParam(), long_range(2, 0), {config}), 2) << "without a length";
  }
}

// The part clamp(e, 1 - 1/c, 1 - 1/s) of the error is corrected only by m, and the rest is corrected fully.
TEST_P(PhysicsPhases, the_multiplier_softens_the_error_between_the_limits) {
  clothc_phase_config config = phase_config(0);
  config.stiffness_multiplier = 0.25f;
  config.compression_limit = 0.8f;
  config.stretch_limit = 1.25f;
  for (const float length : {0.5f, 0.8f, 0.9f, 1.0f, 1.1f, 1.25f, 2.0f}) {
    const double x = static_cast<double>(length);
    const double error = 1 - 1 / x;
    const double soft = std::fmax(1 - 1 / 0.8, std::fmin(error, 1 - 1 / 1.25));
    const double corrected = error - (1 - 0.25) * soft;
    EXPECT_NEAR(length_after_one(GetParam(), pair(length, {1}), {config}), x - corrected * x, 3e-6) << length;
  }
}

TEST_P(PhysicsPhases, the_multiplier_is_stated_per_stiffness_period) {
  World world(GetParam());
  clothc_cloth_parameters parameters = plain_parameters(240);
  // An iteration lasts half a period, so m^(1/2) = 0.5.
  parameters.stiffness_frequency = 120;
  clothc_phase_config config = phase_config(0);
  config.stiffness_multiplier = 0.25f;
  config.stretch_limit = 100;
  const clothc_cloth_id cloth = world.add(pair(2, {1}), parameters, {config});
  world.update(1 / 240.0f);
  EXPECT_NEAR(world.get(cloth)[1].x, 2 - 0.5 * 0.5 * 2, 3e-6);
}

TEST_P(PhysicsPhases, a_constraint_of_its_own_stiffness_ignores_that_of_its_phase) {
  Plan plan = pair(2, {1});
  plan.stiffness = {0.3f};
  EXPECT_NEAR(length_after_one(GetParam(), plan, {phase_config(0, 0.9f)}), 2 - 0.3, 2e-6);
  plan.stiffness = {0};
  EXPECT_EQ(length_after_one(GetParam(), plan), 2);
}

TEST_P(PhysicsPhases, limits_hold_for_constraints_of_their_own_stiffness_too) {
  Plan plan = pair(2, {1});
  plan.stiffness = {0.5f};
  clothc_phase_config config = phase_config(0);
  config.stiffness_multiplier = 0;
  config.stretch_limit = 1.25f;
  EXPECT_NEAR(length_after_one(GetParam(), plan, {config}), 2 - 2 * 0.5 * (0.5 - 0.2), 3e-6);
}

TEST_P(PhysicsPhases, a_rest_length_of_zero_is_ignored) { EXPECT_EQ(length_after_one(GetParam(), pair(2, {0})), 2); }

TEST_P(PhysicsPhases, a_phase_of_stiffness_zero_is_not_solved) {
  EXPECT_EQ(length_after_one(GetParam(), pair(2, {1}), {phase_config(0, 0)}), 2);
}

TEST_P(PhysicsPhases, phases_are_solved_in_the_order_they_are_listed) {
  const Plan plan = pair(2, {1, 3});
  EXPECT_NEAR(length_after_one(GetParam(), plan, {phase_config(0, 0.999999f), phase_config(1, 0.999999f)}), 3, 1e-4);
  EXPECT_NEAR(length_after_one(GetParam(), plan, {phase_config(1, 0.999999f), phase_config(0, 0.999999f)}), 1, 1e-4);
}

TEST_P(PhysicsPhases, a_phase_listed_twice_is_solved_twice_and_one_not_listed_is_not) {
  const Plan plan = pair(2, {1, 5});
  EXPECT_NEAR(length_after_one(GetParam(), plan, {phase_config(0, 0.5f), phase_config(0, 0.5f)}), 1.25, 2e-6);
}

// Particle 0 is pinned, 1 and 2 are free in a row. Solving (0 1) moves particle 1 before (1 2) reads it.
TEST_P(PhysicsPhases, a_set_whose_constraints_share_particles_is_solved_in_order) {
  World world(GetParam());
  const Plan plan = {{{0, 0, 0, 0}, {2, 0, 0, 1}, {4, 0, 0, 1}}, {{{0, 1, 1}, {1, 2, 1}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, one_iteration());
  world.update(dt);
  EXPECT_NEAR(world.get(cloth)[1].x, 1 + 1, 2e-6);
  EXPECT_NEAR(world.get(cloth)[2].x, 4 - 1, 2e-6);
}

TEST_P(PhysicsPhases, two_pinned_ends_stay_where_they_are) {
  World world(GetParam());
  const Plan plan = {{{0, 0, 0, 0}, {2, 0, 0, 0}}, {{{0, 1, 1}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, one_iteration());
  world.update(dt, 5);
  EXPECT_EQ(world.get(cloth)[0].x, 0);
  EXPECT_EQ(world.get(cloth)[1].x, 2);
}

}  // namespace
}  // namespace physics::phases_test
