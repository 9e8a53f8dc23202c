// dihedral_test.cpp - two triangles with a common edge fold to their rest angle, to either side, at the rate of their
// stiffness, and keep their momentum.
#include "physics/typed_set.h"

namespace physics::dihedral_test {
namespace {

using PhysicsDihedral = TargetTest;
PHYSICS_ON_ALL_TARGETS(PhysicsDihedral);

const std::vector<uint32_t> hinge = {0, 1, 2, 3};

// Two triangles with the common edge 0 1 and the given angle between them. edge: inverse mass of the particles 0 and 1.
// wings: that of particle 2.
std::vector<Point> folded(double angle, float edge, float wings) {
  return {{0, 0, 0, edge},
          {1, 0, 0, edge},
          {0.3f, 0, 0.8f, wings},
          {0.6f, static_cast<float>(-0.7 * std::sin(angle)), static_cast<float>(-0.7 * std::cos(angle)), 1}};
}

// The angle from the plane of triangle 0 1 2 to that of triangle 1 0 3, positive towards the normal of 0 1 2.
double angle_of(const std::vector<Point>& p) {
  const Vector3 edge = place_of(p[1]) - place_of(p[0]);
  const Vector3 n2 = cross(edge, place_of(p[2]) - place_of(p[0]));
  const Vector3 n3 = cross(place_of(p[3]) - place_of(p[0]), edge);
  return std::atan2(dot(cross(n3, n2), edge) / length(edge), dot(n2, n3));
}

TEST(PhysicsDihedralEverywhere, the_test_measures_the_angle_that_it_makes) {
  for (const double angle : {-2.5, -0.5, 0.0, 1.0, 3.0}) EXPECT_NEAR(angle_of(folded(angle, 0, 0)), angle, 1e-6);
}

TEST_P(PhysicsDihedral, folds_a_free_wing_to_the_rest_angle) {
  for (const float rest : {0.0f, 0.7f, -0.7f, 2.5f, -2.5f}) {
    World world(GetParam());
    const std::vector<Point> points = folded(0.2, 0, 0);
    const clothc_cloth_id cloth =
        add_typed(world, points, CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, hinge, {rest, 1}, 1, without_motion());
    world.update(1 / 60.0f, 60);
    const std::vector<Point> after = world.get(cloth);
    EXPECT_NEAR(angle_of(after), double{rest}, 1e-4) << "rest angle " << rest;
    for (size_t k = 0; k < 3; ++k) EXPECT_EQ(length(place_of(after[k]) - place_of(points[k])), 0) << "pinned " << k;
  }
}

// One iteration removes the part k = 1 - (1 - stiffness)^(stiffness_frequency h) of a small error.
TEST_P(PhysicsDihedral, removes_the_part_of_an_error_that_its_stiffness_says) {
  World world(GetParam());
  clothc_cloth_parameters parameters = without_motion();
  parameters.stiffness_frequency = 60;
  for (const double stiffness : {0.1, 0.5, 0.9}) {
    const clothc_cloth_id cloth = add_typed(world, folded(0.51, 0, 0), CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, hinge,
                                            {0.5f, static_cast<float>(stiffness)}, 1, parameters);
    world.update(1 / 60.0f);
    EXPECT_NEAR(angle_of(world.get(cloth)) - 0.5, 0.01 * (1 - stiffness), 2e-5) << "stiffness " << stiffness;
  }
}

TEST_P(PhysicsDihedral, keeps_the_momentum_of_free_triangles_of_unequal_masses) {
  World world(GetParam());
  const std::vector<Point> points = folded(1.3, 0.25f, 3);
  const clothc_cloth_id cloth =
      add_typed(world, points, CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, hinge, {-0.4f, 1}, 1, without_motion());
  world.update(1 / 60.0f);
  const std::vector<Point> after = world.get(cloth);
  const Moment moment = moment_of(points, after);
  EXPECT_GT(length(place_of(after[3]) - place_of(points[3])), 0.05);
  EXPECT_LT(length(moment.linear), 2e-6);
  EXPECT_LT(length(moment.angular), 2e-6);
}

// A triangle without an area has no angle with another one.
TEST_P(PhysicsDihedral, leaves_flat_triangles_and_points_in_one_place_alone) {
  World world(GetParam());
  std::vector<Point> line = folded(0.3, 1, 1), point = line;
  line[2] = {0.5f, 0, 0, 1};
  point[1] = point[2] = point[3] = point[0];
  for (const std::vector<Point>& points : {line, point}) {
    const clothc_cloth_id cloth =
        add_typed(world, points, CLOTHC_CONSTRAINT_DIHEDRAL_ANGLE, hinge, {1, 1}, 1, without_motion());
    world.update(1 / 60.0f, 3);
    EXPECT_TRUE(same_bits(world.get(cloth), points));
  }
}

}  // namespace
}  // namespace physics::dihedral_test
