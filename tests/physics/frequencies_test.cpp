// frequencies_test.cpp - small oscillations of a hanging chain, whose tension is its own weight, and of a square
// membrane, whose tension is that of pre-stretched constraints. Each mode is excited alone and timed by its zero
// crossings.
#include <cmath>
#include <functional>

#include "physics/closed_forms.h"
#include "support/world.h"

namespace physics::frequencies_test {
namespace {

using PhysicsFrequencies = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsFrequencies);

const double pi = std::acos(-1.0);

// Returns the amplitude of a mode over time: the transverse displacement, weighted by the mode's shape.
std::vector<double> amplitudes(World& world, clothc_cloth_id cloth, const std::vector<double>& shape, float dt,
                               int count) {
  std::vector<double> result;
  for (int k = 0; k < count; ++k) {
    world.update(dt);
    const std::vector<Point> points = world.get(cloth);
    double sum = 0;
    for (size_t i = 0; i < shape.size(); ++i) sum += shape[i] * static_cast<double>(points[i].z);
    result.push_back(sum);
  }
  return result;
}

// A chain of 1 m hangs from particle 0. Mode k has the shape J0(j sqrt(height)) and the angular frequency j / 2 sqrt(g
// / L), where j is the k-th zero of the Bessel function J0. The last particle represents half a link.
std::vector<double> chain_amplitudes(const Target& target, double zero, int updates) {
  World world(target);
  constexpr uint32_t links = 40;
  Plan plan;
  plan.phases.resize(1);
  std::vector<Point> velocities;
  std::vector<double> shape;
  for (uint32_t i = 0; i <= links; ++i) {
    const double height = 1 - static_cast<double>(i) / links;
    const double value = std::cyl_bessel_j(0.0, zero * std::sqrt(height));
    plan.points.push_back({0, static_cast<float>(height), 0, i == 0 ? 0.0f : i == links ? 2.0f : 1.0f});
    if (i < links) plan.phases[0].push_back({i, i + 1, 1.0f / links});
    velocities.push_back({0, 0, i == 0 ? 0.0f : static_cast<float>(1e-3 * value), 0});
    shape.push_back(i == 0 ? 0 : i == links ? value / 2 : value);
  }
  clothc_cloth_parameters parameters = plain_parameters(2000);
  parameters.stiffness_frequency = 20000;
  parameters.gravity[1] = -9.81f;
  const clothc_cloth_id cloth = world.add(plan, parameters, std::vector<clothc_phase_config>(32, phase_config(0)));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
  return amplitudes(world, cloth, shape, 1 / 100.0f, updates);
}

double chain_frequency(const Target& target, double zero) {
  const double period = 4 * pi / (zero * std::sqrt(9.81));
  return angular_frequency(chain_amplitudes(target, zero, static_cast<int>(320 * period)), 0.01);
}

TEST_P(PhysicsFrequencies, a_hanging_chain_swings_in_its_three_slowest_modes) {
  const double zeros[] = {2.404826, 5.520078, 8.653728};
  const double gates[] = {0.01, 0.02, 0.04};
  if (is_software(GetParam())) {
    EXPECT_EQ(chain_amplitudes(GetParam(), zeros[0], 6), chain_amplitudes(cpu_target, zeros[0], 6));
    return;
  }
  for (int k = 0; k < 3; ++k) {
    expect_row(GetParam(), "hanging chain 1 m, 40 links, mode " + std::to_string(k + 1) + " [rad/s]",
               zeros[k] / 2 * std::sqrt(9.81), chain_frequency(GetParam(), zeros[k]), gates[k]);
  }
}

// The membrane is 1 m square, held at the rim, and has 0.2 kg/m2 and a tension of 1 N/m. A constraint that removes the
// small part k of its error per iteration is a spring: it moves each of two masses m by k (l - r) / 2, so its force is
// m k (l - r) / (2 h^2). On a square grid of spacing a the tension per width is force / a and m = density a^2, so k = 2
// h^2 tension / (density a (a - r)). A pinned end leaves the whole correction to the other end, so constraints at the
// rim get k / 2, which gives the same force.
double membrane_frequency(const Target& target, int waves_x, int waves_y) {
  World world(target);
  constexpr uint32_t cells = 24;
  constexpr double spacing = 1.0 / cells, rest = spacing / 2, density = 0.2, tension = 1, h = 1 / 1000.0;
  const double rate = 2 * h * h * tension / (density * spacing * (spacing - rest));
  Plan plan;
  plan.phases.resize(2);
  std::vector<float> stiffness[2];
  std::vector<Point> velocities;
  std::vector<double> shape;
  const auto on_rim = [](uint32_t x, uint32_t y) { return x == 0 || y == 0 || x == cells || y == cells; };
  for (uint32_t y = 0; y <= cells; ++y) {
    for (uint32_t x = 0; x <= cells; ++x) {
      const uint32_t i = y * (cells + 1) + x;
      const double value =
          on_rim(x, y) ? 0 : std::sin(pi * waves_x * x * spacing) * std::sin(pi * waves_y * y * spacing);
      plan.points.push_back(
          {static_cast<float>(x * spacing), static_cast<float>(y * spacing), 0, on_rim(x, y) ? 0.0f : 1.0f});
      velocities.push_back({0, 0, static_cast<float>(1e-2 * value), 0});
      shape.push_back(value);
      const auto join = [&](int phase, uint32_t other, bool rim) {
        plan.phases[phase].push_back({i, other, static_cast<float>(rest)});
        stiffness[phase].push_back(static_cast<float>(rim ? rate / 2 : rate));
      };
      if (x < cells) join(0, i + 1, on_rim(x, y) || on_rim(x + 1, y));
      if (y < cells) join(1, i + cells + 1, on_rim(x, y) || on_rim(x, y + 1));
    }
  }
  plan.stiffness = stiffness[0];
  plan.stiffness.insert(plan.stiffness.end(), stiffness[1].begin(), stiffness[1].end());
  // With a stiffness frequency of 1000, rate(c) = c.
  const clothc_cloth_id cloth = world.add(plan, plain_parameters(1000));
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
  return angular_frequency(amplitudes(world, cloth, shape, 1 / 100.0f, 200), 0.01) / (2 * pi);
}

TEST_P(PhysicsFrequencies, a_square_membrane_vibrates_in_its_three_slowest_modes) {
  const int modes[3][2] = {{1, 1}, {2, 1}, {2, 2}};
  for (const auto& mode : modes) {
    const double expected = 0.5 * std::sqrt(1 / 0.2) * std::sqrt(mode[0] * mode[0] + mode[1] * mode[1]);
    expect_row(GetParam(),
               "membrane 1 m, 24 x 24, mode " + std::to_string(mode[0]) + " " + std::to_string(mode[1]) + " [Hz]",
               expected, membrane_frequency(GetParam(), mode[0], mode[1]), 0.02);
  }
}

}  // namespace
}  // namespace physics::frequencies_test
