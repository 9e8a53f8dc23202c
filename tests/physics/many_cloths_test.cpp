// many_cloths_test.cpp - thousands of cloths that collide with each other, whatever the order in which they were added.
#include <algorithm>
#include <cmath>
#include <random>

#include "support/world.h"

namespace physics::many_cloths_test {
namespace {

using PhysicsManyCloths = TargetTest;
INSTANTIATE_TEST_SUITE_P(Devices, PhysicsManyCloths, testing::ValuesIn(all_devices()), name_of);

constexpr uint32_t columns = 20, rows = 20, layers = 10, count = columns * rows * layers;
constexpr float thickness = 0.1f;

// Returns a pair of neighbouring particles at a lattice position. The lattice is too narrow for the pairs and slightly
// irregular.
Plan piece(uint32_t index) {
  std::mt19937 random(index + 1);
  const auto jitter = [&] { return 0.02f * (static_cast<float>(random() % 1000) / 1000 - 0.5f); };
  const Point p = {0.22f * static_cast<float>(index % columns) + jitter(),
                   0.09f * static_cast<float>(index / columns % rows) + jitter(),
                   0.09f * static_cast<float>(index / columns / rows) + jitter(), 1};
  return {{p, {p.x + 0.11f, p.y, p.z, 1}}, {{{0, 1, 0.11f}}}, {}, 0, {}, {}};
}

std::vector<uint32_t> as_added(bool in_order) {
  std::vector<uint32_t> order(count);
  for (uint32_t k = 0; k < count; ++k) order[k] = k;
  if (!in_order) std::shuffle(order.begin(), order.end(), std::mt19937(7));
  return order;
}

// Returns the particles of all pieces, ordered by lattice position.
std::vector<Point> crowd(const Target& target, bool in_order, int updates) {
  World world(target, 4096);
  clothc_cloth_parameters parameters = plain_parameters(60);
  parameters.stiffness_frequency = 60;
  // Pieces fly no further apart than they are pushed.
  fill(parameters.damping, 1);
  parameters.inter_collision_distance = thickness;
  std::vector<std::pair<uint32_t, clothc_cloth_id>> cloths;
  for (const uint32_t index : as_added(in_order)) cloths.emplace_back(index, world.add(piece(index), parameters));
  world.update(1 / 60.0f, updates);
  std::vector<Point> points(size_t{2} * count);
  for (const auto& [index, cloth] : cloths) {
    const std::vector<Point> ends = world.get(cloth);
    points[2 * index] = ends[0];
    points[2 * index + 1] = ends[1];
  }
  return points;
}

double distance(const Point& a, const Point& b) {
  const auto apart = [](float x, float y) { return double{x} - double{y}; };
  return std::hypot(std::hypot(apart(a.x, b.x), apart(a.y, b.y)), apart(a.z, b.z));
}

// Returns the smallest distance between particles of different pieces as a fraction of the thickness.
double nearest_pair(const std::vector<Point>& points) {
  std::vector<uint32_t> order(points.size());
  for (uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return points[a].x < points[b].x; });
  double nearest = 1;
  for (size_t a = 0; a < order.size(); ++a) {
    for (size_t b = a + 1; b < order.size() && points[order[b]].x - points[order[a]].x < thickness; ++b) {
      if (order[a] / 2 == order[b] / 2) continue;
      nearest = std::min(nearest, distance(points[order[a]], points[order[b]]) / static_cast<double>(thickness));
    }
  }
  return nearest;
}

TEST_P(PhysicsManyCloths, four_thousand_in_one_group_push_each_other_apart_in_any_order) {
  const std::vector<Point> shuffled = crowd(GetParam(), false, 1);
  if (is_software(GetParam())) {
    EXPECT_TRUE(same_bits(shuffled, crowd(cpu_target, false, 1)));
    return;
  }
  const std::vector<Point> at_first = crowd(GetParam(), true, 1);
  ASSERT_EQ(at_first.size(), 8000u);
  double farthest = 0, moved = 0;
  for (uint32_t k = 0; k < at_first.size(); ++k) {
    farthest = std::max(farthest, distance(at_first[k], shuffled[k]));
    moved = std::max(moved, distance(at_first[k], piece(k / 2).points[k % 2]));
  }
  // Both find the same contacts and differ only in the order of their sums.
  expect_at_most(GetParam(), "4,000 cloths, added in two orders: distance between where particles are pushed [m]", 2e-7,
                 farthest);
  EXPECT_GT(moved, 0.005);
  const std::vector<Point> later = crowd(GetParam(), false, 30);
  expect_at_most(GetParam(), "4,000 cloths in one group, pushed apart for 0.5 s: deepest overlap, of the distance", 0.2,
                 1 - nearest_pair(later));
  EXPECT_LT(nearest_pair(at_first), 0.8);
}

}  // namespace
}  // namespace physics::many_cloths_test
