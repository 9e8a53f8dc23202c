// chains_test.cpp - ten chains whose motion or shape is known in closed form, each as a group of particles with springs
// and as a cloth of a fabric, which agree to the bit. Five hang between two pins as catenaries, five swing in a mode of a
// hanging chain.
#include <cmath>

#include "physics/closed_forms.h"
#include "support/groups.h"
#include "support/long_form.h"
#include "support/sanitized.h"
#include "support/world.h"

namespace physics::chains_test {
namespace {

using PhysicsChains = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsChains);

const double pi = std::acos(-1.0);

// Where the chains are too slow to swing for seconds, only their first bits are compared; and those of the first chain
// alone in the short form, because the others differ from it only in numbers.
bool is_slow(const Target& target) { return is_sanitized || is_software(target); }

// A chain of links of the same length.
struct Chain {
  std::vector<Point> points;
  float link = 0;
  std::vector<Point> velocities = {};

  std::vector<uint32_t> indices() const {
    std::vector<uint32_t> ends;
    for (uint32_t i = 0; i + 1 < points.size(); ++i) ends.insert(ends.end(), {i, i + 1});
    return ends;
  }
  size_t link_count() const { return points.size() - 1; }
};

// A chain as a group and as a cloth, in a solver of their own.
class Twins {
 public:
  Twins(const Target& target, const Chain& chain, clothc_cloth_parameters parameters, uint32_t sweeps)
      : world_(target) {
    const std::vector<clothc_phase_config> phases(sweeps, phase_config(0));
    cloth_ = add_cloth(chain, parameters, phases);
    group_ = add_group(chain, parameters, phases);
    if (chain.velocities.empty()) return;
    for (const clothc_cloth_id id : {cloth_, group_}) world_.set(id, CLOTHC_CHANNEL_VELOCITY, chain.velocities);
  }
  void update(float dt, int count = 1) { world_.update(dt, count); }
  // Returns the positions of the group, after checking that the cloth has the same.
  std::vector<Point> points() {
    std::vector<Point> of_group = world_.get(group_);
    EXPECT_TRUE(same_bits(of_group, world_.get(cloth_)));
    return of_group;
  }

 private:
  clothc_cloth_id add_cloth(const Chain& chain, const clothc_cloth_parameters& parameters,
                            const std::vector<clothc_phase_config>& phases) {
    const clothc_fabric fabric = clothc_test::spring_fabric(
        world_.device, static_cast<uint32_t>(chain.points.size()), chain.indices(),
        std::vector<float>(chain.link_count(), chain.link), std::vector<float>(chain.link_count(), 1.0f));
    const clothc_cloth_id cloth = world_.add(fabric, parameters, chain.points, phases);
    require(clothc_fabric_destroy(fabric));
    return cloth;
  }
  clothc_group_id add_group(const Chain& chain, const clothc_cloth_parameters& parameters,
                            const std::vector<clothc_phase_config>& phases) {
    clothc_group_desc desc = initialised<clothc_group_desc>();
    desc.particle_count = static_cast<uint32_t>(chain.points.size());
    desc.positions = &chain.points[0].x;
    desc.parameters = &parameters;
    const clothc_group_id group = clothc_test::add_group(world_.solver, desc);
    clothc_test::set_springs(world_.device, world_.solver, group, chain.indices(),
                             std::vector<float>(chain.link_count(), chain.link));
    require(clothc_cloth_set_phases(world_.solver, group, phases.data(), static_cast<uint32_t>(phases.size())));
    return group;
  }

  World world_;
  clothc_cloth_id cloth_ = 0;
  clothc_group_id group_ = 0;
};

// A chain over a span of 1 m, which begins as a tent.
Twins hanging_chains(const Target& target, double ratio) {
  constexpr uint32_t links = 32;
  Chain chain{{}, static_cast<float>(ratio / links)};
  const double height = std::sqrt(ratio * ratio - 1) / 2;
  for (uint32_t i = 0; i <= links; ++i) {
    const double s = static_cast<double>(i) / links;
    chain.points.push_back({static_cast<float>(s - 0.5), static_cast<float>(-height * (1 - std::fabs(2 * s - 1))), 0,
                            i == 0 || i == links ? 0.0f : 1.0f});
  }
  clothc_cloth_parameters parameters = plain_parameters(1000);
  parameters.stiffness_frequency = 10000;
  parameters.gravity[1] = -9.81f;
  fill(parameters.damping, 5e-4f);
  return {target, chain, parameters, 64};
}

// A chain that hangs from its first particle and swings in a mode: with j a zero of the Bessel function J0, the mode has
// the shape J0(j sqrt(height / length)) and the angular frequency j / 2 sqrt(g / length). The last particle represents
// half a link.
struct Swing {
  double length, zero;
  double frequency() const { return zero / 2 * std::sqrt(9.81 / length); }
  double shape(uint32_t particle) const {
    return particle == 0 ? 0 : std::cyl_bessel_j(0.0, zero * std::sqrt(1 - particle / double{links}));
  }
  static constexpr uint32_t links = 40;
};

Twins swinging_chains(const Target& target, const Swing& swing) {
  Chain chain{{}, static_cast<float>(swing.length / Swing::links)};
  for (uint32_t i = 0; i <= Swing::links; ++i) {
    chain.points.push_back({0, static_cast<float>(swing.length * (1 - i / double{Swing::links})), 0,
                            i == 0              ? 0.0f
                            : i == Swing::links ? 2.0f
                                                : 1.0f});
    chain.velocities.push_back({0, 0, static_cast<float>(1e-3 * swing.shape(i)), 0});
  }
  clothc_cloth_parameters parameters = plain_parameters(2000);
  parameters.stiffness_frequency = 20000;
  parameters.gravity[1] = -9.81f;
  return {target, chain, parameters, 32};
}

// The displacement of a chain, weighted by the shape of its mode.
double amplitude(const std::vector<Point>& points, const Swing& swing) {
  double sum = 0;
  for (uint32_t i = 0; i < points.size(); ++i)
    sum += swing.shape(i) * (i == Swing::links ? 0.5 : 1) * static_cast<double>(points[i].z);
  return sum;
}

TEST_P(PhysicsChains, as_groups_and_as_cloths_sag_as_catenaries) {
  for (const double ratio : {1.05, 1.1, 1.25, 1.5, 2.0}) {
    Twins chains = hanging_chains(GetParam(), ratio);
    if (is_slow(GetParam())) {
      Twins expected = hanging_chains(cpu_target, ratio);
      for (Twins* twins : {&chains, &expected}) twins->update(1 / 50.0f);
      EXPECT_TRUE(same_bits(chains.points(), expected.points())) << ratio;
      if (!clothc_test::long_form()) return;
      continue;
    }
    chains.update(1 / 20.0f, 80);
    const double sag = -static_cast<double>(chains.points()[16].y);
    EXPECT_NEAR(sag, catenary_sag(ratio), 0.005 * catenary_sag(ratio)) << ratio;
  }
}

TEST_P(PhysicsChains, as_groups_and_as_cloths_swing_in_their_modes) {
  constexpr double zeros[] = {2.404826, 5.520078, 8.653728};
  const struct {
    Swing swing;
    double gate;
  } cases[] = {{{1, zeros[0]}, 0.01},
               {{1, zeros[1]}, 0.02},
               {{1, zeros[2]}, 0.04},
               {{0.5, zeros[0]}, 0.01},
               {{2, zeros[0]}, 0.015}};
  constexpr float dt = 1 / 100.0f;
  for (const auto& [swing, gate] : cases) {
    Twins chains = swinging_chains(GetParam(), swing);
    if (is_slow(GetParam())) {
      Twins expected = swinging_chains(cpu_target, swing);
      for (Twins* twins : {&chains, &expected}) twins->update(dt, 3);
      EXPECT_TRUE(same_bits(chains.points(), expected.points())) << swing.length << " m, zero " << swing.zero;
      if (!clothc_test::long_form()) return;
      continue;
    }
    std::vector<double> signal;
    // A little more than two periods.
    const int updates = static_cast<int>(2.1 * 2 * pi / swing.frequency() / 0.01);
    for (int k = 0; k < updates; ++k) {
      chains.update(dt);
      signal.push_back(amplitude(chains.points(), swing));
    }
    EXPECT_NEAR(angular_frequency(signal, 0.01), swing.frequency(), gate * swing.frequency())
        << swing.length << " m, zero " << swing.zero;
  }
}

}  // namespace
}  // namespace physics::chains_test
