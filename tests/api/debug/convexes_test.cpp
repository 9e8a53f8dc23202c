// convexes_test.cpp - debug lines of planes and convexes are the edges of the intersection of half-spaces.
#include "support/drawn_shapes.h"

using namespace clothc_test;

namespace debug_convexes_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(DebugConvexes);

double height_above(const float* plane, const Vector& x) { return dot(vector_at(plane), x) + double{plane[3]}; }

TEST_P(DebugConvexes, of_one_plane_have_a_square_near_the_cloth) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.planes = {0.6f, 0.8f, 0, -5};
  const std::vector<clothc_debug_line> lines = draw(scene, shapes);
  ASSERT_EQ(lines.size(), 11u);
  std::vector<clothc_debug_line> square(lines.begin(), lines.end() - 1);
  expect_on(square, [&](const Vector& x) { return height_above(&shapes.planes[0], x); });
  // The sheet is 1.25 m wide and 1 m long, around (0.625, 1, 0.5).
  const double radius = std::sqrt(1.25 * 1.25 + 1) / 2;
  const Vector nearest = Vector{0.625, 1, 0.5} - (0.6 * 0.625 + 0.8 - 5) * Vector{0.6, 0.8, 0};
  for (const clothc_debug_line& line : square) EXPECT_NEAR(length(line), 2 * radius, 1e-6);
  EXPECT_NEAR(length(from(lines.back()) - nearest), 0, 1e-6);
  EXPECT_NEAR(length(to(lines.back()) - nearest - radius / 2 * Vector{0.6, 0.8, 0}), 0, 1e-6);
}

// A convex of the half-spaces below these planes, and nothing else.
Shapes convex(const std::vector<float>& planes) {
  Shapes shapes;
  shapes.planes = planes;
  shapes.convex_ends = {static_cast<uint32_t>(planes.size() / 4)};
  for (uint32_t k = 0; k < shapes.convex_ends[0]; ++k) shapes.convex_planes.push_back(k);
  return shapes;
}

// Expects edges that are on two planes each, below all others, and returns their number.
size_t expect_edges(const std::vector<clothc_debug_line>& lines, const std::vector<float>& planes,
                    double tolerance = 1e-6) {
  for (const clothc_debug_line& line : lines) {
    int touched = 0;
    for (size_t k = 0; k < planes.size(); k += 4) {
      const double begin = height_above(&planes[k], from(line)), end = height_above(&planes[k], to(line));
      EXPECT_LT(std::max(begin, end), tolerance);
      touched += std::max(std::fabs(begin), std::fabs(end)) < tolerance ? 1 : 0;
    }
    EXPECT_EQ(touched, 2);
    EXPECT_GT(length(line), tolerance);
  }
  return lines.size();
}

TEST_P(DebugConvexes, have_the_edges_of_the_intersection) {
  const Scene scene(GetParam());
  // A cube of 2 m around (3, 0, 0), and one of its corners cut off.
  std::vector<float> planes = {1, 0, 0, -4, -1, 0, 0, 2, 0, 1, 0, -1, 0, -1, 0, -1, 0, 0, 1, -1, 0, 0, -1, -1};
  EXPECT_EQ(expect_edges(draw(scene, convex(planes)), planes), 12u);
  const float third = std::sqrt(1.0f / 3);
  planes.insert(planes.end(), {third, third, third, -third * 5.5f});
  EXPECT_EQ(expect_edges(draw(scene, convex(planes)), planes), 15u);
  // A plane that touches nothing of it adds no edge, and one beyond everything leaves nothing.
  planes.insert(planes.end(), {0, 1, 0, -2});
  EXPECT_EQ(expect_edges(draw(scene, convex(planes)), planes), 15u);
  planes.insert(planes.end(), {0, 1, 0, 3});
  EXPECT_EQ(draw(scene, convex(planes)).size(), 0u);
}

// Number of lines, of those with the same ends one.
size_t distinct(const std::vector<clothc_debug_line>& lines) {
  std::vector<clothc_debug_line> found;
  for (const clothc_debug_line& line : lines) {
    const auto is_same = [&](const clothc_debug_line& other) {
      return std::min(length(from(line) - from(other)) + length(to(line) - to(other)),
                      length(from(line) - to(other)) + length(to(line) - from(other))) < 1e-5;
    };
    if (std::none_of(found.begin(), found.end(), is_same)) found.push_back(line);
  }
  return found.size();
}

TEST_P(DebugConvexes, keep_their_edges_where_more_than_two_planes_meet) {
  const Scene scene(GetParam());
  const std::vector<float> cube = {1, 0, 0, -4, -1, 0, 0, 2, 0, 1, 0, -1, 0, -1, 0, -1, 0, 0, 1, -1, 0, 0, -1, -1};
  // A plane through the edge at x = 4 and y = 1, one through the corner beside it, and one that is there twice.
  const float root = std::sqrt(0.5f), third = std::sqrt(1.0f / 3);
  for (const std::vector<float>& more :
       {std::vector<float>{root, root, 0, -root * 5}, std::vector<float>{third, third, third, -third * 6},
        std::vector<float>{0, 1, 0, -1}}) {
    std::vector<float> planes = cube;
    for (int turn = 0; turn < 7; ++turn) {
      planes = cube;
      planes.insert(planes.begin() + turn * 4, more.begin(), more.end());
      EXPECT_EQ(distinct(draw(scene, convex(planes))), 12u) << "the plane has the place " << turn;
    }
  }
}

TEST_P(DebugConvexes, of_many_planes_are_polyhedra) {
  const Scene scene(GetParam());
  // Planes that touch a sphere of 10 m at points of a spiral (Fibonacci). In general position, three of them meet in
  // each corner, so that Euler's formula gives 3 faces - 6 edges.
  std::vector<float> planes;
  constexpr uint32_t count = 100;
  for (uint32_t k = 0; k < count; ++k) {
    const double z = 1 - (2 * k + 1.0) / count, turn = 2.399963229728653 * k, r = std::sqrt(1 - z * z);
    const double normal[3] = {r * std::cos(turn), r * std::sin(turn), z};
    for (const double n : normal) planes.push_back(static_cast<float>(n));
    planes.push_back(-10);
  }
  EXPECT_EQ(expect_edges(draw(scene, convex(planes)), planes, 1e-5), 3 * count - 6);
}

TEST_P(DebugConvexes, without_an_end_are_drawn_near_the_cloth) {
  const Scene scene(GetParam());
  const double radius = std::sqrt(1.25 * 1.25 + 1) / 2;
  const Vector centre = {0.625, 1, 0.5};
  // A wedge has a single edge, without corners: along z, through (3, 1).
  std::vector<float> planes = {1, 0, 0, -3, 0, 1, 0, -1};
  std::vector<clothc_debug_line> lines = draw(scene, convex(planes));
  EXPECT_EQ(expect_edges(lines, planes), 1u);
  EXPECT_NEAR(length(lines[0]), 2 * radius, 1e-6);
  EXPECT_NEAR(length(0.5 * (from(lines[0]) + to(lines[0])) - Vector{3, 1, centre[2]}), 0, 1e-6);
  // A corner has three edges, which begin there.
  planes.insert(planes.end(), {0, 0, 1, -7});
  lines = draw(scene, convex(planes));
  EXPECT_EQ(expect_edges(lines, planes), 3u);
  for (const clothc_debug_line& line : lines) {
    EXPECT_NEAR(length(line), radius, 1e-6);
    EXPECT_NEAR(std::min(length(from(line) - Vector{3, 1, 7}), length(to(line) - Vector{3, 1, 7})), 0, 1e-6);
  }
  // A slab has no edges, so both of its planes are squares.
  planes = {0, 1, 0, -1, 0, -1, 0, -1};
  EXPECT_EQ(draw(scene, convex(planes)).size(), 22u);
}

}  // namespace
}  // namespace debug_convexes_test
