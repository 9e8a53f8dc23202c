// rings_test.cpp - distance constraints in rings of four, which are solved as one item, give the bits of the same
// constraints one after the other.
#include "support/world.h"

namespace physics::rings_test {
namespace {

using PhysicsRings = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsRings);

constexpr uint32_t columns = 15, rows = 12;
constexpr float spacing = 0.05f;

Link between(uint32_t a, uint32_t b, uint32_t steps) {
  // Lengths differ, and some links have none.
  const uint32_t number = a * 7 + b;
  const float part = 0.9f + 0.02f * static_cast<float>(number % 10);
  return {a, b, number % 37 == 0 ? 0.0f : part * spacing * static_cast<float>(steps)};
}

// Lists the sides of every second quad of a grid of step x step cells, quad by quad, as rings. The grids of the other
// particles follow.
void list_rings(uint32_t step, std::vector<Link>& links) {
  for (uint32_t parity = 0; parity < 2; ++parity) {
    for (uint32_t y = 0; y + step < rows; ++y) {
      for (uint32_t x = 0; x + step < columns; ++x) {
        if (x / step % 2 != parity || y / step % 2 != parity) continue;
        const uint32_t a = y * columns + x, b = a + step, c = b + step * columns, d = c - step;
        for (const Link& link : {between(a, b, step), between(c, d, step), between(b, c, step), between(d, a, step)})
          links.push_back(link);
      }
    }
  }
}

// With `apart`, further links without a length make rings too few to be solved as rings, and change nothing else.
Plan grid(bool apart) {
  Plan plan = {{}, {}, {}, 0, {}, {}};
  for (uint32_t p = 0; p < columns * rows; ++p) {
    const auto x = static_cast<float>(p % columns), y = static_cast<float>(p / columns);
    const float off = 0.01f * static_cast<float>(p * 13 % 7);
    plan.points.push_back({spacing * x + off, off - spacing * y, off * off, p % 29 == 3 ? 0 : 0.5f + 0.25f * off});
  }
  plan.phases.resize(2);
  for (uint32_t step = 1; step <= 2; ++step) {
    std::vector<Link>& links = plan.phases[step - 1];
    list_rings(step, links);
    const size_t count = links.size();
    for (size_t k = 0; apart && k < count; ++k) links.push_back({0, 1, 0});
  }
  return plan;
}

struct Result {
  std::vector<Point> points;
  float stretch;
};

Result after_updates(const Target& target, bool apart, bool with_limits) {
  World world(target);
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.gravity[1] = -9.81f;
  parameters.statistics = CLOTHC_STATISTIC_STRETCH;
  std::vector<clothc_phase_config> phases = {phase_config(1, 0.8f), phase_config(0)};
  for (clothc_phase_config& config : phases) {
    if (!with_limits) continue;
    config.stiffness_multiplier = 0.5f;
    config.compression_limit = 0.95f;
    config.stretch_limit = 1.02f;
  }
  const clothc_cloth_id cloth = world.add(grid(apart), parameters, phases);
  world.update(1 / 60.0f, 5);
  return {world.get(cloth), world.status(cloth).largest_stretch};
}

TEST_P(PhysicsRings, have_the_bits_of_their_constraints_one_after_the_other) {
  for (const bool with_limits : {false, true}) {
    const Result in_rings = after_updates(GetParam(), false, with_limits);
    const Result apart = after_updates(GetParam(), true, with_limits);
    EXPECT_TRUE(same_bits(in_rings.points, apart.points)) << "with limits: " << with_limits;
    EXPECT_EQ(in_rings.stretch, apart.stretch);
    EXPECT_GT(in_rings.stretch, 0.05f);
  }
}

}  // namespace
}  // namespace physics::rings_test
