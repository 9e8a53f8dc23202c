// winding_number_test.cpp - compares winding numbers with solid angles known in closed form, and fast winding numbers
// with exact ones.
#include "cook/sdf/winding_number.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cook/topology/outward.h"
#include "unit/cook/mesh_list.h"
#include "unit/cook/solids.h"

namespace clothc::winding_number_test {
namespace {

using cook::Vector;
using cook::WindingNumber;

cook::Bvh bvh_of(const test::Solid& solid) {
  return cook::build_bvh(
      cook::face_outward(solid.vertices.data(), solid.vertex_count(), solid.triangles.data(), solid.triangle_count()));
}

Vector random_point(uint64_t seed, double size) {
  return {size * double{test::noise(seed * 3)}, size * double{test::noise(seed * 3 + 1)},
          size * double{test::noise(seed * 3 + 2)}};
}

// A square of side 2 covers a sixth of the sphere when seen from height 1 above its middle.
TEST(WindingNumber, of_a_square_is_its_solid_angle) {
  const Vector a = {-1, -1, 0}, b = {1, -1, 0}, c = {1, 1, 0}, d = {-1, 1, 0};
  const cook::Bvh bvh = cook::build_bvh({a, b, c, a, c, d});
  const WindingNumber winding(bvh);
  EXPECT_NEAR(winding.at({0, 0, 1}), -1.0 / 6, 1e-8);
  EXPECT_NEAR(winding.at({0, 0, -1}), 1.0 / 6, 1e-8);
  EXPECT_NEAR(winding.at({3, 0, 0}), 0, 1e-12);
  EXPECT_NEAR(winding.at({0.1, 0.2, -1e-9}), 0.5, 1e-8);
  EXPECT_NEAR(winding.at({0.1, 0.2, 1e-9}), -0.5, 1e-8);
}

TEST(WindingNumber, of_a_closed_surface_is_a_whole_number) {
  const cook::Bvh bvh = bvh_of(test::make_torus(0.5, 0.2, 64, 32));
  const WindingNumber every_triangle(bvh, 1e9);
  for (uint64_t i = 0; i < 500; ++i) {
    const Vector p = random_point(i, 0.8);
    const double ring = std::sqrt(p.x * p.x + p.y * p.y) - 0.5, distance = std::sqrt(ring * ring + p.z * p.z) - 0.2;
    if (std::abs(distance) < 2e-3) continue;
    EXPECT_NEAR(every_triangle.at(p), distance < 0 ? 1 : 0, 1e-8);
  }
}

TEST(WindingNumber, counts_how_many_solids_a_point_is_in) {
  test::Solid spheres = test::make_sphere(0.5f, 3);
  for (const float radius : {0.4f, 0.3f, 0.2f}) spheres = test::joined(spheres, test::make_sphere(radius, 3));
  const cook::Bvh bvh = bvh_of(spheres);
  const WindingNumber every_triangle(bvh, 1e9);
  const double x[] = {0.55, 0.45, 0.35, 0.25, 0.1};
  for (int count = 0; count < 5; ++count) EXPECT_NEAR(every_triangle.at({x[count], 0.01, 0.02}), count, 1e-8);
}

TEST(WindingNumber, of_far_groups_is_close_to_that_of_all_triangles) {
  for (const test::Solid& solid :
       {test::make_torus(0.5, 0.2, 64, 32), test::make_sphere(0.6f, 4), test::make_box(0.5f, 0.6f, 0.01f)}) {
    const cook::Bvh bvh = bvh_of(solid);
    const WindingNumber every_triangle(bvh, 1e9), quick(bvh);
    for (uint64_t i = 0; i < 500; ++i) {
      const Vector p = random_point(i, 0.8);
      EXPECT_NEAR(quick.at(p), every_triangle.at(p), 0.05);
    }
  }
}

TEST(WindingNumber, without_triangles_is_zero) {
  const cook::Bvh bvh = cook::build_bvh({});
  EXPECT_EQ(WindingNumber(bvh).at({1, 2, 3}), 0);
}

}  // namespace
}  // namespace clothc::winding_number_test
