// split_levels_test.cpp - coarse levels that are cooked again from the layout of a fabric: those of the fabric while
// nothing is split, and afterwards none that reach across a cut.
#include <gtest/gtest.h>

#include <algorithm>

#include "cook/layout/split_levels.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::split_levels_test {
namespace {

// Returns the words from the first one that levels have.
std::vector<uint32_t> words_of_levels(const LaidOutFabric& laid_out) {
  const auto first = static_cast<std::ptrdiff_t>(laid_out.layout.rest_positions);
  return {laid_out.words.begin() + first, laid_out.words.end()};
}

TEST(SplitLevels, are_those_of_the_fabric_if_nothing_is_split) {
  for (const test::NamedMesh& one : test::all_meshes()) {
    const FabricData fabric = cook_mesh(one.mesh);
    const LaidOutFabric cooked = lay_out(fabric), laid_out = test::lay_out_without_rings(fabric);
    const LaidOutFabric again = cook::lay_out_split_levels({laid_out.layout, laid_out.words, {}});
    ASSERT_EQ(again.layout.levels.size(), cooked.layout.levels.size()) << one.name;
    if (cooked.layout.levels.empty()) continue;
    ASSERT_EQ(words_of_levels(again), words_of_levels(cooked)) << one.name;
  }
}

// Returns the surface of a sheet of 4 x 4 particles, whose constraints and triangles have been changed.
template <class Change>
cook::SplitSurface surface_of_changed(const MeshData& mesh, std::vector<uint32_t> origins, Change change) {
  LaidOutFabric laid_out = test::lay_out_without_rings(cook_mesh(mesh));
  laid_out.layout.particle_count += static_cast<uint32_t>(origins.size());
  for (uint32_t p = 16; p < laid_out.layout.particle_count && !laid_out.layout.storage_order.empty(); ++p)
    laid_out.layout.storage_order.push_back(p);
  change(laid_out);
  return cook::find_surface({laid_out.layout, laid_out.words, origins});
}

size_t quad_count(const cook::SplitSurface& surface) {
  return static_cast<size_t>(
      std::count_if(surface.faces.begin(), surface.faces.end(), [](const cook::Face& face) { return face.is_quad(); }));
}

TEST(SplitLevels, have_quads_where_the_mesh_had_them) {
  const auto nothing = [](LaidOutFabric&) {};
  EXPECT_EQ(quad_count(surface_of_changed(test::make_quad_sheet(4, 4), {}, nothing)), 9u);
  EXPECT_EQ(quad_count(surface_of_changed(test::make_triangle_sheet(4, 4), {}, nothing)), 0u);
}

// Edges are where constraints were, wherever those are now. Halves of a quad that have come apart are triangles.
TEST(SplitLevels, know_edges_whose_constraints_have_moved_and_halves_that_have_come_apart) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  mesh.reorder = false;
  const cook::SplitSurface moved = surface_of_changed(mesh, {5}, [](LaidOutFabric& laid_out) {
    for (const ConstraintLayout& set : laid_out.layout.sets) {
      for (uint32_t k = 0; k < set.arity * set.rows.stride; ++k) {
        uint32_t& word = laid_out.words[set.rows.particles + k];
        if (word == 5) word = 16;
      }
    }
  });
  EXPECT_EQ(quad_count(moved), 9u);
  const cook::SplitSurface apart = surface_of_changed(mesh, {5}, [](LaidOutFabric& laid_out) {
    const FabricLayout& layout = laid_out.layout;
    for (uint32_t t = 0; t < layout.triangle_count; ++t) {
      for (uint32_t row = 0; row < 3; ++row) {
        uint32_t& word = laid_out.words[layout.triangle_corners + row * layout.triangle_stride + t];
        if (word == 5 && t % 2 == 0) word = 16;
      }
    }
  });
  EXPECT_LT(quad_count(apart), 9u);
  EXPECT_GE(quad_count(apart), 5u);
  EXPECT_EQ(apart.faces.size(), quad_count(apart) + 2 * (9 - quad_count(apart)));
  EXPECT_EQ(apart.triangles.size(), size_t{18} * 3);
}

TEST(SplitLevels, have_soft_particles_where_all_constraints_are_soft) {
  MeshData mesh = test::make_quad_sheet(4, 4);
  const auto nothing = [](LaidOutFabric&) {};
  EXPECT_TRUE(surface_of_changed(mesh, {}, nothing).is_soft.empty());
  mesh.stiffness.assign(16, 1.0f);
  EXPECT_TRUE(surface_of_changed(mesh, {}, nothing).is_soft.empty());
  mesh.stiffness[5] = 0.5f;
  std::vector<bool> expected(16, false);
  expected[5] = true;
  EXPECT_EQ(surface_of_changed(mesh, {}, nothing).is_soft, expected);
}

}  // namespace
}  // namespace clothc::split_levels_test
