// outward_test.cpp - which way triangles are oriented, and which are left out.
#include "cook/topology/outward.h"

#include <gtest/gtest.h>

#include "unit/cook/mesh_list.h"
#include "unit/cook/solids.h"

namespace clothc::outward_test {
namespace {

using cook::Vector;
using test::Solid;

std::vector<Vector> turn(const Solid& solid) {
  return cook::face_outward(solid.vertices.data(), solid.vertex_count(), solid.triangles.data(),
                            solid.triangle_count());
}

// Returns the sum of the signed volumes of the tetrahedra between the triangles and the origin.
double volume_of(const std::vector<Vector>& corners) {
  double volume = 0;
  for (size_t i = 0; i < corners.size(); i += 3) volume += dot(corners[i], cross(corners[i + 1], corners[i + 2])) / 6;
  return volume;
}

TEST(Outward, every_closed_part_gets_a_positive_volume) {
  const Solid left = test::make_box(1, 1, 1), right = test::turned_inside_out(test::make_sphere(0.5f, 2, 5, 0, 0));
  const std::vector<Vector> both = turn(test::joined(left, right));
  EXPECT_NEAR(volume_of({both.begin(), both.begin() + 36}), 8, 1e-12);
  EXPECT_NEAR(volume_of({both.begin() + 36, both.end()}), 0.48, 0.03);
}

TEST(Outward, parts_are_welded_where_vertices_are_split) {
  const Solid box = test::make_box(1, 1, 1);
  // Every triangle has its own vertices, and every second triangle has the wrong orientation.
  Solid split;
  for (size_t i = 0; i < box.triangles.size(); ++i) {
    const float* p = &box.vertices[box.triangles[i] * 3];
    split.vertices.insert(split.vertices.end(), p, p + 3);
    split.triangles.push_back(static_cast<uint32_t>(i));
  }
  for (size_t t = 0; t < split.triangles.size(); t += 6) std::swap(split.triangles[t], split.triangles[t + 1]);
  EXPECT_NEAR(volume_of(turn(split)), 8, 1e-12);
}

// Neither box has open edges, but one edge has four triangles.
TEST(Outward, two_boxes_that_share_an_edge_are_both_turned) {
  const Solid box = test::make_box(1, 1, 1);
  Solid other = test::turned_inside_out(box);
  for (size_t v = 0; v < other.vertices.size(); v += 3) {
    other.vertices[v] += 2;
    other.vertices[v + 1] += 2;
  }
  EXPECT_NEAR(volume_of(turn(test::joined(box, other))), 16, 1e-12);
  EXPECT_NEAR(volume_of(turn(test::joined(other, box))), 16, 1e-12);
}

// Six separate sides share no vertex, and none of them encloses a volume alone.
TEST(Outward, open_parts_are_turned_together) {
  const Solid box = test::turned_inside_out(test::make_box(1, 1, 1));
  Solid panels;
  for (size_t i = 0; i < box.triangles.size(); ++i) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const size_t side = i / 6;
      const float explode = axis == 2 - side / 2 ? 1.25f : 1.0f;
      panels.vertices.push_back(box.vertices[box.triangles[i] * 3 + axis] * explode);
    }
    panels.triangles.push_back(static_cast<uint32_t>(i));
  }
  EXPECT_NEAR(volume_of(turn(panels)), 10, 1e-12);
}

TEST(Outward, a_flat_sheet_keeps_the_way_most_of_it_winds) {
  MeshData sheet = test::make_triangle_sheet(4, 4);
  for (const bool up : {true, false}) {
    Solid solid = {sheet.positions, sheet.triangles};
    if (!up) solid = test::turned_inside_out(solid);
    std::swap(solid.triangles[6], solid.triangles[7]);
    const std::vector<Vector> corners = turn(solid);
    for (size_t i = 0; i < corners.size(); i += 3) {
      EXPECT_EQ(cross(corners[i + 1] - corners[i], corners[i + 2] - corners[i]).z > 0, up);
    }
  }
}

TEST(Outward, a_band_with_one_side_is_left_as_it_is_walked) {
  // This is a Moebius strip: the last quad joins the first one upside down.
  Solid band;
  for (uint32_t i = 0; i < 5; ++i) {
    const float x = static_cast<float>(i), up = static_cast<float>(i * i);
    band.vertices.insert(band.vertices.end(), {x, up, 0, x, up, 1});
    const uint32_t a = 2 * i, b = 2 * i + 1, c = i < 4 ? a + 2 : 1, d = i < 4 ? b + 2 : 0;
    band.triangles.insert(band.triangles.end(), {a, c, b, b, c, d});
  }
  EXPECT_EQ(turn(band).size(), band.triangles.size());
}

TEST(Outward, repeated_positions_and_triangles_are_left_out) {
  Solid box = test::make_box(1, 1, 1);
  box.triangles.insert(box.triangles.end(), {0, 0, 1, 2, 1, 0, 0, 2, 1});
  EXPECT_EQ(turn(box).size(), 36u);
  EXPECT_EQ(turn({}).size(), 0u);
}

}  // namespace
}  // namespace clothc::outward_test
