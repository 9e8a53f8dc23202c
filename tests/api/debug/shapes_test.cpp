// shapes_test.cpp - debug lines of colliders lie on the surfaces of the shapes, where the next update begins, in the
// cloth's frame or in the world. convexes_test.cpp has those of planes.
#include <map>

#include "support/drawn_shapes.h"

using namespace clothc_test;

namespace debug_shapes_test {
namespace {

CLOTHC_ON_EVERY_BACKEND(DebugShapes);

TEST_P(DebugShapes, that_are_spheres_have_three_circles) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.spheres = {1, 2, 3, 0.5f, -4, 0, 1, 2};
  const std::vector<clothc_debug_line> lines = draw(scene, shapes);
  ASSERT_EQ(lines.size(), 2 * 96u);
  const std::vector<clothc_debug_line> first(lines.begin(), lines.begin() + 96),
      second(lines.begin() + 96, lines.end());
  expect_on(first, [](const Vector& x) { return length(x - Vector{1, 2, 3}) - 0.5; });
  expect_on(second, [](const Vector& x) { return length(x - Vector{-4, 0, 1}) - 2; });
}

// The signed distance of a point to the convex hull of two spheres, by its definition as the least distance to a sphere
// between them.
double distance_to_capsule(const Vector& x, const float* a, const float* b) {
  const auto distance = [&](double t) {
    return length(x - (vector_at(a) + t * (vector_at(b) - vector_at(a)))) - (double{a[3]} + t * double{b[3] - a[3]});
  };
  double low = 0, high = 1;
  for (int k = 0; k < 100; ++k) {
    const double third = (high - low) / 3;
    if (distance(low + third) < distance(high - third)) {
      high -= third;
    } else {
      low += third;
    }
  }
  return distance(low);
}

TEST_P(DebugShapes, that_are_capsules_have_the_cone_tangent_to_both_spheres) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.spheres = {0, 0, 0, 0.5f, 1, 2, -1, 0.2f, 9, 9, 9, 1};
  shapes.capsules = {0, 1};
  const std::vector<clothc_debug_line> lines = draw(scene, shapes);
  ASSERT_EQ(lines.size(), 96u + 136) << "the last sphere, then the capsule";
  const std::vector<clothc_debug_line> capsule(lines.begin() + 96, lines.end());
  expect_on(capsule, [&](const Vector& x) { return distance_to_capsule(x, &shapes.spheres[0], &shapes.spheres[4]); });
  // Lines along the cone are on it over their whole length: their middles are.
  int along = 0;
  for (const clothc_debug_line& line : capsule) {
    const Vector middle = 0.5 * (from(line) + to(line));
    if (length(line) < 1) continue;
    EXPECT_NEAR(distance_to_capsule(middle, &shapes.spheres[0], &shapes.spheres[4]), 0, 1e-6);
    ++along;
  }
  EXPECT_EQ(along, 8);
  // The half circles go around the poles.
  const Vector axis = (1 / std::sqrt(6.0)) * Vector{1, 2, -1};
  for (const Vector& pole : {-0.5 * axis, Vector{1, 2, -1} + 0.2 * axis}) {
    EXPECT_EQ(std::count_if(capsule.begin(), capsule.end(),
                            [&](const clothc_debug_line& line) { return length(from(line) - pole) < 1e-6; }),
              4);
  }
}

TEST_P(DebugShapes, that_are_capsules_without_a_cone_are_spheres) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.spheres = {0, 0, 0, 1, 0.5f, 0, 0, 0.25f};
  shapes.capsules = {0, 1};
  EXPECT_EQ(draw(scene, shapes).size(), 2 * 96u);
}

TEST_P(DebugShapes, that_are_ellipsoids_have_three_ellipses) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.ellipsoids = {1, 2, 3, 0.6f, 0, 0.48f, 0.64f, 0.5f, 1, 2, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1};
  const std::vector<clothc_debug_line> lines = draw(scene, shapes);
  ASSERT_EQ(lines.size(), 96u) << "the second one has a radius of 0";
  const float back[4] = {-0.6f, 0, -0.48f, 0.64f};
  expect_on(lines, [&](const Vector& x) {
    const Vector local = turned(x - Vector{1, 2, 3}, back);
    return std::sqrt(local[0] * local[0] / 0.25 + local[1] * local[1] + local[2] * local[2] / 4) - 1;
  });
}

TEST_P(DebugShapes, that_are_boxes_have_twelve_edges) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.boxes = {1, 2, 3, 0.6f, 0, 0.48f, 0.64f, 0.5f, 1, 2};
  const std::vector<clothc_debug_line> lines = draw(scene, shapes);
  ASSERT_EQ(lines.size(), 12u);
  const float back[4] = {-0.6f, 0, -0.48f, 0.64f};
  const double half_sides[3] = {0.5, 1, 2};
  for (size_t axis = 0; axis < 3; ++axis) {
    expect_on(lines, [&](const Vector& x) {
      return std::fabs(turned(x - Vector{1, 2, 3}, back)[axis]) - half_sides[axis];
    });
  }
  std::map<long, int> lengths;
  for (const clothc_debug_line& line : lines) ++lengths[std::lround(length(line))];
  EXPECT_EQ(lengths, (std::map<long, int>{{1, 4}, {2, 4}, {4, 4}}));
}

TEST_P(DebugShapes, that_are_triangles_have_each_edge_once) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.vertices = {0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1};
  shapes.triangles = {0, 2, 1, 1, 2, 3};
  const std::vector<clothc_debug_line> lines = draw(scene, shapes);
  ASSERT_EQ(lines.size(), 5u);
  const size_t ends[5][2] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  for (size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(from(lines[k]), vector_at(&shapes.vertices[ends[k][0] * 3]));
    EXPECT_EQ(to(lines[k]), vector_at(&shapes.vertices[ends[k][1] * 3]));
  }
}

TEST_P(DebugShapes, that_are_instances_have_the_edges_of_the_mesh_and_the_box_of_the_grid) {
  const Scene scene(GetParam());
  Shapes shapes;
  shapes.instances = {1, 2, 3, 0.6f, 0, 0.48f, 0.64f, 2, -1, 0, 0, 0, 0, 0.6f, 0.8f, 0.5f};
  shapes.instance_assets = {first_mesh, first_sdf};
  const std::vector<clothc_debug_line> lines = draw(scene, shapes);
  ASSERT_EQ(lines.size(), 12u + 12) << "an octahedron and a box";
  const float back[4] = {-0.6f, 0, -0.48f, 0.64f}, sdf_back[4] = {0, 0, -0.6f, 0.8f};
  for (size_t k = 0; k < 12; ++k) {
    for (const Vector& x : {from(lines[k]), to(lines[k])}) {
      const Vector local = 0.5 * turned(x - Vector{1, 2, 3}, back);
      EXPECT_NEAR(std::fabs(local[0]) + std::fabs(local[1]) + std::fabs(local[2]), 1, 1e-6);
      EXPECT_NEAR(length(local), 1, 1e-6);
    }
    EXPECT_NEAR(length(lines[k]), 2 * std::sqrt(2.0), 1e-6);
  }
  // Nodes from -1.5 on, 1 m apart: 4, 5 and 4 of them.
  const double most[3] = {1.5, 2.5, 1.5};
  for (size_t k = 12; k < 24; ++k) {
    const Vector local = 2.0 * turned(from(lines[k]) - Vector{-1, 0, 0}, sdf_back);
    for (size_t axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(std::min(std::fabs(local[axis] + 1.5), std::fabs(local[axis] - most[axis])), 0, 1e-6);
  }
}

TEST_P(DebugShapes, are_where_the_next_update_begins) {
  Scene scene(GetParam());
  const clothc_collider_set_id set = scene.sphere_set(0, 0, 0, 1);
  list(scene, {set});
  const auto centre = [&] { return 0.5 * (from(draw(scene)[0]) + from(draw(scene)[16])); };
  EXPECT_NEAR(length(centre()), 0, 1e-6);
  scene.step();
  scene.write_sphere(set, 1, 0, 0, 1);
  EXPECT_NEAR(length(centre()), 0, 1e-6) << "the update moves it";
  scene.step();
  EXPECT_NEAR(length(centre() - Vector{1, 0, 0}), 0, 1e-6);
}

TEST_P(DebugShapes, in_the_frame_move_with_it_and_those_in_the_world_do_not) {
  Scene scene(GetParam());
  Shapes shapes = every_shape();
  // Planes are drawn near the cloth.
  shapes.planes.clear(), shapes.convex_ends.clear(), shapes.convex_planes.clear();
  const clothc_collider_set_id set = make_set(scene, shapes);
  list(scene, {set});
  const std::vector<clothc_debug_line> before = draw(scene);
  clothc_cloth_frame frame = initialised<clothc_cloth_frame>();
  const float translation[] = {3, -1, 0.5f}, rotation[] = {0.6f, 0, 0.48f, 0.64f};
  std::copy_n(translation, 3, frame.translation);
  std::copy_n(rotation, 4, frame.rotation);
  frame.flags = CLOTHC_FRAME_TELEPORT;
  ASSERT_OK(clothc_cloth_set_frame(scene.solver, scene.cloth, &frame));
  const std::vector<clothc_debug_line> moved = draw(scene);
  ASSERT_EQ(moved.size(), before.size());
  ASSERT_GT(moved.size(), 300u);
  for (size_t k = 0; k < moved.size(); ++k)
    EXPECT_NEAR(length(from(moved[k]) - vector_at(translation) - turned(from(before[k]), rotation)), 0, 2e-6) << k;
  shapes.space = CLOTHC_COLLIDER_SPACE_WORLD;
  write(scene, set, shapes);
  EXPECT_TRUE(are_same(draw(scene), before));
}

TEST_P(DebugShapes, in_the_world_are_drawn_once_but_planes_near_each_cloth) {
  Scene scene(GetParam());
  Shapes shapes;
  shapes.spheres = {0, 0, 0, 1};
  shapes.planes = {0, 1, 0, 0};
  for (const clothc_collider_space space : {CLOTHC_COLLIDER_SPACE_WORLD, CLOTHC_COLLIDER_SPACE_LOCAL}) {
    shapes.space = space;
    const clothc_collider_set_id set = make_set(scene, shapes);
    clothc_cloth_desc desc = scene.cloth_desc();
    desc.collider_sets = &set;
    desc.collider_set_count = 1;
    const clothc_cloth_id first = scene.add(desc), second = scene.add(desc);
    EXPECT_EQ(draw(scene).size(), space == CLOTHC_COLLIDER_SPACE_WORLD ? 96u + 2 * 11 : 2 * (96u + 11));
    clothc_debug_desc one = debug_desc(CLOTHC_DEBUG_COLLIDERS);
    one.cloth = second;
    EXPECT_EQ(debug_lines(scene.solver, one).size(), 96u + 11);
    ASSERT_OK(clothc_cloth_remove(scene.solver, first));
    ASSERT_OK(clothc_cloth_remove(scene.solver, second));
  }
}

}  // namespace
}  // namespace debug_shapes_test
