// virtual_layout_test.cpp - no two virtual particles of a colour share a particle, each is laid out once, and padding
// refers to a padding particle.
#include "cook/layout/constraint_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "cook/cook.h"
#include "support/sanitized.h"
#include "unit/cook/fabric_checks.h"
#include "unit/cook/mesh_list.h"

namespace clothc::virtual_layout_test {
namespace {

// Three particles by storage index, and their weights.
struct Entry {
  std::array<uint32_t, 3> particles;
  std::array<float, 3> weights;
  bool operator==(const Entry& other) const { return particles == other.particles && weights == other.weights; }
};

Entry given(const FabricData& fabric, size_t v) {
  const uint32_t* entry = &fabric.virtual_particles[v * 4];
  const float* weights = &fabric.virtual_weights[entry[3] * size_t{3}];
  return {{fabric.storage_index(entry[0]), fabric.storage_index(entry[1]), fabric.storage_index(entry[2])},
          {weights[0], weights[1], weights[2]}};
}

Entry entry_at(const LaidOutFabric& laid_out, const ConstraintLayout& set, uint32_t slot) {
  Entry entry;
  for (uint32_t k = 0; k < 3; ++k) {
    entry.particles[k] = test::stored_particle(laid_out, set, k, slot);
    entry.weights[k] = test::parameter(laid_out, set, k, slot);
  }
  return entry;
}

// Returns the set of the virtual particles, or an empty set if there are none.
ConstraintLayout virtual_set(const LaidOutFabric& laid_out) {
  const FabricLayout& layout = laid_out.layout;
  return layout.collision_sets.empty() ? ConstraintLayout{} : layout.sets[layout.collision_sets[0]];
}

// Expects the entries of each colour to be a subsequence of the given ones, and every given entry to be in exactly one
// colour.
void expect_colours(const FabricData& fabric, const LaidOutFabric& laid_out) {
  const ConstraintLayout set = virtual_set(laid_out);
  ASSERT_EQ(laid_out.layout.collision_sets.size(), fabric.virtual_particles.empty() ? 0u : 1u);
  ASSERT_EQ(set.rows.stride % lane_padding, 0u);
  ASSERT_EQ(test::array_at(laid_out, set.rows.particles).size(), size_t{set.rows.stride} * 3);
  ASSERT_EQ(test::array_at(laid_out, set.rows.parameters).size(), size_t{set.rows.stride} * 3);
  const uint32_t padding = padding_particle;
  std::vector<Entry> wanted;
  for (size_t v = 0; v < fabric.virtual_particle_count(); ++v) wanted.push_back(given(fabric, v));
  std::vector<bool> seen(wanted.size(), false);
  std::vector<uint32_t> colour_of(fabric.particle_count, 0);
  uint32_t slot = 0;
  const std::vector<Range> colours = test::colours_of(laid_out, set);
  for (uint32_t c = 0; c < colours.size(); ++c) {
    const Range colour = colours[c];
    ASSERT_EQ(colour.begin, slot) << "right behind the padding of the colour before";
    ASSERT_LT(colour.begin, colour.end);
    size_t v = 0;
    for (; slot < colour.end; ++slot, ++v) {
      const Entry entry = entry_at(laid_out, set, slot);
      while (v < seen.size() && (seen[v] || !(wanted[v] == entry))) ++v;
      ASSERT_LT(v, seen.size()) << "slot " << slot << " is none of those given, or out of order";
      seen[v] = true;
      for (const uint32_t particle : entry.particles) {
        ASSERT_NE(colour_of[particle], c + 1) << "colour " << c << " has particle " << particle << " twice";
        colour_of[particle] = c + 1;
      }
    }
    for (; slot % lane_padding != 0; ++slot)
      ASSERT_EQ(entry_at(laid_out, set, slot), (Entry{{padding, padding, padding}, {0, 0, 0}}));
  }
  EXPECT_EQ(slot, set.rows.stride);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), false), 0);
}

TEST(VirtualLayout, virtual_particles_of_a_colour_share_no_particle) {
  size_t reordered = 0;
  std::vector<test::NamedMesh> meshes = test::all_meshes();
  meshes.push_back({"many shuffled triangles", test::shuffled(test::make_triangle_sheet(30, 40))});
  for (const test::NamedMesh& named : meshes) {
    SCOPED_TRACE(named.name);
    for (const uint32_t per_triangle : {1u, 4u, 9u}) {
      MeshData mesh = named.mesh;
      mesh.virtual_particles_per_triangle = per_triangle;
      const FabricData fabric = cook_mesh(mesh);
      reordered += !fabric.storage_order.empty();
      expect_colours(fabric, lay_out(fabric));
    }
  }
  EXPECT_GT(reordered, 0u) << "meshes that are stored in another order";
}

// Each inner particle of a triangle sheet has six triangles, so their virtual particles need as many colours.
TEST(VirtualLayout, a_sheet_has_few_large_colours) {
  for (const uint32_t per_triangle : {1u, 4u}) {
    MeshData mesh = test::make_triangle_sheet(50, 50);
    mesh.virtual_particles_per_triangle = per_triangle;
    const FabricData fabric = cook_mesh(mesh);
    const LaidOutFabric laid_out = lay_out(fabric);
    const ConstraintLayout set = virtual_set(laid_out);
    const size_t colour_count = test::colours_of(laid_out, set).size();
    const auto padding = set.rows.stride - static_cast<double>(fabric.virtual_particle_count());
    std::printf("%u per triangle: %zu colours, %.0f%% padding\n", per_triangle, colour_count,
                100.0 * padding / static_cast<double>(set.rows.stride));
    EXPECT_GE(colour_count, 6 * per_triangle);
    EXPECT_LE(colour_count, 8 * per_triangle);
    EXPECT_LE(set.rows.stride, fabric.virtual_particle_count() + 8 * per_triangle * lane_padding);
  }
}

TEST(VirtualLayout, a_hub_has_a_colour_for_each_of_its_virtual_particles) {
  MeshData mesh = test::make_fan(3000);
  mesh.virtual_particles_per_triangle = 4;
  const FabricData fabric = cook_mesh(mesh);
  const LaidOutFabric laid_out = lay_out(fabric);
  const ConstraintLayout set = virtual_set(laid_out);
  EXPECT_EQ(test::colours_of(laid_out, set).size(), fabric.virtual_particle_count());
  EXPECT_EQ(set.rows.stride, fabric.virtual_particle_count() * lane_padding);
}

// Particle 0 occupies the even colours and particle 1 the odd ones, so a search for each virtual particle on both would
// look through all colours.
TEST(VirtualLayout, of_hostile_arrays_takes_no_quadratic_time) {
  // The time shows without a sanitizer.
  constexpr uint32_t rounds = is_sanitized ? 5000 : 50000;
  FabricData fabric;
  fabric.particle_count = 4 + rounds;
  fabric.virtual_weights = {1, 0, 0};
  const auto add = [&](uint32_t a, uint32_t b, uint32_t c) {
    fabric.virtual_particles.insert(fabric.virtual_particles.end(), {a, b, c, 0});
  };
  for (uint32_t k = 0; k < rounds; ++k) add(k % 2, 2, 3);
  for (uint32_t k = 0; k < rounds; ++k) add(0, 1, 4 + k);
  const LaidOutFabric laid_out = lay_out(fabric);
  const std::vector<uint32_t> sizes = test::colour_sizes(laid_out, virtual_set(laid_out));
  ASSERT_EQ(sizes.size(), 2 * rounds);
  for (const uint32_t size : sizes) ASSERT_EQ(size, 1u);
}

TEST(VirtualLayout, weights_stay_with_their_particles) {
  FabricData fabric;
  fabric.particle_count = 20;
  fabric.virtual_particles = {7, 3, 11, 1, 2, 12, 5, 0};
  fabric.virtual_weights = {0.5f, 0.375f, 0.125f, 0.25f, 0, 0.75f};
  const LaidOutFabric laid_out = lay_out(fabric);
  for (uint32_t v = 0; v < 2; ++v) EXPECT_EQ(entry_at(laid_out, virtual_set(laid_out), v), given(fabric, v));
}

TEST(VirtualLayout, without_virtual_particles_nothing_is_laid_out) {
  FabricData fabric = cook_mesh(test::make_quad_sheet(5, 5));
  fabric.virtual_particles = {0, 1, 2, 0};
  fabric.virtual_weights = {1, 0, 0};
  const LaidOutFabric with = lay_out(fabric);
  EXPECT_EQ(virtual_set(with).rows.stride, lane_padding);
  fabric.virtual_particles.clear();
  const LaidOutFabric without = lay_out(fabric);
  EXPECT_TRUE(without.layout.collision_sets.empty());
  EXPECT_EQ(without.layout.sets.size() + 1, with.layout.sets.size());
  EXPECT_EQ(without.layout.colours.size() + 1, with.layout.colours.size());
  EXPECT_EQ(without.words.size() + size_t{6} * lane_padding, with.words.size());
}

}  // namespace
}  // namespace clothc::virtual_layout_test
