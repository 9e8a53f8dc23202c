// hierarchy_test.cpp - the correction of stretch on coarse levels: it keeps wide sheets from stretching at 4 iterations
// per frame, moves nothing that is not stretched, conserves momentum, knows shear, pins and stiffness, and is off on
// demand.
#include <algorithm>
#include <cmath>

#include "support/quad_sheet.h"
#include "support/world.h"

namespace physics::hierarchy_test {
namespace {

using PhysicsHierarchy = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsHierarchy);

constexpr uint32_t n = 20;
constexpr float spacing = 0.05f;

// The phases of the fabrics below.
constexpr uint32_t stretch_phase = 0, shear_phase = 1;

// Cooks a sheet of n x n particles without bend constraints and tethers. pins: vertices.
clothc_fabric cook(const World& world, const std::vector<uint32_t>& pins, uint32_t flags = 0) {
  clothc_test::Sheet sheet(n, n, spacing, 0);
  std::fill(sheet.inverse_masses.begin(), sheet.inverse_masses.end(), 1.0f);
  for (const uint32_t pin : pins) sheet.inverse_masses[pin] = 0;
  clothc_mesh_desc desc = sheet.desc();
  desc.flags = CLOTHC_COOK_NO_TETHERS | CLOTHC_COOK_NO_BEND | flags;
  return clothc_test::cook_fabric(world.device, desc);
}

clothc_cloth_id add(World& world, const clothc_cloth_parameters& parameters, const std::vector<uint32_t>& pins = {},
                    const std::vector<clothc_phase_config>& phases = {}, uint32_t flags = 0) {
  const clothc_fabric fabric = cook(world, pins, flags);
  const clothc_cloth_id cloth = world.add(fabric, parameters, {}, phases);
  require(clothc_fabric_destroy(fabric));
  return cloth;
}

clothc_cloth_parameters parameters_with(float hierarchy_stiffness) {
  clothc_cloth_parameters parameters = plain_parameters(240);
  parameters.statistics = CLOTHC_STATISTIC_STRETCH;
  parameters.hierarchy_stiffness = hierarchy_stiffness;
  return parameters;
}

clothc_cloth_parameters heavy(float hierarchy_stiffness) {
  clothc_cloth_parameters parameters = parameters_with(hierarchy_stiffness);
  parameters.gravity[1] = -9.81f;
  fill(parameters.damping, 0.3f);
  return parameters;
}

constexpr int frame_count = 90;

const std::vector<uint32_t> corners = {0, n - 1};

std::vector<uint32_t> first_row() {
  std::vector<uint32_t> row(n);
  for (uint32_t p = 0; p < n; ++p) row[p] = p;
  return row;
}

TEST_P(PhysicsHierarchy, keeps_a_sheet_at_its_corners_from_stretching) {
  float stretch[2];
  for (const int stiffness : {0, 1}) {
    World world(GetParam());
    const clothc_cloth_id cloth = add(world, heavy(static_cast<float>(stiffness)), corners);
    world.update(1 / 60.0f, frame_count);
    stretch[stiffness] = world.status(cloth).largest_stretch;
  }
  EXPECT_LT(stretch[1], 0.03f);
  EXPECT_GT(stretch[0], 2 * stretch[1]);
}

// Distances between all particles are those at rest, or shorter.
TEST_P(PhysicsHierarchy, moves_nothing_that_is_not_stretched) {
  World world(GetParam());
  clothc_phase_config none = phase_config(shear_phase, 0);
  const clothc_cloth_id cloth = add(world, parameters_with(1), {}, {phase_config(stretch_phase), none});
  std::vector<Point> points = world.get(cloth);
  // Folded along a diagonal.
  for (Point& point : points) {
    if (point.x < point.z) std::swap(point.x, point.z);
  }
  world.set(cloth, CLOTHC_CHANNEL_POSITION, points, CLOTHC_SET_AT_REST);
  world.update(1 / 60.0f);
  const std::vector<Point> after = world.get(cloth);
  for (size_t p = 0; p < points.size(); ++p) {
    EXPECT_NEAR(after[p].x, points[p].x, 1e-5f);
    EXPECT_NEAR(after[p].z, points[p].z, 1e-5f);
  }
}

// A sheet of rhombi, whose sides are as long as those of the quads at rest.
std::vector<Point> sheared(std::vector<Point> points) {
  for (Point& point : points) {
    point.x += 0.5f * point.z;
    point.z *= std::sqrt(0.75f);
  }
  return points;
}

TEST_P(PhysicsHierarchy, lets_cloth_shear_that_has_no_stiffness_against_it) {
  float moved[2];
  for (const int stiffness : {0, 1}) {
    World world(GetParam());
    // Phases with a stiffness of 0 are not solved. The one that is solved corrects nothing, so all that moves is moved by
    // the levels.
    const clothc_cloth_id cloth =
        add(world, parameters_with(1), {},
            {phase_config(stretch_phase), phase_config(shear_phase, static_cast<float>(stiffness))});
    const std::vector<Point> points = sheared(world.get(cloth));
    world.set(cloth, CLOTHC_CHANNEL_POSITION, points, CLOTHC_SET_AT_REST);
    world.update(1 / 240.0f);
    const std::vector<Point> after = world.get(cloth);
    moved[stiffness] = 0;
    for (size_t p = 0; p < points.size(); ++p)
      moved[stiffness] =
          std::max({moved[stiffness], std::fabs(after[p].x - points[p].x), std::fabs(after[p].z - points[p].z)});
  }
  EXPECT_LT(moved[0], 1e-5f);
  EXPECT_GT(moved[1], 0.01f);
}

TEST_P(PhysicsHierarchy, conserves_momentum) {
  World world(GetParam());
  const clothc_cloth_id cloth = add(world, parameters_with(1));
  std::vector<Point> points = world.get(cloth), velocities = points;
  for (size_t p = 0; p < points.size(); ++p) {
    points[p].x *= 1.1f;
    velocities[p] = {0.5f * std::sin(3.0f * static_cast<float>(p)), 0.25f, points[p].x * points[p].z, 0};
  }
  world.set(cloth, CLOTHC_CHANNEL_POSITION, points, CLOTHC_SET_AT_REST);
  world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
  double before[3] = {0, 0, 0}, after[3] = {0, 0, 0};
  const auto add_up = [](const std::vector<Point>& all, double(&sum)[3]) {
    for (const Point& one : all) {
      sum[0] += double{one.x};
      sum[1] += double{one.y};
      sum[2] += double{one.z};
    }
  };
  add_up(velocities, before);
  world.update(1 / 60.0f, 5);
  add_up(world.get(cloth, CLOTHC_CHANNEL_VELOCITY), after);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR(after[axis] / (n * n), before[axis] / (n * n), 1e-4) << "mean velocity along axis " << axis;
}

TEST_P(PhysicsHierarchy, holds_cloth_at_pins_that_are_set_at_run_time) {
  World world(GetParam());
  const clothc_cloth_id cloth = add(world, heavy(1));
  std::vector<Point> points = world.get(cloth);
  for (const uint32_t pin : corners) points[pin].w = 0;
  world.set(cloth, CLOTHC_CHANNEL_POSITION, points);
  world.update(1 / 60.0f, frame_count);
  EXPECT_LT(world.status(cloth).largest_stretch, 0.03f);
}

TEST_P(PhysicsHierarchy, holds_cloth_at_a_pinned_row) {
  World world(GetParam());
  const clothc_cloth_id cloth = add(world, heavy(1), first_row());
  world.update(1 / 60.0f, frame_count);
  EXPECT_LT(world.status(cloth).largest_stretch, 0.04f);
}

// A sheet that is longer than at rest is pulled towards its first row, which is pinned, and not to one side.
TEST_P(PhysicsHierarchy, pulls_straight_towards_a_pinned_row) {
  World world(GetParam());
  const clothc_cloth_id cloth = add(world, parameters_with(1), first_row());
  std::vector<Point> points = world.get(cloth);
  for (Point& point : points) point.z *= 1.02f;
  world.set(cloth, CLOTHC_CHANNEL_POSITION, points, CLOTHC_SET_AT_REST);
  world.update(1 / 240.0f);
  const std::vector<Point> after = world.get(cloth);
  float up = 0, sideways = 0;
  for (size_t p = 0; p < points.size(); ++p) {
    up += points[p].z - after[p].z;
    sideways += after[p].x - points[p].x;
  }
  EXPECT_GT(up, 0.1f * n * n * 0.01f * spacing * n);
  EXPECT_LT(std::fabs(sideways), 0.03f * up);
}

// Nodes with soft particles have pinned particles but no nearest one, which the next level must not look up.
TEST_P(PhysicsHierarchy, lets_cloth_fall_straight_down_whose_pins_are_soft) {
  clothc_test::Sheet sheet(n, n, spacing, 0);
  std::vector<float> stiffness(n * n, 1.0f);
  std::fill(stiffness.begin(), stiffness.begin() + n, 0.5f);
  clothc_mesh_desc desc = sheet.desc();
  desc.flags = CLOTHC_COOK_NO_TETHERS | CLOTHC_COOK_NO_BEND;
  desc.stiffness = stiffness.data();
  World world(GetParam());
  const clothc_fabric fabric = clothc_test::cook_fabric(world.device, desc);
  const clothc_cloth_id cloth = world.add(fabric, heavy(1), {}, {});
  require(clothc_fabric_destroy(fabric));
  const std::vector<Point> before = world.get(cloth);
  world.update(1 / 60.0f, 5);
  const std::vector<Point> after = world.get(cloth);
  for (uint32_t p = 0; p < n; ++p) EXPECT_EQ(after[p].y, before[p].y) << "a pin";
  for (uint32_t p = n; p < n * n; ++p) {
    EXPECT_LT(after[p].y, before[p].y);
    EXPECT_LT(std::fabs(after[p].x - before[p].x), 1e-3f);
  }
}

// Levels act no more than the stretch phases, and not at all without them.
TEST_P(PhysicsHierarchy, is_as_soft_as_the_stretch_phase) {
  const auto width_after = [&](const std::vector<clothc_phase_config>& phases) {
    World world(GetParam());
    clothc_cloth_parameters parameters = parameters_with(1);
    parameters.stiffness_frequency = 10;
    const clothc_cloth_id cloth = add(world, parameters, {}, phases);
    std::vector<Point> points = world.get(cloth);
    for (Point& point : points) point.x *= 1.2f;
    world.set(cloth, CLOTHC_CHANNEL_POSITION, points, CLOTHC_SET_AT_REST);
    world.update(1 / 240.0f);
    const std::vector<Point> after = world.get(cloth);
    return after[n - 1].x - after[0].x;
  };
  const float stretched = 1.2f * spacing * (n - 1);
  const float stiff = width_after({phase_config(stretch_phase)}),
              soft = width_after({phase_config(stretch_phase, 0.5f)});
  EXPECT_LT(stiff, 0.95f * stretched);
  EXPECT_GT(soft, 0.98f * stretched);
  EXPECT_LT(soft, stretched);
  EXPECT_FLOAT_EQ(width_after({phase_config(shear_phase, 0.0f)}), stretched);
}

TEST_P(PhysicsHierarchy, is_off_without_stiffness_as_it_is_without_levels) {
  const auto run = [&](float stiffness, uint32_t flags) {
    World world(GetParam());
    const clothc_cloth_id cloth = add(world, heavy(stiffness), corners, {}, flags);
    world.update(1 / 60.0f, 5);
    return world.get(cloth);
  };
  const std::vector<Point> off = run(0, 0);
  EXPECT_TRUE(same_bits(off, run(0, CLOTHC_COOK_NO_HIERARCHY)));
  EXPECT_TRUE(same_bits(off, run(1, CLOTHC_COOK_NO_HIERARCHY)));
  EXPECT_FALSE(same_bits(off, run(1, 0)));
}

// A particle that is lost takes no other one with it.
TEST_P(PhysicsHierarchy, spares_the_others_when_a_particle_is_lost) {
  World world(GetParam());
  const clothc_cloth_id cloth = add(world, heavy(1), corners);
  std::vector<Point> velocities(n * n, Point{0, 0, 0, 0});
  velocities[n * n / 2].y = 9e8f;
  for (int k = 0; k < 3; ++k) {
    world.set(cloth, CLOTHC_CHANNEL_VELOCITY, velocities);
    world.update(10);
  }
  world.update(1 / 60.0f, 3);
  for (const Point& point : world.get(cloth)) EXPECT_TRUE(std::isfinite(point.x + point.y + point.z));
}

}  // namespace
}  // namespace physics::hierarchy_test
