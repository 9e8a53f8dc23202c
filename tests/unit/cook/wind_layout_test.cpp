// wind_layout_test.cpp - reads batches and fans of wind as kernels do: every triangle has one place with its corners, and
// every particle finds its triangles in ascending order. Grids that are stored row by row need hardly any list.
#include <gtest/gtest.h>

#include <algorithm>

#include "cook/cook.h"
#include "cook/layout/wind.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::cook_wind_layout_test {
namespace {

using Corners = std::array<uint32_t, 3>;

// What kernels find in the words of a fabric.
struct Wind {
  // [places] the corners of the triangle there.
  std::vector<Corners> corners;
  std::vector<bool> has_triangle;
  // [padded particles] the places that each one names.
  std::vector<std::vector<uint32_t>> fans;
  size_t list_count = 0, run_count = 0;
};

Wind wind_of(const LaidOutFabric& laid_out, uint32_t particle_count) {
  const WindLayout& wind = laid_out.layout.wind;
  const auto word = [&](uint32_t at) { return laid_out.words.at(at); };
  Wind result;
  for (uint32_t place = 0; place < wind.place_count; ++place) {
    const uint32_t batch = wind.batches + place / lane_padding * WindLayout::batch_words, lane = place % lane_padding;
    const bool has_lists = (word(batch) & WindLayout::has_lists) != 0;
    Corners corners;
    for (uint32_t k = 0; k < 3; ++k) {
      const uint32_t named = word(batch + 1 + k);
      corners[k] = has_lists ? word(wind.batches + named + lane) : named + lane;
    }
    result.corners.push_back(corners);
    result.has_triangle.push_back((word(batch) >> lane & 1) != 0);
    (has_lists ? result.list_count : result.run_count) += lane == 0;
  }
  for (uint32_t particle = 0; particle < padded(particle_count); ++particle) {
    result.fans.emplace_back();
    const uint32_t slice = wind.fans + particle / lane_padding, lane = particle % lane_padding;
    for (uint32_t row = word(slice); row < word(slice + 1); ++row) {
      const uint32_t named = word(wind.fans + row);
      const bool has_list = static_cast<int32_t>(named) < 0;
      result.fans.back().push_back(has_list ? word(wind.fans + named + lane) : named + lane);
      (has_list ? result.list_count : result.run_count) += lane == 0;
    }
  }
  return result;
}

// Checks what the kernels rely on. The triangles are those of triangle_corners, by number.
void expect_wind(const LaidOutFabric& laid_out, uint32_t particle_count) {
  const FabricLayout& layout = laid_out.layout;
  ASSERT_EQ(layout.wind.place_count % lane_padding, 0u);
  const Wind wind = wind_of(laid_out, particle_count);
  std::vector<Corners> triangles;
  for (uint32_t t = 0; t < layout.triangle_count; ++t) {
    const auto corner = [&](uint32_t k) {
      return laid_out.words[layout.triangle_corners + k * layout.triangle_stride + t];
    };
    triangles.push_back({corner(0), corner(1), corner(2)});
  }
  std::vector<Corners> placed;
  for (size_t place = 0; place < wind.corners.size(); ++place) {
    for (const uint32_t corner : wind.corners[place])
      ASSERT_LT(corner + padding_particle_count, padding_particle_count + padded(particle_count)) << "place " << place;
    const bool is_padding = wind.corners[place] == Corners{padding_particle, padding_particle, padding_particle};
    if (wind.has_triangle[place] && !is_padding) placed.push_back(wind.corners[place]);
  }
  std::vector<Corners> sorted = triangles;
  std::sort(sorted.begin(), sorted.end());
  std::sort(placed.begin(), placed.end());
  ASSERT_EQ(placed, sorted) << "each triangle has one place";
  std::vector<std::vector<Corners>> expected(wind.fans.size());
  for (const Corners& corners : triangles) {
    for (const uint32_t corner : corners) {
      std::vector<Corners>& fan = expected.at(corner);
      if (fan.empty() || fan.back() != corners) fan.push_back(corners);
    }
  }
  for (uint32_t particle = 0; particle < wind.fans.size(); ++particle) {
    std::vector<Corners> found;
    for (const uint32_t place : wind.fans[particle]) {
      ASSERT_LT(place, layout.wind.place_count);
      const bool is_empty = !wind.has_triangle[place] || wind.corners[place][0] == padding_particle;
      if (!is_empty) found.push_back(wind.corners[place]);
    }
    ASSERT_EQ(found, expected[particle]) << "particle " << particle;
  }
}

double share_of_runs(const LaidOutFabric& laid_out) {
  const Wind wind = wind_of(laid_out, laid_out.layout.particle_count);
  return static_cast<double>(wind.run_count) / static_cast<double>(wind.run_count + wind.list_count);
}

// A grid of 50 x 40 whose quads are divided along their diagonals by turns.
MeshData grid_of_diamonds() {
  MeshData mesh = test::make_quad_sheet(50, 40);
  for (size_t quad = 0; quad < mesh.quads.size() / 4; ++quad) {
    const uint32_t* c = &mesh.quads[quad * 4];
    const bool turned = (c[0] % 50 + c[0] / 50) % 2 != 0;
    for (const size_t corner : {0, 1, 2, 0, 2, 3}) mesh.triangles.push_back(c[(corner + (turned ? 1 : 0)) % 4]);
  }
  mesh.quads.clear();
  return mesh;
}

std::vector<test::NamedMesh> meshes() {
  std::vector<test::NamedMesh> list = test::all_meshes();
  list.push_back({"grid", test::make_quad_sheet(50, 40)});
  list.push_back({"grid of triangles", test::make_triangle_sheet(50, 40)});
  list.push_back({"grid of a multiple of 16 columns", test::make_quad_sheet(32, 32)});
  list.push_back({"grid of diamonds", grid_of_diamonds()});
  list.push_back({"narrow grid", test::make_quad_sheet(3, 200)});
  list.push_back({"wide tube", test::make_tube(50, 30)});
  list.push_back({"shuffled grid", test::shuffled(test::make_quad_sheet(40, 30))});
  MeshData holes = test::make_quad_sheet(50, 40);
  std::vector<uint32_t> kept;
  for (size_t quad = 0; quad < holes.quads.size() / 4; ++quad) {
    if (quad % 41 != 0) kept.insert(kept.end(), &holes.quads[quad * 4], &holes.quads[quad * 4] + 4);
  }
  holes.quads = kept;
  list.push_back({"grid with holes", holes});
  return list;
}

TEST(WindLayout, each_triangle_has_a_place_and_each_particle_finds_its_triangles) {
  for (const test::NamedMesh& named : meshes()) {
    SCOPED_TRACE(named.name);
    for (const bool reorder : {true, false}) {
      MeshData mesh = named.mesh;
      mesh.reorder = reorder;
      const LaidOutFabric laid_out = lay_out(cook_mesh(mesh));
      expect_wind(laid_out, laid_out.layout.particle_count);
      LaidOutFabric without_runs = laid_out;
      const uint32_t slices = padded(laid_out.layout.particle_count) / lane_padding;
      cook::lay_out_wind_without_runs(slices, without_runs.layout, without_runs.words);
      expect_wind(without_runs, laid_out.layout.particle_count);
    }
  }
}

TEST(WindLayout, grids_need_few_lists_and_few_empty_places) {
  for (const MeshData& mesh : {test::make_quad_sheet(50, 50), test::make_quad_sheet(32, 32),
                               test::make_quad_sheet(40, 30), test::make_triangle_sheet(50, 50)}) {
    const LaidOutFabric laid_out = lay_out(cook_mesh(mesh));
    EXPECT_GT(share_of_runs(laid_out), 0.95);
    EXPECT_LT(laid_out.layout.wind.place_count, 1.08 * laid_out.layout.triangle_count);
  }
  // Every second place would be empty.
  EXPECT_EQ(share_of_runs(lay_out(cook_mesh(grid_of_diamonds()))), 0);
  EXPECT_EQ(share_of_runs(lay_out(cook_mesh(test::make_sphere(12u, 9u)))), 0);
}

// However long its rows are, and although another order would bring the particles of constraints closer together.
TEST(WindLayout, wide_grids_keep_their_order_and_shuffled_ones_do_not) {
  for (const MeshData& mesh : {test::make_quad_sheet(160, 27), test::make_triangle_sheet(160, 27)}) {
    const FabricData fabric = cook_mesh(mesh);
    EXPECT_TRUE(fabric.storage_order.empty());
    EXPECT_GT(share_of_runs(lay_out(fabric)), 0.95);
  }
  EXPECT_FALSE(cook_mesh(test::shuffled(test::make_quad_sheet(24, 24))).storage_order.empty());
}

TEST(WindLayout, without_triangles_is_empty) {
  FabricData fabric;
  fabric.particle_count = fabric.vertex_count = 3;
  fabric.vertex_map = {0, 1, 2};
  const WindLayout wind = lay_out(fabric).layout.wind;
  EXPECT_EQ(wind.place_count + wind.lists + wind.batches + wind.fans, 0u);
}

}  // namespace
}  // namespace clothc::cook_wind_layout_test
