// short_edges_test.cpp - edges of millimetres in a scene of metres. They are exact in cooked fabrics and in raw ones
// that request it, and too short because of NvCloth's regularisation in other fabrics.
#include <algorithm>
#include <cmath>

#include "support/quad_sheet.h"
#include "support/world.h"

namespace physics::short_edges_test {
namespace {

using PhysicsShortEdges = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsShortEdges);

constexpr uint32_t side = 6;
// In m2.
constexpr double nvcloth_regularisation = 1.1920929e-7;

// Makes a grid of free squares of the given size.
clothc_fabric cooked(const World& world, float size) {
  clothc_test::Sheet sheet(side, side, size, 0);
  std::fill(sheet.inverse_masses.begin(), sheet.inverse_masses.end(), 1.0f);
  return clothc_test::cook_fabric(world.device, sheet.desc());
}

// Makes a row of free particles with the given spacing.
clothc_fabric raw_row(const World& world, float size, uint32_t flags) {
  auto desc = initialised<clothc_fabric_desc>();
  std::vector<uint32_t> indices;
  std::vector<float> points, rests;
  for (uint32_t i = 0; i < side; ++i) {
    points.insert(points.end(), {size * static_cast<float>(i), 0, 0, 1});
    if (i > 0) indices.insert(indices.end(), {i - 1, i}), rests.push_back(size);
  }
  const uint32_t set = 0, end = side - 1;
  desc.particle_count = side;
  desc.phase_count = desc.set_count = 1;
  desc.phase_sets = &set;
  desc.set_ends = &end;
  desc.constraint_count = end;
  desc.indices = indices.data();
  desc.rest_lengths = rests.data();
  desc.positions = points.data();
  desc.flags = flags;
  return clothc_test::create_fabric(world.device, desc);
}

// Returns the length of the first edge after a second without gravity, as a fraction of its rest length.
double length_of_edges(const Target& target, clothc_fabric (*make)(const World& world, float size), float size) {
  World world(target);
  clothc_fabric fabric = make(world, size);
  const clothc_cloth_id cloth = world.add(fabric, plain_parameters(240), {});
  require(clothc_fabric_destroy(fabric));
  world.update(1 / 60.0f, 60);
  const std::vector<Point> p = world.get(cloth);
  return std::hypot(double{p[1].x} - p[0].x, double{p[1].y} - p[0].y, double{p[1].z} - p[0].z) / double{size};
}

TEST_P(PhysicsShortEdges, of_cooked_fabrics_keep_their_length) {
  for (const float size : {0.01f, 0.003f, 0.001f, 0.0003f}) {
    expect_row(GetParam(), "cooked edge of " + std::to_string(size * 1000).substr(0, 4) + " mm: length / rest length",
               1, length_of_edges(GetParam(), cooked, size), 1e-3);
  }
}

TEST_P(PhysicsShortEdges, of_raw_fabrics_keep_their_length_if_wanted_and_are_short_as_those_of_nvcloth_if_not) {
  const auto exact = [](const World& world, float s) { return raw_row(world, s, CLOTHC_FABRIC_EXACT_LENGTHS); };
  const auto plain = [](const World& world, float s) { return raw_row(world, s, 0); };
  for (const float size : {0.01f, 0.003f, 0.001f}) {
    const double square = double{size} * double{size};
    EXPECT_NEAR(length_of_edges(GetParam(), exact, size), 1, 1e-3);
    EXPECT_NEAR(length_of_edges(GetParam(), plain, size), std::sqrt(1 - nvcloth_regularisation / square), 1e-3);
  }
}

// Returns how far a particle hung from a pin by a length like this is below the pin after a second, in m.
double drop_of(const Target& target, float length, uint32_t flags) {
  World world(target);
  const std::vector<float> points = {0, 0, 0, 0, length, 0, 0, 1};
  const uint32_t set = 0, end = 1, pair[] = {0, 1};
  auto desc = initialised<clothc_fabric_desc>();
  desc.particle_count = 2;
  desc.phase_count = desc.set_count = desc.constraint_count = 1;
  desc.phase_sets = &set;
  desc.set_ends = &end;
  desc.indices = pair;
  desc.rest_lengths = &length;
  desc.positions = points.data();
  desc.flags = flags;
  const clothc_cloth_id cloth = world.add(clothc_test::create_fabric(world.device, desc), plain_parameters(240), {});
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.gravity[1] = -9.81f;
  world.set_parameters(cloth, parameters);
  world.update(1 / 60.0f, 60);
  EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
  const double y = world.get(cloth)[1].y;
  return -y;
}

// Only lengths of 0 are left out. The shortest ones are held to what gravity moves a particle by in an iteration, of
// which a stiffness of 1 leaves little.
TEST_P(PhysicsShortEdges, hold_however_short_they_are) {
  for (const float size : {1e-5f, 1e-7f, 1e-9f, 1e-15f}) {
    EXPECT_NEAR(drop_of(GetParam(), size, CLOTHC_FABRIC_EXACT_LENGTHS), double{size}, 1e-6) << size;
    EXPECT_LT(drop_of(GetParam(), size, 0), 1e-4) << size;
  }
  EXPECT_GT(drop_of(GetParam(), 0, CLOTHC_FABRIC_EXACT_LENGTHS), 4);
}

// Particles that coincide have no direction in which to separate and stay where they are. Particles that nearly
// coincide separate.
TEST_P(PhysicsShortEdges, that_have_collapsed_stay_finite_and_recover) {
  World world(GetParam());
  clothc_fabric fabric = cooked(world, 0.001f);
  std::vector<Point> points(side * side, {0.5f, 0.25f, 0.125f, 1});
  const clothc_cloth_id cloth = world.add(fabric, plain_parameters(240), points);
  world.update(1 / 60.0f, 10);
  for (const Point& p : world.get(cloth)) EXPECT_EQ(p.x, 0.5f);
  EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
  for (size_t i = 0; i < points.size(); ++i) {
    points[i].x += 1e-7f * static_cast<float>(i % side);
    points[i].z += 1e-7f * static_cast<float>(i / side);
  }
  world.set(cloth, CLOTHC_CHANNEL_POSITION, points, CLOTHC_SET_AT_REST);
  world.update(1 / 60.0f, 60);
  EXPECT_EQ(world.status(cloth).non_finite_count, 0u);
  for (const Point& p : world.get(cloth)) EXPECT_LT(std::hypot(p.x - 0.5f, p.y - 0.25f, p.z - 0.125f), 0.1f);
  require(clothc_fabric_destroy(fabric));
}

}  // namespace
}  // namespace physics::short_edges_test
