// loose_shapes_test.cpp - angles and areas of triangles that no distances hold together: whatever their values at rest,
// their stiffness and the solver's frequency, a sheet of them never has more energy than it would have in free fall.
#include <algorithm>
#include <cmath>

#include "physics/typed_set.h"

namespace physics::loose_shapes_test {
namespace {

using PhysicsLooseShapes = TargetTest;
PHYSICS_ON_ALL_DEVICES(PhysicsLooseShapes);

constexpr uint32_t side = 6;
constexpr float spacing = 0.1f;
constexpr double gravity = 9.81;

struct Shapes {
  bool has_angles = true;
  bool has_areas = false;
  bool hangs = false;
  float angle = 0;
  // Area at rest as a part of that at the begin.
  float area = 1;
  float stiffness = 1;
  float frequency = 300;
  // Adds the distances of a whole sheet, and its own phase for them.
  bool has_distances = false;
};

// A set of constraints of one type that share their parameters.
struct Set {
  clothc_constraint_type type;
  std::vector<uint32_t> particles;
  std::vector<float> own = {};
  std::vector<float> parameters = {};
  void add(const std::vector<uint32_t>& corners) {
    particles.insert(particles.end(), corners.begin(), corners.end());
    parameters.insert(parameters.end(), own.begin(), own.end());
  }
};

std::vector<Point> points_of(const Shapes& wanted) {
  std::vector<Point> points;
  for (uint32_t i = 0; i < side * side; ++i) {
    const float x = spacing * static_cast<float>(i % side), z = spacing * static_cast<float>(i / side);
    const float y = 0.0001f * static_cast<float>(i * 7 % 10);
    points.push_back({x, y, z, wanted.hangs && i < side ? 0.0f : 1.0f});
  }
  return points;
}

// The squares a b c d have the diagonal a c, with an angle on it and on the sides between two squares.
std::vector<Set> sets_of(const Shapes& wanted) {
  Set angles{CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, {}, {wanted.angle, wanted.stiffness}};
  Set areas{CLOTHC_CONSTRAINT_TRIANGLE_AREA, {}, {wanted.area * spacing * spacing / 2, wanted.stiffness}};
  Set edges{CLOTHC_CONSTRAINT_DISTANCE, {}, {spacing}},
      diagonals{CLOTHC_CONSTRAINT_DISTANCE, {}, {spacing * 1.41421356f}};
  for (uint32_t i = 0; i < side * side; ++i) {
    const bool inner_x = i % side + 1 < side, inner_z = i / side + 1 < side;
    const uint32_t a = i, b = i + 1, c = i + 1 + side, d = i + side;
    if (inner_x) edges.add({a, b});
    if (inner_z) edges.add({a, d});
    if (!inner_x || !inner_z) continue;
    diagonals.add({a, c});
    angles.add({a, c, d, b});
    areas.add({a, b, c}), areas.add({a, c, d});
    if (i % side + 2 < side) angles.add({b, c, a, c + 1});
    if (i / side + 2 < side) angles.add({d, c, a, c + side});
  }
  std::vector<Set> sets;
  if (wanted.has_angles) sets.push_back(angles);
  if (wanted.has_areas) sets.push_back(areas);
  if (wanted.has_distances) sets.push_back(edges), sets.push_back(diagonals);
  return sets;
}

clothc_cloth_id add_sheet(World& world, const Shapes& wanted, const std::vector<Point>& points) {
  std::vector<clothc_constraint_set> sets;
  std::vector<uint32_t> phases;
  const std::vector<Set> wanted_sets = sets_of(wanted);
  for (const Set& from : wanted_sets) {
    auto set = initialised<clothc_constraint_set>();
    set.type = from.type;
    set.constraint_count = from.parameters.size() / from.own.size();
    set.particles = from.particles.data();
    set.parameters = from.parameters.data();
    phases.push_back(static_cast<uint32_t>(sets.size()));
    sets.push_back(set);
  }
  auto desc = initialised<clothc_fabric_desc>();
  desc.particle_count = side * side;
  desc.phase_count = static_cast<uint32_t>(phases.size());
  desc.phase_sets = phases.data();
  desc.constraint_sets = sets.data();
  desc.constraint_set_count = static_cast<uint32_t>(sets.size());
  const clothc_fabric fabric = clothc_test::create_fabric(world.device, desc);
  clothc_cloth_parameters parameters = default_parameters();
  parameters.solver_frequency = wanted.frequency;
  parameters.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY;
  const clothc_cloth_id cloth = world.add(fabric, parameters, points);
  require(clothc_fabric_destroy(fabric));
  return cloth;
}

// The largest kinetic energy as a part of that of free fall of all particles at the same time, in so many updates of
// 1/60 s. Infinite if something is not finite.
double most_energy(const Target& target, const Shapes& wanted, int updates) {
  World world(target);
  const std::vector<Point> points = points_of(wanted);
  const clothc_cloth_id cloth = add_sheet(world, wanted, points);
  const double mass =
      static_cast<double>(std::count_if(points.begin(), points.end(), [](const Point& point) { return point.w > 0; }));
  double most = 0;
  for (int k = 1; k <= updates; ++k) {
    world.update(1 / 60.0f);
    const clothc_cloth_status status = world.status(cloth);
    const double speed = gravity * k / 60;
    const double part = status.kinetic_energy / (0.5 * mass * speed * speed);
    if (status.non_finite_count > 0 || !(part < 1e30)) return INFINITY;
    most = std::max(most, part);
  }
  return most;
}

// 2 % are for rounding, of displacements of 1e-5 m at distances of metres.
void expect_no_more_than_free_fall(const Target& target, Shapes wanted) {
  const bool is_slow = is_software(target);
  for (const float frequency : {30.0f, 300.0f, 1000.0f}) {
    for (const float stiffness : {0.1f, 1.0f}) {
      if (is_slow && (frequency != 300 || stiffness != 1)) continue;
      wanted.frequency = frequency;
      wanted.stiffness = stiffness;
      EXPECT_LE(most_energy(target, wanted, is_slow ? 6 : 40), 1.02)
          << (wanted.hangs ? "hung, " : "free, ") << "angle " << wanted.angle << ", part of area " << wanted.area
          << ", stiffness " << stiffness << ", " << frequency << " Hz";
    }
  }
}

TEST_P(PhysicsLooseShapes, of_angles_have_no_more_energy_than_in_free_fall) {
  for (const float angle : {0.0f, 1.5f, -2.5f, 3.1415927f}) {
    if (is_software(GetParam()) && angle != 1.5f) continue;
    for (const bool hangs : {false, true}) {
      Shapes wanted;
      wanted.angle = angle;
      wanted.hangs = hangs;
      expect_no_more_than_free_fall(GetParam(), wanted);
    }
  }
}

TEST_P(PhysicsLooseShapes, of_areas_have_no_more_energy_than_in_free_fall) {
  for (const float area : {0.0f, 0.5f, 1.0f, 100.0f}) {
    if (is_software(GetParam()) && area != 100) continue;
    for (const bool hangs : {false, true}) {
      Shapes wanted;
      wanted.has_angles = false;
      wanted.has_areas = true;
      wanted.area = area;
      wanted.hangs = hangs;
      expect_no_more_than_free_fall(GetParam(), wanted);
    }
  }
}

TEST_P(PhysicsLooseShapes, of_angles_and_areas_have_no_more_energy_than_in_free_fall) {
  for (const float angle : {0.0f, 1.5f, -3.1f}) {
    if (is_software(GetParam()) && angle != 1.5f) continue;
    for (const bool hangs : {false, true}) {
      Shapes wanted;
      wanted.has_areas = true;
      wanted.angle = angle;
      wanted.hangs = hangs;
      expect_no_more_than_free_fall(GetParam(), wanted);
    }
  }
}

// Distances that the cloth leaves out hold nothing.
TEST_P(PhysicsLooseShapes, with_distances_that_are_not_solved_have_no_more_energy_than_in_free_fall) {
  World world(GetParam());
  Shapes wanted;
  wanted.angle = 1.5f;
  wanted.hangs = true;
  wanted.has_distances = true;
  const std::vector<Point> points = points_of(wanted);
  const clothc_cloth_id cloth = add_sheet(world, wanted, points);
  const clothc_phase_config only_angles = phase_config(0);
  require(clothc_cloth_set_phases(world.solver, cloth, &only_angles, 1));
  const int updates = is_software(GetParam()) ? 6 : 60;
  world.update(1 / 60.0f, updates);
  const double speed = gravity * updates / 60;
  EXPECT_LE(world.status(cloth).kinetic_energy, 1.02 * 0.5 * side * (side - 1) * speed * speed);
}

// Angles that distances hold together still drive particles: the sheet swings up from where it hangs straight. The edges
// hold it without the diagonals.
TEST_P(PhysicsLooseShapes, are_others_than_angles_that_distances_hold_together) {
  const auto energy_with = [&](bool has_distances, const std::vector<clothc_phase_config>& phases) {
    Shapes wanted;
    wanted.angle = 0.5f;
    wanted.has_distances = has_distances;
    World world(GetParam());
    const clothc_cloth_id cloth = add_sheet(world, wanted, points_of(wanted));
    clothc_cloth_parameters parameters = plain_parameters(300);
    parameters.statistics = CLOTHC_STATISTIC_KINETIC_ENERGY;
    world.set_parameters(cloth, parameters);
    if (!phases.empty())
      require(clothc_cloth_set_phases(world.solver, cloth, phases.data(), static_cast<uint32_t>(phases.size())));
    world.update(1 / 60.0f);
    return world.status(cloth).kinetic_energy;
  };
  EXPECT_LE(energy_with(false, {}), 1e-6f);
  EXPECT_GT(energy_with(true, {}), 1);
  EXPECT_GT(energy_with(true, {phase_config(0), phase_config(1)}), 1);
  EXPECT_LE(energy_with(true, {phase_config(0), phase_config(1, 0)}), 1e-6f);
}

}  // namespace
}  // namespace physics::loose_shapes_test
