// statistics_test.cpp - the values in a cloth's status: kinetic energy and the largest stretch, and which of them, and of
// its bounds, an update computes. The values of bounds: integrate_test.cpp.
#include <algorithm>
#include <cmath>

#include "support/world.h"

namespace physics::statistics_test {
namespace {

using PhysicsStatistics = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsStatistics);

clothc_cloth_parameters with_statistics(float frequency, uint32_t statistics) {
  clothc_cloth_parameters parameters = plain_parameters(frequency);
  parameters.statistics = statistics;
  return parameters;
}

// Makes 20 x 20 particles with inverse masses of 1/4 to 4, every seventh pinned, without constraints.
Plan loose_particles() {
  SheetPlan wanted;
  wanted.n = 20;
  wanted.constrained = false;
  Plan plan = sheet(wanted);
  for (size_t i = 0; i < plan.points.size(); ++i) {
    plan.points[i].w = i % 7 == 3 ? 0 : 0.25f + static_cast<float>(i * 29 % 16) / 4;
  }
  return plan;
}

double mass_of(const Plan& plan) {
  double mass = 0;
  for (const Point& p : plan.points) mass += p.w > 0 ? 1 / static_cast<double>(p.w) : 0;
  return mass;
}

TEST_P(PhysicsStatistics, kinetic_energy_of_a_falling_sheet_is_half_m_g_squared_t_squared) {
  World world(GetParam());
  clothc_cloth_parameters parameters = with_statistics(60, CLOTHC_STATISTIC_KINETIC_ENERGY);
  parameters.gravity[1] = -9.81f;
  const Plan plan = loose_particles();
  const clothc_cloth_id cloth = world.add(plan, parameters);
  world.update(1 / 60.0f, 60);
  expect_row(GetParam(), "400 particles of 1/4 to 4 kg falling for 1 s: kinetic energy [J]",
             0.5 * mass_of(plan) * 9.81 * 9.81, world.status(cloth).kinetic_energy, 1e-4);
  EXPECT_EQ(world.status(cloth).largest_stretch, 0);
}

TEST_P(PhysicsStatistics, kinetic_energy_of_a_spinning_sheet_is_half_i_w_squared) {
  World world(GetParam());
  const Plan plan = loose_particles();
  const clothc_cloth_id cloth = world.add(plan, with_statistics(240, CLOTHC_STATISTIC_KINETIC_ENERGY));
  std::vector<Point> velocities;
  double inertia = 0;
  for (const Point& p : plan.points) {
    velocities.push_back({-5 * p.z, 0, 5 * p.x, 0});
    if (p.w > 0) inertia += (static_cast<double>(p.x) * p.x + static_cast<double>(p.z) * p.z) / p.w;
  }
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
  world.update(1 / 60.0f);
  expect_row(GetParam(), "400 particles of 1/4 to 4 kg turning at 5 rad/s: kinetic energy [J]", 0.5 * inertia * 25,
             world.status(cloth).kinetic_energy, 1e-4);
}

// The energy is that of the motion within the frame: a cloth that a frame at 1 m/s carries along has none.
TEST_P(PhysicsStatistics, kinetic_energy_is_of_the_motion_within_the_frame) {
  World world(GetParam());
  clothc_cloth_parameters parameters = with_statistics(256, CLOTHC_STATISTIC_KINETIC_ENERGY);
  const Plan plan = loose_particles();
  const clothc_cloth_id left_behind = world.add(plan, parameters);
  fill(parameters.linear_inertia, 0);
  const clothc_cloth_id carried = world.add(plan, parameters);
  auto frame = initialised<clothc_cloth_frame>();
  frame.translation[0] = 1 / 64.0f;
  for (const clothc_cloth_id cloth : {left_behind, carried}) world.set_frame(cloth, frame);
  world.update(1 / 64.0f);
  EXPECT_NEAR(world.status(left_behind).kinetic_energy, 0.5 * mass_of(plan), 1e-3 * mass_of(plan));
  EXPECT_EQ(world.status(carried).kinetic_energy, 0);
}

// Stretches a sheet along x and z and returns the reported stretch. Its phases are too soft to change the sizes.
double stretch_of(const Target& target, float along_x, float along_z, const std::vector<uint32_t>& phase_types,
                  const std::vector<uint32_t>& phases, float scale = 1) {
  World world(target);
  SheetPlan wanted;
  wanted.n = 20;
  Plan plan = sheet(wanted);
  plan.phase_types = phase_types;
  for (Point& p : plan.points) p = {p.x * along_x * scale, p.y, p.z * along_z * scale, p.w};
  for (std::vector<Link>& links : plan.phases) {
    for (Link& link : links) link.rest *= scale;
  }
  clothc_cloth_parameters parameters = with_statistics(60, CLOTHC_STATISTIC_STRETCH);
  parameters.stiffness_frequency = 1;
  std::vector<clothc_phase_config> configs;
  for (const uint32_t phase : phases) configs.push_back(phase_config(phase, 1e-6f));
  const clothc_cloth_id cloth = world.add(plan, parameters, configs);
  world.update(1 / 60.0f);
  EXPECT_EQ(world.status(cloth).kinetic_energy, 0);
  return world.status(cloth).largest_stretch;
}

TEST_P(PhysicsStatistics, largest_stretch_is_that_of_the_longest_constraint) {
  const std::vector<uint32_t> types = {CLOTHC_PHASE_STRETCH, CLOTHC_PHASE_STRETCH, CLOTHC_PHASE_SHEAR};
  expect_row(GetParam(), "sheet set to 1.1 times its rest along x: largest stretch", 0.1,
             stretch_of(GetParam(), 1.1f, 1, types, {0, 1, 2}), 1e-4);
  expect_row(GetParam(), "sheet set to 1.1 and 1.3 times its rest: largest stretch", 0.3,
             stretch_of(GetParam(), 1.1f, 1.3f, types, {0, 1, 2}), 1e-4);
  expect_row(GetParam(), "sheet set to 3 and 0.5 times its rest: largest stretch", 2,
             stretch_of(GetParam(), 3, 0.5f, types, {0, 1, 2}), 1e-4);
  expect_row(GetParam(), "sheet set to 0.9 and 0.8 times its rest: largest stretch", -0.1,
             stretch_of(GetParam(), 0.9f, 0.8f, types, {0, 1}), 1e-4);
}

TEST_P(PhysicsStatistics, only_the_phases_that_the_cloth_solves_count_and_bending_does_not) {
  const std::vector<uint32_t> types = {CLOTHC_PHASE_STRETCH, CLOTHC_PHASE_BEND, CLOTHC_PHASE_OTHER};
  EXPECT_NEAR(stretch_of(GetParam(), 1.1f, 1.3f, types, {0, 1}), 0.1, 1e-4);
  EXPECT_NEAR(stretch_of(GetParam(), 1.1f, 1.3f, types, {2, 0}), std::sqrt((1.21 + 1.69) / 2) - 1, 1e-4);
  EXPECT_EQ(stretch_of(GetParam(), 1.1f, 1.3f, types, {1}), 0);
  EXPECT_EQ(stretch_of(GetParam(), 1.1f, 1.3f, {CLOTHC_PHASE_OTHER, CLOTHC_PHASE_LONG_RANGE, CLOTHC_PHASE_OTHER}, {1}),
            0);
}

TEST_P(PhysicsStatistics, a_phase_of_stiffness_zero_is_not_solved_and_does_not_count) {
  World world(GetParam());
  Plan plan = {{{0, 0, 0, 1}, {1.5f, 0, 0, 1}, {0, 0, 1, 1}}, {{{0, 1, 1}}, {{0, 2, 1}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth =
      world.add(plan, with_statistics(60, CLOTHC_STATISTIC_STRETCH), {phase_config(0, 0), phase_config(1)});
  world.update(1 / 60.0f);
  EXPECT_NEAR(world.status(cloth).largest_stretch, 0, 1e-6);
}

TEST_P(PhysicsStatistics, a_cloth_without_constraints_or_of_pinned_particles_has_none) {
  World world(GetParam());
  const clothc_cloth_parameters parameters =
      with_statistics(60, CLOTHC_STATISTIC_STRETCH | CLOTHC_STATISTIC_KINETIC_ENERGY);
  const clothc_cloth_id loose = world.add({{{0, 0, 0, 1}}, {}, {}, 0, {}, {}}, parameters);
  const clothc_cloth_id pinned = world.add({{{0, 0, 0, 0}, {1, 0, 0, 0}}, {{{0, 1, 1}}}, {}, 0, {}, {}}, parameters);
  const clothc_cloth_id ignored = world.add({{{0, 0, 0, 1}, {1, 0, 0, 1}}, {{{0, 1, 0}}}, {}, 0, {}, {}}, parameters);
  world.update(1 / 60.0f, 2);
  for (const clothc_cloth_id cloth : {loose, pinned, ignored}) {
    EXPECT_EQ(world.status(cloth).largest_stretch, 0);
    EXPECT_EQ(world.status(cloth).kinetic_energy, 0);
  }
}

TEST_P(PhysicsStatistics, they_are_zero_unless_asked_for_and_change_nothing) {
  World world(GetParam());
  Plan plan = sheet({});
  plan.points[3].w = 0;
  clothc_cloth_parameters parameters = default_parameters();
  const clothc_cloth_id without = world.add(plan, parameters);
  parameters.statistics = CLOTHC_STATISTIC_STRETCH | CLOTHC_STATISTIC_KINETIC_ENERGY;
  const clothc_cloth_id with = world.add(plan, parameters);
  world.update(1 / 60.0f, 10);
  EXPECT_EQ(world.status(without).kinetic_energy, 0);
  EXPECT_EQ(world.status(without).largest_stretch, 0);
  EXPECT_GT(world.status(with).kinetic_energy, 0);
  EXPECT_GT(world.status(with).largest_stretch, 0);
  EXPECT_TRUE(same_bits(world.get(with), world.get(without)));
  parameters.statistics = CLOTHC_STATISTIC_STRETCH;
  world.set_parameters(with, parameters);
  world.update(1 / 60.0f);
  EXPECT_EQ(world.status(with).kinetic_energy, 0);
  EXPECT_GT(world.status(with).largest_stretch, 0);
}

bool has_bounds(const clothc_cloth_status& status) {
  return status.bounds_minimum[0] < status.bounds_maximum[0] && status.bounds_minimum[1] < status.bounds_maximum[1] &&
         status.bounds_minimum[2] < status.bounds_maximum[2];
}

bool has_no_bounds(const clothc_cloth_status& status) {
  const auto is_zero = [](float bound) { return bound == 0; };
  return std::all_of(status.bounds_minimum, status.bounds_minimum + 3, is_zero) &&
         std::all_of(status.bounds_maximum, status.bounds_maximum + 3, is_zero);
}

// Of 25 particles the results are combined in no level of the reduction, of 400 in one, and of 16,900 in two.
TEST_P(PhysicsStatistics, bounds_are_computed_if_anything_is_asked_for) {
  for (const uint32_t n : {5u, 20u, 130u}) {
    World world(GetParam());
    SheetPlan wanted;
    wanted.n = n;
    Plan plan = sheet(wanted);
    plan.points[3].w = 0;
    clothc_cloth_parameters parameters = default_parameters();
    EXPECT_EQ(parameters.statistics, uint32_t{CLOTHC_STATISTIC_BOUNDS});
    const clothc_cloth_id with = world.add(plan, parameters);
    parameters.statistics = 0;
    const clothc_cloth_id without = world.add(plan, parameters);
    world.update(1 / 60.0f, 2);
    EXPECT_TRUE(has_bounds(world.status(with)));
    EXPECT_TRUE(has_no_bounds(world.status(without)));
    EXPECT_TRUE(same_bits(world.get(with), world.get(without)));
    parameters.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY;
    world.set_parameters(without, parameters);
    world.update(1 / 60.0f);
    EXPECT_TRUE(has_bounds(world.status(without)));
    EXPECT_EQ(world.status(with).bounds_minimum[1], world.status(without).bounds_minimum[1]);
    parameters.statistics = 0;
    world.set_parameters(with, parameters);
    world.update(1 / 60.0f);
    EXPECT_TRUE(has_no_bounds(world.status(with)));
    EXPECT_TRUE(same_bits(world.get(with), world.get(without)));
  }
}

// Particles of 60 cloths, in a lattice so narrow that each is pushed by several others, after a first update in which the
// cloths pass through each other and a second one in which they collide. They are added in another order than they lie.
std::vector<Point> pushed_apart(const Target& target, uint32_t statistics) {
  World world(target, 64);
  clothc_cloth_parameters parameters = with_statistics(60, statistics);
  std::vector<clothc_cloth_id> cloths;
  for (uint32_t k = 0; k < 60; ++k) {
    const uint32_t place = k * 37 % 60;
    const auto at = [](uint32_t row, uint32_t column) {
      return 0.09f * static_cast<float>(row) + 0.001f * static_cast<float>(column * column);
    };
    const Point point = {at(place % 5, place % 7), at(place / 5 % 4, place % 3), at(place / 20, place % 4), 1};
    cloths.push_back(world.add({{point}, {}, {}, 0, {}, {}}, parameters));
  }
  world.update(1 / 60.0f);
  parameters.inter_collision_distance = 0.1f;
  for (const clothc_cloth_id cloth : cloths) world.set_parameters(cloth, parameters);
  world.update(1 / 60.0f);
  EXPECT_EQ(has_no_bounds(world.status(cloths.back())), statistics == 0);
  std::vector<Point> points;
  for (const clothc_cloth_id cloth : cloths) points.push_back(world.get(cloth)[0]);
  return points;
}

// More cloths than a node of a BVH holds are sorted, and the order of sums with them. Statistics are not part of the state,
// so the order must not depend on them.
TEST_P(PhysicsStatistics, cloths_push_each_other_alike_with_bounds_and_without) {
  const std::vector<Point> with = pushed_apart(GetParam(), CLOTHC_STATISTIC_BOUNDS);
  EXPECT_TRUE(same_bits(with, pushed_apart(GetParam(), 0)));
  EXPECT_TRUE(same_bits(with, pushed_apart(cpu_target, 0)));
}

// Sums are computed in the same order on every target.
std::vector<float> statistics_of(const Target& target) {
  World world(target);
  std::vector<float> found;
  for (const uint32_t n : {3u, 20u, 70u}) {
    SheetPlan wanted;
    wanted.n = n;
    Plan plan = sheet(wanted);
    plan.points[n / 2].w = 0;
    clothc_cloth_parameters parameters = default_parameters();
    parameters.statistics = CLOTHC_STATISTIC_STRETCH | CLOTHC_STATISTIC_KINETIC_ENERGY;
    const clothc_cloth_id cloth = world.add(plan, parameters);
    world.update(1 / 60.0f, 3);
    found.insert(found.end(), {world.status(cloth).kinetic_energy, world.status(cloth).largest_stretch});
  }
  return found;
}

TEST_P(PhysicsStatistics, they_are_the_same_bits_on_every_device_and_schedule) {
  EXPECT_EQ(statistics_of(GetParam()), statistics_of(cpu_target));
}

}  // namespace
}  // namespace physics::statistics_test
