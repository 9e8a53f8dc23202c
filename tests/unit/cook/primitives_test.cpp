// primitives_test.cpp - the edges and triangles of a fabric are laid out once each, with padding, and fans find them.
#include "cook/layout/primitives.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cook/cook.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::cook_primitives_test {
namespace {

using Corners = std::vector<uint32_t>;

// The corners of a primitive, sorted, since windings do not matter.
Corners corners_of(const cook::LaidOutPrimitives& laid_out, const cook::PrimitiveLayout& set, size_t count,
                   uint32_t item) {
  Corners corners;
  for (size_t k = 0; k < count; ++k) corners.push_back(laid_out.words[set.corners + k * set.stride + item]);
  std::sort(corners.begin(), corners.end());
  return corners;
}

void expect_padding(const cook::LaidOutPrimitives& laid_out, const cook::PrimitiveLayout& set, size_t count) {
  EXPECT_EQ(set.stride % lane_padding, 0u);
  ASSERT_GT(set.stride, set.count) << "there is a padding primitive";
  for (uint32_t item = set.count; item < set.stride; ++item)
    EXPECT_EQ(corners_of(laid_out, set, count, item), Corners(count, padding_particle));
}

void expect_primitives(const FabricData& fabric) {
  const LaidOutFabric stored = lay_out(fabric);
  const cook::LaidOutPrimitives laid_out = cook::lay_out_primitives(stored.layout, stored.words);
  std::set<Corners> edges;
  for (size_t k = 0; k < fabric.triangles.size(); ++k) {
    Corners ends = {fabric.storage_index(fabric.triangles[k]),
                    fabric.storage_index(fabric.triangles[k % 3 == 2 ? k - 2 : k + 1])};
    std::sort(ends.begin(), ends.end());
    if (ends[0] != ends[1]) edges.insert(ends);
  }
  std::set<Corners> found;
  std::vector<std::set<uint32_t>> around(padded(fabric.particle_count));
  for (uint32_t item = 0; item < laid_out.edges.count; ++item) {
    const Corners ends = corners_of(laid_out, laid_out.edges, 2, item);
    found.insert(ends);
    for (const uint32_t end : ends) around[end].insert(item);
  }
  EXPECT_EQ(found, edges);
  EXPECT_EQ(laid_out.edges.count, edges.size()) << "each edge once";
  EXPECT_EQ(laid_out.edges.numbers, 0u);
  expect_padding(laid_out, laid_out.edges, 2);

  const uint32_t* fans = &laid_out.words[laid_out.edge_fans];
  for (uint32_t particle = 0; particle < around.size(); ++particle) {
    std::set<uint32_t> listed;
    for (uint32_t k = fans[particle / 16] + particle % 16; k < fans[particle / 16 + 1]; k += 16) {
      if (fans[k] != laid_out.edges.count) listed.insert(fans[k]);
    }
    EXPECT_EQ(listed, around[particle]) << "particle " << particle;
  }

  ASSERT_EQ(laid_out.triangles.count, fabric.triangle_count());
  expect_padding(laid_out, laid_out.triangles, 3);
  std::set<uint32_t> numbers;
  for (uint32_t item = 0; item < laid_out.triangles.stride; ++item) {
    const uint32_t number = laid_out.words[laid_out.triangles.numbers + item];
    numbers.insert(number);
    if (item >= laid_out.triangles.count) continue;
    ASSERT_LT(number, fabric.triangle_count());
    Corners corners;
    for (size_t k = 0; k < 3; ++k) corners.push_back(fabric.storage_index(fabric.triangles[size_t{number} * 3 + k]));
    std::sort(corners.begin(), corners.end());
    EXPECT_EQ(corners_of(laid_out, laid_out.triangles, 3, item), corners);
  }
  EXPECT_EQ(numbers.size(), laid_out.triangles.stride) << "a number each";
  EXPECT_EQ(*numbers.rbegin() + 1, laid_out.triangles.stride);
}

TEST(Primitives, are_all_edges_and_triangles_of_every_mesh) {
  for (const test::NamedMesh& named : test::all_meshes()) {
    SCOPED_TRACE(named.name);
    expect_primitives(cook_mesh(named.mesh));
  }
}

TEST(Primitives, of_a_fabric_with_corners_that_are_the_same_have_no_edge_between_them) {
  FabricData fabric;
  fabric.particle_count = fabric.vertex_count = 5;
  fabric.vertex_map = {0, 1, 2, 3, 4};
  fabric.triangles = {0, 1, 1, 2, 2, 2, 3, 4, 0, 0, 4, 3};
  expect_primitives(fabric);
}

// Sixteen neighbours of a square sheet fill a small box, however the sheet is numbered.
TEST(Primitives, are_sorted_so_that_neighbours_are_close_together) {
  const FabricData fabric = cook_mesh(test::shuffled(test::make_quad_sheet(33, 33)));
  const LaidOutFabric stored = lay_out(fabric);
  const cook::LaidOutPrimitives laid_out = cook::lay_out_primitives(stored.layout, stored.words);
  std::vector<uint32_t> particle_at(fabric.particle_count);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) particle_at[fabric.storage_index(p)] = p;
  const auto mean_extent = [&](const cook::PrimitiveLayout& set, size_t count) {
    double sum = 0;
    for (uint32_t first = 0; first < set.count; first += 16) {
      float low[3] = {1e9f, 1e9f, 1e9f}, high[3] = {-1e9f, -1e9f, -1e9f};
      for (uint32_t item = first; item < std::min(first + 16, set.count); ++item) {
        for (const uint32_t corner : corners_of(laid_out, set, count, item)) {
          for (size_t k = 0; k < 3; ++k) {
            const float x = fabric.positions[size_t{particle_at[corner]} * 4 + k];
            low[k] = std::min(low[k], x);
            high[k] = std::max(high[k], x);
          }
        }
      }
      sum += double{std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]})};
    }
    return sum / ((set.count + 15) / 16);
  };
  // The sheet is 8 m wide. Sixteen triangles cover 2 x 4 squares of 0.25 m at best.
  EXPECT_LT(mean_extent(laid_out.edges, 2), 1.5);
  EXPECT_LT(mean_extent(laid_out.triangles, 3), 1.5);
}

}  // namespace
}  // namespace clothc::cook_primitives_test
