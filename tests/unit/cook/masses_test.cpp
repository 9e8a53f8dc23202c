// masses_test.cpp - masses from areal density.
#include "cook/topology/masses.h"

#include <gtest/gtest.h>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::masses_test {
namespace {

double total_mass(const FabricData& fabric) {
  double total = 0;
  for (size_t p = 0; p < fabric.particle_count; ++p) total += 1 / double{fabric.positions[p * 4 + 3]};
  return total;
}

TEST(Masses, the_masses_of_a_sheet_add_up_to_its_area_times_the_density) {
  for (MeshData mesh : {test::make_quad_sheet(13, 9), test::make_triangle_sheet(13, 9)}) {
    mesh.areal_density = 0.3f;
    EXPECT_NEAR(total_mass(test::cook_checked(mesh)), double{0.3f} * 3.0 * 2.0, 1e-6);
  }
}

TEST(Masses, pinned_particles_stay_pinned_and_other_inverse_masses_are_replaced) {
  MeshData mesh = test::make_quad_sheet(2, 2);
  mesh.inverse_masses = {0, 5, 6, 7};
  // The sheet weighs 1.5 kg: two triangles of 0.75 kg.
  mesh.areal_density = 24;
  const FabricData fabric = test::cook_checked(mesh);
  EXPECT_EQ(fabric.positions[3], 0.0f);
  EXPECT_FLOAT_EQ(fabric.positions[4 + 3], 4.0f) << "one triangle";
  EXPECT_FLOAT_EQ(fabric.positions[12 + 3], 2.0f) << "two triangles";
}

TEST(Masses, without_density_inverse_masses_are_taken_as_they_are) {
  MeshData mesh = test::make_quad_sheet(2, 2);
  mesh.inverse_masses = {0, 5, 6, 7};
  const FabricData fabric = test::cook_checked(mesh);
  for (size_t p = 0; p < 4; ++p) EXPECT_EQ(fabric.positions[p * 4 + 3], mesh.inverse_masses[p]);
  mesh.inverse_masses.clear();
  EXPECT_EQ(test::cook_checked(mesh).positions[3], 1.0f);
}

TEST(Masses, particles_without_area_weigh_as_much_as_the_mean) {
  MeshData mesh = test::make_triangle_sheet(2, 2);
  mesh.positions.insert(mesh.positions.end(), {9, 9, 9});
  // 1 kg is distributed over four particles.
  mesh.areal_density = 16;
  EXPECT_FLOAT_EQ(test::cook_checked(mesh).positions[16 + 3], 4.0f);
  mesh.triangles.clear();
  EXPECT_EQ(test::cook_checked(mesh).positions[16 + 3], 1.0f);
}

TEST(Masses, inverse_masses_stay_within_the_public_limit) {
  MeshData mesh = test::make_triangle_sheet(2, 2);
  mesh.areal_density = 1e-20f;
  EXPECT_EQ(test::cook_checked(mesh).positions[3], 1e9f);
}

}  // namespace
}  // namespace clothc::masses_test
