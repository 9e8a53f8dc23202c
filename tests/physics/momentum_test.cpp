// momentum_test.cpp - a free sheet of unequal masses that only its own constraints move keeps its momentum. A spinning
// pair loses angular momentum at the rate that the scheme itself predicts.
#include <cmath>

#include "support/world.h"

namespace physics::momentum_test {
namespace {

using PhysicsMomentum = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsMomentum);

struct Vector {
  double x = 0, y = 0, z = 0;
};
double length(const Vector& v) { return std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z); }

// Linear and angular momentum of the last iteration, and the sum of the magnitudes of the linear momentum's parts.
struct Momentum {
  Vector linear, angular;
  double linear_scale = 0;
};

Momentum momentum_of(World& world, clothc_cloth_id cloth) {
  const std::vector<Point> now = world.get(cloth), before = world.get(cloth, CLOTHC_CHANNEL_PREVIOUS_POSITION);
  const double h = static_cast<double>(world.status(cloth).iteration_dt);
  Momentum sum;
  for (size_t i = 0; i < now.size(); ++i) {
    const double m = 1 / static_cast<double>(now[i].w);
    const Vector r = {now[i].x, now[i].y, now[i].z};
    const Vector p = {m * (r.x - before[i].x) / h, m * (r.y - before[i].y) / h, m * (r.z - before[i].z) / h};
    sum.linear = {sum.linear.x + p.x, sum.linear.y + p.y, sum.linear.z + p.z};
    sum.angular = {sum.angular.x + r.y * p.z - r.z * p.y, sum.angular.y + r.z * p.x - r.x * p.z,
                   sum.angular.z + r.x * p.y - r.y * p.x};
    sum.linear_scale += length(p);
  }
  return sum;
}

// Makes 16 x 16 particles with masses between 1/4 and 1 kg, 1 m wide, stretched by the given fraction and crumpled by
// the same amount.
Plan stretched_sheet(float part) {
  Plan plan;
  plan.phases.resize(3);
  const float spacing = 1 / 16.0f;
  for (uint32_t i = 0; i < 256; ++i) {
    const uint32_t column = i % 16, row = i / 16;
    plan.points.push_back(
        {(static_cast<float>(column) - 7.5f) * spacing * (1 + part), (static_cast<float>(row) - 7.5f) * spacing,
         static_cast<float>((i * 37 + 11) % 16) / 64 * part, 1.0f + static_cast<float>(i * 29 % 13) / 4});
    if (column < 15) plan.phases[0].push_back({i, i + 1, spacing});
    if (row < 15) plan.phases[1].push_back({i, i + 16, spacing});
    if (column < 15 && row < 15) {
      plan.phases[2].push_back({i, i + 17, spacing * std::sqrt(2.0f)});
      plan.phases[2].push_back({i + 1, i + 16, spacing * std::sqrt(2.0f)});
    }
  }
  return plan;
}

// Released at 40 % stretch, the sheet crumples and vibrates.
TEST_P(PhysicsMomentum, internal_constraints_keep_linear_momentum) {
  World world(GetParam());
  const clothc_cloth_id cloth = world.add(stretched_sheet(0.4f), plain_parameters(60));
  double scale = 0, linear = 0;
  for (int frame = 0; frame < 60; ++frame) {
    world.update(1 / 60.0f);
    const Momentum momentum = momentum_of(world, cloth);
    scale = std::fmax(scale, momentum.linear_scale);
    linear = std::fmax(linear, length(momentum.linear));
  }
  EXPECT_GT(scale, 1);
  expect_row(GetParam(), "free sheet, 1 s at 60 Hz: size of sum m v, by the largest sum of sizes", 0, linear / scale,
             1e-6);
}

// The motion is so slow that the scheme's own loss, w^2 h per second, is 3e-5, and that few rounding errors accumulate.
TEST_P(PhysicsMomentum, internal_constraints_keep_angular_momentum) {
  World world(GetParam());
  const Plan plan = stretched_sheet(0);
  const clothc_cloth_id cloth = world.add(plan, plain_parameters(30));
  const float spin = 0.03f;  // rad/s
  std::vector<Point> velocities;
  for (const Point& p : plan.points) velocities.push_back({-spin * p.y, spin * p.x, 0, 0});
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
  world.update(1 / 30.0f);
  const double begin = momentum_of(world, cloth).angular.z;
  EXPECT_GT(begin, 0.3);
  world.update(1 / 30.0f, 30);
  const Momentum momentum = momentum_of(world, cloth);
  expect_row(GetParam(), "free sheet, 0.03 rad/s, 1 s at 30 Hz: angular momentum [kg m2/s]", begin, momentum.angular.z,
             1e-4);
  EXPECT_NEAR(momentum.angular.x, 0, 1e-4 * begin);
  EXPECT_NEAR(momentum.angular.y, 0, 1e-4 * begin);
}

// The step angle a of a rigid pair obeys tan a' = sin a / (2 - cos a): predicted positions are 2 x - x_before, and the
// constraint moves them back along its own direction. The loss per second is about w^2 h of the angular momentum.
TEST_P(PhysicsMomentum, a_spinning_pair_slows_down_as_the_scheme_predicts) {
  World world(GetParam());
  const Plan plan = {{{-0.5f, 0, 0, 1}, {0.5f, 0, 0, 1}}, {{{0, 1, 1}}}, {}, 0, {}, {}};
  const clothc_cloth_id cloth = world.add(plan, plain_parameters(240));
  const float spin = 6;  // rad/s
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, {{0, -0.5f * spin, 0, 0}, {0, 0.5f * spin, 0, 0}});
  const double h = 1 / 240.0;
  double step = std::atan(static_cast<double>(spin) * h), angle = step;
  for (int k = 1; k < 240; ++k) {
    step = std::atan2(std::sin(step), 2 - std::cos(step));
    angle += step;
  }
  world.update(1 / 60.0f, 60);
  const std::vector<Point> now = world.get(cloth);
  expect_row(GetParam(), "spinning pair, 6 rad/s, 1 s at 240 Hz: sine of the angle", std::sin(angle),
             static_cast<double>(now[1].y - now[0].y), 1e-2);
  const Momentum momentum = momentum_of(world, cloth);
  expect_row(GetParam(), "spinning pair: angular momentum left", std::sin(step) / (static_cast<double>(spin) * h),
             momentum.angular.z / (0.5 * static_cast<double>(spin)), 1e-3);
}

}  // namespace
}  // namespace physics::momentum_test
