// capstan_test.cpp - a strip that is pulled at both ends over a cylinder slides if the ratio of the forces is above
// e^(mu angle), and otherwise does not. Source: the Euler-Eytelwein formula.
#include <cmath>

#include "support/world.h"

namespace physics::capstan_test {
namespace {

using PhysicsCapstan = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsCapstan);

constexpr float mu = 0.3f;
constexpr double radius = 0.5;
// Force at the weaker end in N.
constexpr double pull = 0.5;
constexpr uint32_t links_per_turn = 72;
// Number of straight links at each end.
constexpr uint32_t free_links = 2;

struct Strip {
  Plan plan;
  std::vector<Point> accelerations;
};

// Makes a strip around a cylinder along z that starts at angle 0 and continues straight along the tangents.
Strip strip(double angle, double ratio) {
  Strip strip;
  const auto arc = static_cast<uint32_t>(std::lround(links_per_turn * angle / (2 * std::acos(-1.0))));
  const double step = angle / arc;
  const double link = 2 * radius * std::sin(step / 2);
  strip.plan.phases.resize(1);
  const uint32_t count = arc + 1 + 2 * free_links;
  for (uint32_t k = 0; k < count; ++k) {
    const double link_index = static_cast<double>(k) - free_links;
    const double on = std::min(std::max(link_index, 0.0), static_cast<double>(arc));
    const double beyond = (link_index - on) * link;
    const double c = std::cos(on * step), s = std::sin(on * step);
    strip.plan.points.push_back(
        {static_cast<float>(radius * c - beyond * s), static_cast<float>(radius * s + beyond * c), 0, 10});
    if (k > 0) strip.plan.phases[0].push_back({k - 1, k, static_cast<float>(link)});
  }
  strip.accelerations.assign(count, {0, 0, 0, 0});
  const float first = static_cast<float>(-pull * 10), last = static_cast<float>(pull * ratio * 10);
  strip.accelerations.front() = {0, first, 0, 0};
  strip.accelerations.back() = {last * static_cast<float>(-std::sin(angle)), last * static_cast<float>(std::cos(angle)),
                                0, 0};
  return strip;
}

// Returns how much faster (m/s) the strip slides towards the stronger end after 1 s than after 0.5 s, with 50 updates
// each. A strip that is held only creeps.
double acceleration(const Target& target, double angle, double ratio, int updates = 50) {
  World world(target);
  Shapes shapes;
  const float r = static_cast<float>(radius);
  shapes.spheres = {{0, 0, -2, r}, {0, 0, 2, r}};
  shapes.capsules = {0, 1};
  clothc_cloth_parameters parameters = plain_parameters(1000);
  parameters.friction = mu;
  const Strip s = strip(angle, ratio);
  const clothc_cloth_id cloth = world.add(s.plan, parameters, {}, {world.add_colliders(shapes)});
  world.set(cloth, CLOTHC_CHANNEL_ACCELERATION, s.accelerations);
  const auto speed = [&] {
    world.update(0.01f, updates);
    const std::vector<Point> points = world.get(cloth), velocities = world.get(cloth, CLOTHC_CHANNEL_VELOCITY);
    double sum = 0;
    for (size_t k = free_links; k + free_links < points.size(); ++k) {
      sum += (static_cast<double>(points[k].x) * static_cast<double>(velocities[k].y) -
              static_cast<double>(points[k].y) * static_cast<double>(velocities[k].x)) /
             radius;
    }
    return sum / static_cast<double>(points.size() - 2 * free_links);
  };
  const double half_way = speed();
  return speed() - half_way;
}

TEST_P(PhysicsCapstan, a_strip_slides_at_the_ratio_of_forces_that_euler_says) {
  if (is_software(GetParam())) {
    EXPECT_EQ(acceleration(GetParam(), std::acos(-1.0), 2.5, 3), acceleration(cpu_target, std::acos(-1.0), 2.5, 3));
    return;
  }
  for (const double degrees : {90.0, 180.0, 360.0}) {
    const double angle = degrees * std::acos(-1.0) / 180;
    const double expected = std::exp(static_cast<double>(mu) * angle);
    double low = 1, high = 2 * expected;
    for (int step = 0; step < 9; ++step) {
      const double middle = (low + high) / 2;
      if (acceleration(GetParam(), angle, middle) > 0.002)
        high = middle;
      else
        low = middle;
    }
    expect_row(GetParam(),
               "capstan, " + std::to_string(static_cast<int>(degrees)) +
                   " degrees, mu 0.3: ratio of forces at which it slides",
               expected, (low + high) / 2, 0.1);
  }
}

}  // namespace
}  // namespace physics::capstan_test
