// flat_sheets_test.cpp - sheets in a plane through the origin, out of which something pushes one particle. Constraints
// pass a part of the push from neighbour to neighbour, which soon is smaller than anything that a float can hold.
#include <cmath>

#include "support/world.h"

namespace physics::flat_sheets_test {
namespace {

using PhysicsFlatSheets = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsFlatSheets);

constexpr uint32_t side = 30, update_count = 4;
// m. Coordinates and displacements below this become 0.
constexpr float smallest = 0x1p-64f;

// The positions after each update of a sheet that hangs by an edge along its plane, y = 0, and the hash after the last.
struct Course {
  std::vector<std::vector<Point>> positions;
  uint64_t hash;
};

Course course_of(const Target& target, float push) {
  World world(target);
  Plan plan = sheet({side, 1, 0.2f, true});
  for (uint32_t row = 0; row < side; ++row) plan.points[side * row].w = 0;
  plan.points[side * side / 2 + side - 1].y = push;
  clothc_cloth_parameters parameters = default_parameters();
  fill(parameters.gravity, 0);
  parameters.gravity[0] = 9.81f;
  const clothc_cloth_id cloth = world.add(plan, parameters);
  Course course;
  for (uint32_t k = 0; k < update_count; ++k) {
    world.update(1 / 60.0f);
    course.positions.push_back(world.get(cloth));
  }
  course.hash = world.hash();
  return course;
}

TEST_P(PhysicsFlatSheets, hold_no_coordinate_that_is_almost_zero) {
  const Course course = course_of(GetParam(), 0.01f);
  for (const std::vector<Point>& points : course.positions) {
    uint32_t moved = 0, unmoved = 0;
    for (const Point& p : points) {
      (p.y == 0 ? unmoved : moved) += 1;
      EXPECT_TRUE(p.y == 0 || smallest <= std::fabs(p.y)) << p.y;
    }
    EXPECT_GT(moved, side);
    EXPECT_GT(unmoved, side);
  }
}

TEST_P(PhysicsFlatSheets, have_the_bits_of_the_processor) {
  for (const float push : {0.01f, 1e-9f, 2 * smallest})
    EXPECT_EQ(course_of(GetParam(), push).hash, course_of(cpu_target, push).hash) << push;
}

}  // namespace
}  // namespace physics::flat_sheets_test
