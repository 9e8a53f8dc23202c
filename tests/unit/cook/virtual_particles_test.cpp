// virtual_particles_test.cpp - virtual particles are the centres of a triangle's equal parts.
#include "cook/constraints/virtual_particles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"

namespace clothc::cook_virtual_particles_test {
namespace {

using Point = std::array<double, 2>;

FabricData one_triangle(uint32_t per_triangle) {
  MeshData mesh = test::make_triangle_sheet(2, 2);
  mesh.triangles.resize(3);
  mesh.virtual_particles_per_triangle = per_triangle;
  return cook_mesh(mesh);
}

// Returns the centres of the parts of the triangle (0, 0), (1, 0), (0, 1), computed from their corners.
std::vector<Point> centres(uint32_t parts) {
  std::vector<Point> points;
  const auto add = [&](std::array<Point, 3> corners) {
    Point sum = {0, 0};
    for (const Point& corner : corners) sum[0] += corner[0], sum[1] += corner[1];
    points.push_back({sum[0] / 3 / parts, sum[1] / 3 / parts});
  };
  for (uint32_t i = 0; i < parts; ++i) {
    for (uint32_t j = 0; i + j < parts; ++j) {
      const double x = i, y = j;
      add({{{x, y}, {x + 1, y}, {x, y + 1}}});
      if (i + j + 2 <= parts) add({{{x + 1, y}, {x, y + 1}, {x + 1, y + 1}}});
    }
  }
  return points;
}

TEST(VirtualParticles, are_the_centres_of_equal_parts_of_a_triangle) {
  for (uint32_t parts = 1; parts <= 8; ++parts) {
    const FabricData fabric = one_triangle(parts * parts);
    std::vector<Point> expected = centres(parts);
    ASSERT_EQ(expected.size(), parts * parts);
    ASSERT_EQ(fabric.virtual_particle_count(), parts * parts);
    ASSERT_EQ(fabric.virtual_weights.size(), parts * parts * 3);
    for (size_t v = 0; v < fabric.virtual_particle_count(); ++v) {
      const uint32_t* entry = &fabric.virtual_particles[v * 4];
      EXPECT_TRUE(std::equal(entry, entry + 3, fabric.triangles.begin()));
      const float* weights = &fabric.virtual_weights[entry[3] * size_t{3}];
      EXPECT_NEAR(double{weights[0]} + double{weights[1]} + double{weights[2]}, 1, 1e-7);
      const auto near = std::find_if(expected.begin(), expected.end(), [&](const Point& p) {
        return std::abs(p[0] - double{weights[1]}) < 1e-6 && std::abs(p[1] - double{weights[2]}) < 1e-6;
      });
      ASSERT_NE(near, expected.end()) << parts << " parts: " << weights[1] << ", " << weights[2];
      // Each centre must occur once.
      expected.erase(near);
    }
  }
}

TEST(VirtualParticles, four_of_a_triangle_have_the_weights_of_the_manual) {
  const FabricData fabric = one_triangle(4);
  const float third = 1.0f / 3, sixth = 1.0f / 6;
  EXPECT_EQ(fabric.virtual_weights, (std::vector<float>{2 * third, sixth, sixth, third, third, third, sixth, 2 * third,
                                                        sixth, sixth, sixth, 2 * third}));
}

TEST(VirtualParticles, quads_have_those_of_their_two_triangles) {
  for (const uint32_t per_triangle : {0u, 1u, 4u, 9u}) {
    MeshData mesh = test::make_quad_sheet(7, 5);
    mesh.virtual_particles_per_triangle = per_triangle;
    const FabricData fabric = test::cook_checked(mesh);
    ASSERT_EQ(fabric.triangle_count(), 48u);
    ASSERT_EQ(fabric.virtual_particle_count(), 48 * per_triangle);
    for (size_t v = 0; v < fabric.virtual_particle_count(); ++v) {
      const auto corners = fabric.triangles.begin() + static_cast<std::ptrdiff_t>(v / per_triangle * 3);
      EXPECT_TRUE(std::equal(corners, corners + 3, &fabric.virtual_particles[v * 4]));
      EXPECT_EQ(fabric.virtual_particles[v * 4 + 3], v % per_triangle);
    }
  }
}

TEST(VirtualParticles, a_mesh_without_triangles_has_none) {
  MeshData mesh = test::make_points(3, 3);
  mesh.virtual_particles_per_triangle = 4;
  const FabricData fabric = test::cook_checked(mesh);
  EXPECT_TRUE(fabric.virtual_particles.empty() && fabric.virtual_weights.empty());
}

TEST(VirtualParticles, change_nothing_else_of_a_fabric) {
  MeshData mesh = test::shuffled(test::make_triangle_sheet(20, 20));
  const FabricData plain = test::cook_checked(mesh);
  mesh.virtual_particles_per_triangle = 4;
  const FabricData fabric = test::cook_checked(mesh);
  EXPECT_EQ(fabric.indices, plain.indices);
  EXPECT_EQ(fabric.triangles, plain.triangles);
  const LaidOutFabric laid_out = lay_out(fabric), plain_laid_out = lay_out(plain);
  for (size_t set = 0; set < plain.set_ends.size(); ++set) {
    EXPECT_EQ(test::array_at(laid_out, laid_out.layout.sets[set].rows.particles),
              test::array_at(plain_laid_out, plain_laid_out.layout.sets[set].rows.particles));
  }
  EXPECT_EQ(test::array_at(laid_out, laid_out.layout.triangle_corners),
            test::array_at(plain_laid_out, plain_laid_out.layout.triangle_corners));
  EXPECT_NE(laid_out.layout.content_hash, plain_laid_out.layout.content_hash);
}

}  // namespace
}  // namespace clothc::cook_virtual_particles_test
