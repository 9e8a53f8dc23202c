// catenary_test.cpp - a chain between two pins hangs as a catenary: sag / span depends on length / span and not on
// force, mass or stiffness. The test also shows how the result depends on the number of links and on how often they are
// solved.
#include <cmath>

#include "physics/closed_forms.h"
#include "support/world.h"

namespace physics::catenary_test {
namespace {

using PhysicsCatenary = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsCatenary);

// Returns the sag of a chain over a span of 1 m that has come to rest after 80 updates with 1000 iterations per second.
// sweeps: how often an iteration solves the links.
double measured_sag(const Target& target, double ratio, uint32_t links, uint32_t sweeps, int updates = 80) {
  World world(target);
  Plan plan;
  plan.phases.resize(1);
  const double rest = ratio / links;
  // The chain starts as a tent of the right length.
  const double height = std::sqrt(ratio * ratio - 1) / 2;
  for (uint32_t i = 0; i <= links; ++i) {
    const double s = static_cast<double>(i) / links;
    plan.points.push_back({static_cast<float>(s - 0.5), static_cast<float>(-height * (1 - std::fabs(2 * s - 1))), 0,
                           i == 0 || i == links ? 0.0f : 1.0f});
    if (i < links) plan.phases[0].push_back({i, i + 1, static_cast<float>(rest)});
  }
  clothc_cloth_parameters parameters = plain_parameters(1000);
  parameters.stiffness_frequency = 10000;
  parameters.gravity[1] = -9.81f;
  // This keeps the part e^(-5 t) of a velocity.
  parameters.damping[0] = parameters.damping[1] = parameters.damping[2] = 5e-4f;
  const std::vector<clothc_phase_config> phases(sweeps, phase_config(0));
  const clothc_cloth_id cloth = world.add(plan, parameters, phases);
  world.update(1 / 20.0f, updates);
  return -static_cast<double>(world.get(cloth)[links / 2].y);
}

TEST_P(PhysicsCatenary, a_hanging_chain_sags_as_a_catenary) {
  if (is_software(GetParam())) {
    EXPECT_EQ(measured_sag(GetParam(), 1.5, 32, 64, 2), measured_sag(cpu_target, 1.5, 32, 64, 2));
    return;
  }
  for (const double ratio : {1.05, 1.1, 1.25, 1.5, 2.0}) {
    expect_row(GetParam(), "catenary, 32 links, length/span " + std::to_string(ratio).substr(0, 4) + ": sag/span",
               catenary_sag(ratio), measured_sag(GetParam(), ratio, 32, 64), 0.005);
  }
}

TEST_P(PhysicsCatenary, report_convergence) {
  if (!wants_report()) GTEST_SKIP() << "set CLOTHC_REPORT for the table";
  for (const uint32_t links : {8u, 16u, 32u, 64u}) {
    std::string row = std::to_string(links) + " links";
    for (const uint32_t sweeps : {1u, 4u, 16u, 64u, 256u}) {
      char text[32];
      std::snprintf(text, sizeof(text), " | %+.2f %%",
                    100 * (measured_sag(GetParam(), 1.1, links, sweeps) / catenary_sag(1.1) - 1));
      row += text;
    }
    print_row(row);
  }
}

}  // namespace
}  // namespace physics::catenary_test
