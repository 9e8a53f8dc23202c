// triangle_area_test.cpp - triangles take their area at rest, at the rate of their stiffness, and keep their momentum.
#include "physics/typed_set.h"

namespace physics::triangle_area_test {
namespace {

using PhysicsTriangleArea = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsTriangleArea);

const std::vector<uint32_t> corners = {0, 1, 2};

// A triangle of 0.3 m2 in no special position. The inverse masses differ.
std::vector<Point> triangle() { return {{0.1f, 0.2f, 0.3f, 1}, {1.1f, 0.2f, 0.3f, 2}, {0.4f, 0.56f, 0.78f, 0.5f}}; }

double area_of(const std::vector<Point>& p) {
  return length(cross(place_of(p[1]) - place_of(p[0]), place_of(p[2]) - place_of(p[0]))) / 2;
}

TEST_P(PhysicsTriangleArea, grows_and_shrinks_to_the_area_at_rest) {
  for (const float rest : {0.05f, 0.3f, 0.6f}) {
    World world(GetParam());
    const clothc_cloth_id cloth =
        add_typed(world, triangle(), CLOTHC_CONSTRAINT_TRIANGLE_AREA, corners, {rest, 1}, 1, without_motion());
    world.update(1 / 60.0f, 20);
    EXPECT_NEAR(area_of(world.get(cloth)), double{rest}, 1e-6);
  }
}

TEST_P(PhysicsTriangleArea, at_rest_grows_with_the_square_of_the_scale) {
  World world(GetParam());
  const clothc_cloth_id cloth =
      add_typed(world, triangle(), CLOTHC_CONSTRAINT_TRIANGLE_AREA, corners, {0.3f, 1}, 1, without_motion(), 1.5f);
  world.update(1 / 60.0f, 20);
  EXPECT_NEAR(area_of(world.get(cloth)), 0.3 * 1.5 * 1.5, 1e-6);
}

// Only corner 2 is free, and the area grows evenly with its height, so that the law is exact for errors of any size.
TEST_P(PhysicsTriangleArea, removes_the_part_of_an_error_that_its_stiffness_says) {
  World world(GetParam());
  clothc_cloth_parameters parameters = without_motion();
  parameters.stiffness_frequency = 60;
  std::vector<Point> points = triangle();
  points[0].w = points[1].w = 0;
  const double error = area_of(points) - 0.5;
  for (const double stiffness : {0.1, 0.5, 0.9}) {
    const clothc_cloth_id cloth = add_typed(world, points, CLOTHC_CONSTRAINT_TRIANGLE_AREA, corners,
                                            {0.5f, static_cast<float>(stiffness)}, 1, parameters);
    world.update(1 / 60.0f);
    EXPECT_NEAR(area_of(world.get(cloth)) - 0.5, error * (1 - stiffness), 1e-6) << "stiffness " << stiffness;
  }
}

TEST_P(PhysicsTriangleArea, keeps_the_momentum_of_corners_of_unequal_masses) {
  World world(GetParam());
  const clothc_cloth_id cloth =
      add_typed(world, triangle(), CLOTHC_CONSTRAINT_TRIANGLE_AREA, corners, {0.5f, 1}, 1, without_motion());
  world.update(1 / 60.0f);
  const std::vector<Point> after = world.get(cloth);
  const Moment moment = moment_of(triangle(), after);
  EXPECT_GT(length(place_of(after[1]) - place_of(triangle()[1])), 0.05);
  EXPECT_LT(length(moment.linear), 1e-6);
  EXPECT_LT(length(moment.angular), 1e-6);
}

// A line of points has no direction in which its area grows.
TEST_P(PhysicsTriangleArea, leaves_a_triangle_without_an_area_alone) {
  World world(GetParam());
  const std::vector<Point> line = {{0, 0, 0, 1}, {1, 0, 0, 1}, {2, 0, 0, 1}};
  const clothc_cloth_id cloth =
      add_typed(world, line, CLOTHC_CONSTRAINT_TRIANGLE_AREA, corners, {0.5f, 1}, 1, without_motion());
  world.update(1 / 60.0f, 3);
  EXPECT_TRUE(same_bits(world.get(cloth), line));
}

}  // namespace
}  // namespace physics::triangle_area_test
