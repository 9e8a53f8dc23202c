// split_levels_test.cpp - coarse levels that are cooked again from the layout of a fabric: those of the fabric while
// nothing is split, and afterwards none that reach across a cut.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "cook/hierarchy/levels.h"
#include "cook/layout/known_levels.h"
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

constexpr uint32_t n = 30, cut_column = 15, first_cut_row = 15;

// A sheet that is cut along a column from the middle to the last row, and its first level before and after that.
struct CutSheet {
  explicit CutSheet(const MeshData& mesh) : fabric(test::lay_out_without_rings(cook_mesh(mesh))), cut(fabric) {
    std::vector<uint32_t>& order = cut.layout.storage_order;
    for (uint32_t p = 0; p < n * n && order.size() < n * n; ++p) order.push_back(p);
    const auto number_of = [&](uint32_t stored) {
      return static_cast<uint32_t>(std::find(order.begin(), order.end(), stored) - order.begin());
    };
    std::map<uint32_t, uint32_t> split;
    for (uint32_t p = first_cut_row * n + cut_column; p < n * n; p += n) {
      origins.push_back(fabric.layout.storage_index(p));
      split[origins.back()] = cut.layout.particle_count;
      order.push_back(cut.layout.particle_count++);
      for (size_t k = 0; k < 4; ++k) {
        const float coordinate = cut.layout.positions[p * 4 + k];
        cut.layout.positions.push_back(coordinate);
      }
    }
    for (uint32_t t = 0; t < fabric.layout.triangle_count; ++t) {
      const auto word = [&](uint32_t row) {
        return fabric.layout.triangle_corners + row * fabric.layout.triangle_stride + t;
      };
      bool is_right = false;
      for (uint32_t row = 0; row < 3; ++row) is_right = is_right || number_of(fabric.words[word(row)]) % n > cut_column;
      for (uint32_t row = 0; row < 3 && is_right; ++row) {
        const auto found = split.find(fabric.words[word(row)]);
        if (found != split.end()) cut.words[word(row)] = found->second;
      }
    }
    levels = cook::lay_out_split_levels({cut.layout, cut.words, origins});
    levels.layout.particle_count = cut.layout.particle_count;
    levels.layout.storage_order = order;
    before = cook::read_first_level({fabric.layout, fabric.words, {}});
    after = cook::read_first_level({levels.layout, levels.words, {}});
  }
  LaidOutFabric fabric, cut, levels;
  std::vector<uint32_t> origins;
  cook::KnownLevel before, after;
};

// The particles whose nodes a particle follows, with the weights.
std::map<uint32_t, float> parents_of(const cook::KnownLevel& level, uint32_t particle) {
  const size_t count = level.clusters.size();
  std::map<uint32_t, float> parents;
  for (size_t k = 0; k < cook::parents_per_node; ++k) {
    const size_t at = k * count + particle;
    if (level.weights[at] != 0) parents[level.particles[level.parents[at]]] = level.weights[at];
  }
  return parents;
}

TEST(SplitLevels, are_those_of_the_fabric_far_from_what_was_split) {
  for (const MeshData& mesh : {test::make_quad_sheet(n, n), test::make_triangle_sheet(n, n)}) {
    const CutSheet sheet(mesh);
    for (uint32_t p = 0; p < n * n; ++p) {
      const uint32_t column = p % n;
      if (column + 9 > cut_column && column < cut_column + 9) continue;
      EXPECT_EQ(parents_of(sheet.after, p), parents_of(sheet.before, p)) << "particle " << p;
      EXPECT_EQ(sheet.after.particle_lengths[p], sheet.before.particle_lengths[p]) << "particle " << p;
    }
  }
}

// What is kept fits what is new: every particle follows nodes on its own side of the cut, with weights that add up to 1,
// and the shares of nodes are the sums of the weights.
TEST(SplitLevels, have_parents_on_the_same_side_of_a_cut) {
  for (const MeshData& mesh : {test::make_quad_sheet(n, n), test::make_triangle_sheet(n, n)}) {
    const CutSheet sheet(mesh);
    const auto is_right = [&](uint32_t p) { return p >= n * n || p % n > cut_column; };
    const auto row_of = [&](uint32_t p) { return p < n * n ? p / n : first_cut_row + (p - n * n); };
    std::vector<float> shares(sheet.after.particles.size(), 0.0f);
    for (uint32_t p = 0; p < sheet.cut.layout.particle_count; ++p) {
      float sum = 0;
      for (const auto& [node, weight] : parents_of(sheet.after, p)) {
        sum += weight;
        const bool is_far_down = row_of(p) > first_cut_row + 8;
        EXPECT_TRUE(!is_far_down || is_right(node) == is_right(p)) << "particle " << p << ", node " << node;
        const auto found = std::find(sheet.after.particles.begin(), sheet.after.particles.end(), node);
        shares[static_cast<size_t>(found - sheet.after.particles.begin())] += weight;
      }
      EXPECT_NEAR(sum, 1, 1e-6) << "particle " << p;
    }
    const uint32_t nodes = sheet.levels.layout.levels[1].nodes;
    for (size_t k = 0; k < shares.size(); ++k)
      EXPECT_NEAR(test::float_of(sheet.levels.words[nodes + k]), 1 / shares[k], 1e-5) << "node " << k;
  }
}

// At the last row, the two sides are apart: lengths lead around the end of the cut, and no link leads across it far down.
TEST(SplitLevels, have_no_links_across_a_cut) {
  const CutSheet sheet(test::make_quad_sheet(n, n));
  const auto is_right = [&](uint32_t p) { return p >= n * n || p % n > cut_column; };
  const auto row_of = [&](uint32_t p) { return p < n * n ? p / n : first_cut_row + (p - n * n); };
  EXPECT_GT(sheet.after.links.size(), sheet.before.links.size() / 2);
  for (const cook::Link& link : sheet.after.links) {
    const uint32_t a = sheet.after.particles[link.nodes.first], b = sheet.after.particles[link.nodes.second];
    const bool are_far_down = row_of(a) > first_cut_row + 4 && row_of(b) > first_cut_row + 4;
    EXPECT_TRUE(!are_far_down || is_right(a) == is_right(b)) << a << " and " << b;
  }
}

}  // namespace
}  // namespace clothc::split_levels_test
