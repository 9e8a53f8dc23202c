// probes_test.cpp - checks the probes against plain code and checks that every instruction set and Vulkan give the same
// bits.
#include <gtest/gtest.h>

#include <cmath>

#include "parity/dialect/probe_scenes.h"
#include "parity/dialect/ptx_runner.h"
#include "parity/dialect/vulkan_runner.h"

namespace clothc::probes::probes_test {
namespace {

using Point = std::array<double, 3>;

Point operator-(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Point operator+(const Point& a, const Point& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Point operator*(const Point& a, double s) { return {a[0] * s, a[1] * s, a[2] * s}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point point(const Vector& v) { return {v[0], v[1], v[2]}; }

Arenas scalar_result(const ProbeScene& scene) {
  Arenas arenas = scene.arenas;
  run({&cpu::scalar_kernels, scalar_functions}, arenas, {scene.job});
  return arenas;
}

void expect_same_bits_everywhere(const ProbeScene& scene) {
  const Arenas expected = scalar_result(scene);
  for_each_instruction_set([&](const InstructionSet& set) {
    Arenas arenas = scene.arenas;
    run(set, arenas, {scene.job});
    EXPECT_EQ(first_difference(expected, arenas), "") << set.kernels->name;
  });
  const std::unique_ptr<PtxRunner> runner = PtxRunner::create(CLOTHC_PTX_FOLDER);
  if (runner->has(scene.job.kernel)) {
    Arenas arenas = scene.arenas;
    runner->run(arenas, {scene.job}, {ptx::Order::permuted});
    EXPECT_EQ(first_difference(expected, arenas), "") << "PTX";
    EXPECT_EQ(ptx::take_races(), std::vector<std::string>());
  } else {
    std::printf("the probes do not run as PTX: there is no nvcc to compile them\n");
  }
  std::string reason;
  const std::unique_ptr<VulkanRunner> vulkan = VulkanRunner::create(CLOTHC_SHADER_FOLDER, {}, reason);
  if (!vulkan) GTEST_SKIP() << reason;
  Arenas arenas = scene.arenas;
  vulkan->run(arenas, {scene.job});
  EXPECT_EQ(first_difference(expected, arenas), "") << "Vulkan";
}

double distance_to_segment(const Point& p, const Point& a, const Point& b) {
  const Point ab = b - a;
  const double length2 = dot(ab, ab);
  const double t = length2 > 0 ? std::fmin(1, std::fmax(0, dot(p - a, ab) / length2)) : 0;
  const Point d = p - (a + ab * t);
  return std::sqrt(dot(d, d));
}

// Returns the distance to the plane if the projection lies inside the triangle, and to the edges otherwise. This
// deliberately differs from the probe's method.
double distance_to_triangle(const Point& p, const Triangle& triangle) {
  const Point a = point(triangle[0]), b = point(triangle[1]), c = point(triangle[2]);
  const Point ab = b - a, ac = c - a, ap = p - a;
  const Point n = {ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2], ab[0] * ac[1] - ab[1] * ac[0]};
  const double area2 = dot(n, n);
  if (area2 > 0) {
    const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac), pb = dot(ap, ab), pc = dot(ap, ac);
    const double v = (cc * pb - bc * pc) / area2, w = (bb * pc - bc * pb) / area2;
    if (v >= 0 && w >= 0 && v + w <= 1) return std::fabs(dot(ap, n)) / std::sqrt(area2);
  }
  return std::fmin(distance_to_segment(p, a, b), std::fmin(distance_to_segment(p, b, c), distance_to_segment(p, c, a)));
}

TEST(Probes, grid_neighbours_are_those_of_a_search_over_all_pairs) {
  const ProbeScene scene = make_grid_scene();
  const Arenas result = scalar_result(scene);
  uint32_t total = 0;
  for (uint32_t k = 0; k < scene.particle_count; ++k) {
    Point sum = {0, 0, 0};
    uint32_t neighbours = 0;
    for (uint32_t other = 0; other < scene.particle_count; ++other) {
      const Point d = point(position_of(scene, k)) - point(position_of(scene, other));
      const double distance = std::sqrt(dot(d, d));
      if (other == k || distance >= grid_radius_metres) continue;
      sum = sum + d * (0.5 * (grid_radius_metres - distance) / distance);
      ++neighbours;
    }
    total += neighbours;
    EXPECT_EQ(result.tables[scene.result + k], neighbours) << "particle " << k;
    const float* correction = element(result, scene.arenas.frame.exchange, k);
    for (size_t axis = 0; axis < 3; ++axis) EXPECT_NEAR(correction[axis], sum[axis], 1e-4) << "particle " << k;
  }
  EXPECT_GT(total, 3 * scene.particle_count);
}

TEST(Probes, the_closest_triangle_is_that_of_a_search_over_all_triangles) {
  const ProbeScene scene = make_bvh_scene();
  const Arenas result = scalar_result(scene);
  for (uint32_t k = 0; k < scene.particle_count; ++k) {
    const Point p = point(position_of(scene, k));
    double nearest = 1e30;
    for (const Triangle& triangle : scene.triangles) nearest = std::fmin(nearest, distance_to_triangle(p, triangle));
    const uint32_t found = result.tables[scene.result + k];
    ASSERT_LT(found, scene.triangles.size());
    EXPECT_NEAR(distance_to_triangle(p, scene.triangles[found]), nearest, 1e-5) << "particle " << k;
    const float* closest = element(result, scene.arenas.frame.exchange, k);
    const Point d = Point{closest[0], closest[1], closest[2]} - p;
    EXPECT_NEAR(std::sqrt(dot(d, d)), nearest, 1e-5) << "particle " << k;
    EXPECT_NEAR(std::sqrt(closest[3]), nearest, 1e-5) << "particle " << k;
  }
}

TEST(Probes, grid_neighbours_have_the_same_bits_everywhere) { expect_same_bits_everywhere(make_grid_scene()); }
TEST(Probes, closest_triangles_have_the_same_bits_everywhere) { expect_same_bits_everywhere(make_bvh_scene()); }
TEST(Probes, functions_have_the_same_bits_everywhere) { expect_same_bits_everywhere(make_function_scene()); }

}  // namespace
}  // namespace clothc::probes::probes_test
