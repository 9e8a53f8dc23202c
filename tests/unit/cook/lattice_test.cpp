// lattice_test.cpp - constraints in the batches of a lattice give the same result as in the order of the fabric, and the
// batches of sheets are full.
#include "cook/layout/lattice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "unit/cook/fabric_checks.h"
#include "unit/cook/meshes.h"
#include "unit/cook/mixing.h"

namespace clothc::lattice_test {
namespace {

// A batch as the kernel reads it.
struct Batch {
  const uint32_t* words;

  bool shares_slots() const { return words[ring_size] != 0; }
  float length(uint32_t side, uint32_t lane) const {
    return test::float_of(words[(1 + side % ring_size) * lane_padding + lane]);
  }
  bool has(uint32_t side, uint32_t lane) const { return length(side, lane) >= 0; }
  bool holds(uint32_t particle, uint32_t lane) const {
    return has(particle, lane) || has(particle + ring_size - 1, lane);
  }
  uint32_t slot(uint32_t particle, uint32_t lane) const { return words[particle % ring_size] + lane; }
};

std::vector<Batch> batches_of(const LaidOutFabric& laid_out, Range colour) {
  std::vector<Batch> batches;
  for (uint32_t k = colour.begin / lane_padding; k < colour.end / lane_padding; ++k)
    batches.push_back({&laid_out.words[laid_out.layout.lattice.batches + k * LatticeLayout::batch_words]});
  return batches;
}

// The particle in a slot. Every slot that a constraint names has one.
uint32_t particle_in(const FabricData& fabric, const LaidOutFabric& laid_out, uint32_t slot) {
  EXPECT_LT(slot, laid_out.layout.lattice.slot_count());
  const uint32_t stored = laid_out.words[laid_out.layout.lattice.particles + slot];
  EXPECT_LT(stored, fabric.particle_count);
  for (uint32_t p = 0; fabric.storage_order.size() > 0 && p < fabric.particle_count; ++p) {
    if (fabric.storage_order[p] == stored) return p;
  }
  return stored;
}

// Solves the sets in the order of the fabric; those in the lattice by its batches, each colour from its end to its begin.
void expect_same_result(const FabricData& fabric, const LaidOutFabric& laid_out) {
  std::vector<uint64_t> expected = test::first_state(fabric), state = expected;
  size_t begin = 0, solved = 0, listed = 0;
  for (size_t s = 0; s < fabric.set_ends.size(); ++s) {
    const Range colours = laid_out.layout.sets[s].lattice_colours;
    const bool is_in_lattice = colours.begin < colours.end;
    for (size_t c = begin; c < fabric.set_ends[s]; ++c) {
      test::mix(expected, fabric.indices[2 * c], fabric.indices[2 * c + 1], fabric.rest_lengths[c]);
      if (!is_in_lattice) test::mix(state, fabric.indices[2 * c], fabric.indices[2 * c + 1], fabric.rest_lengths[c]);
      listed += is_in_lattice;
    }
    begin = fabric.set_ends[s];
    for (uint32_t colour = colours.begin; colour < colours.end; ++colour) {
      std::vector<Batch> batches = batches_of(laid_out, laid_out.layout.lattice_colours[colour]);
      std::reverse(batches.begin(), batches.end());
      for (const Batch& batch : batches) {
        for (const uint32_t side : cook::ring_order) {
          for (uint32_t lane = 0; lane < lane_padding; ++lane) {
            if (!batch.has(side, lane)) continue;
            test::mix(state, particle_in(fabric, laid_out, batch.slot(side, lane)),
                      particle_in(fabric, laid_out, batch.slot(side + 1, lane)), batch.length(side, lane));
            ++solved;
          }
        }
      }
    }
  }
  EXPECT_EQ(solved, listed);
  EXPECT_EQ(state, expected);
}

// Constraints per lane and side of all batches, or 0 without a lattice.
double fill_of(const LaidOutFabric& laid_out) {
  double batches = 0, constraints = 0;
  for (const Range colour : laid_out.layout.lattice_colours) {
    for (const Batch& batch : batches_of(laid_out, colour)) {
      ++batches;
      for (uint32_t k = 0; k < ring_size * lane_padding; ++k) constraints += batch.has(k % ring_size, k / ring_size);
    }
  }
  return batches > 0 ? constraints / (batches * ring_size * lane_padding) : 0;
}

// What a batch costs with AVX-512, in per cent of rings whose particles are gathered.
constexpr uint32_t batch_cost = 65;

LaidOutFabric lay_out_at_any_cost(const FabricData& fabric) { return lay_out(fabric, 0); }

TEST(Lattice, gives_the_result_of_the_order_of_the_fabric) {
  for (const uint32_t n : {4u, 7u, 12u, 25u, 50u}) {
    for (MeshData mesh : {test::make_quad_sheet(n, n + 3), test::shuffled(test::make_quad_sheet(n + 1, n))}) {
      for (const bool reorder : {false, true}) {
        mesh.reorder = reorder;
        const FabricData fabric = test::cook_checked(mesh);
        const LaidOutFabric laid_out = lay_out_at_any_cost(fabric);
        EXPECT_GT(laid_out.layout.lattice.stride, 0u) << n;
        expect_same_result(fabric, laid_out);
      }
    }
  }
}

TEST(Lattice, of_sheets_is_full_and_cheap) {
  const struct {
    uint32_t columns, rows;
    double least;
  } sheets[] = {{16, 16, 0.69}, {32, 32, 0.8}, {50, 50, 0.83}, {37, 80, 0.85}, {100, 100, 0.96}};
  for (const auto& sheet : sheets) {
    for (const bool reorder : {false, true}) {
      MeshData mesh = test::make_quad_sheet(sheet.columns, sheet.rows);
      mesh.reorder = reorder;
      const LaidOutFabric laid_out = lay_out(test::cook_checked(mesh), batch_cost);
      EXPECT_GE(fill_of(laid_out), sheet.least) << sheet.columns;
      for (const ConstraintLayout& set : laid_out.layout.sets) {
        if (info_of(set.type).stage != ConstraintStage::phase) continue;
        EXPECT_LT(set.lattice_colours.begin, set.lattice_colours.end);
      }
    }
  }
}

TEST(Lattice, says_which_batches_have_slots_in_common) {
  for (const uint32_t n : {12u, 31u, 50u}) {
    const LaidOutFabric laid_out = lay_out_at_any_cost(test::cook_checked(test::make_quad_sheet(n, n)));
    size_t sharing = 0, all = 0;
    for (const Range colour : laid_out.layout.lattice_colours) {
      const std::vector<Batch> batches = batches_of(laid_out, colour);
      std::map<uint32_t, uint32_t> uses, holds;
      for (const Batch& batch : batches) {
        for (uint32_t k = 0; k < ring_size * lane_padding; ++k) {
          const uint32_t particle = k % ring_size, lane = k / ring_size;
          ++uses[batch.slot(particle, lane)];
          holds[batch.slot(particle, lane)] += batch.holds(particle, lane);
        }
      }
      // No two constraints of a colour hold the same particle.
      for (const auto& slot : holds) EXPECT_LE(slot.second, 1u);
      for (const Batch& batch : batches) {
        bool shares = false;
        for (uint32_t k = 0; k < ring_size * lane_padding; ++k)
          shares = shares || uses[batch.slot(k % ring_size, k / ring_size)] > 1;
        EXPECT_EQ(batch.shares_slots(), shares);
        sharing += shares;
        ++all;
      }
    }
    EXPECT_GT(all, 0u);
    EXPECT_TRUE(n < 50 || sharing * 2 < all);
  }
}

TEST(Lattice, visits_every_slot_once) {
  const LaidOutFabric laid_out = lay_out(test::cook_checked(test::make_quad_sheet(50, 40)), batch_cost);
  const LatticeLayout& lattice = laid_out.layout.lattice;
  ASSERT_GT(lattice.stride, 0u);
  std::vector<uint32_t> blocks =
      test::words_at(laid_out, lattice.particles + lattice.slot_count(), lattice.slot_count() / lane_padding);
  std::sort(blocks.begin(), blocks.end());
  for (uint32_t k = 0; k < blocks.size(); ++k) EXPECT_EQ(blocks[k], k * lane_padding);
}

// A tube closes on itself, so its last column of quads joins particles that are far apart in the lattice.
MeshData make_tube(uint32_t columns, uint32_t rows) {
  MeshData mesh = test::make_quad_sheet(columns, rows);
  for (uint32_t y = 0; y + 1 < rows; ++y) {
    const uint32_t last = y * columns + columns - 1, first = y * columns;
    mesh.quads.insert(mesh.quads.end(), {last, first, first + columns, last + columns});
  }
  return mesh;
}

TEST(Lattice, of_tubes_and_of_several_pieces) {
  MeshData two = test::make_quad_sheet(40, 30);
  const MeshData other = test::make_quad_sheet(33, 20);
  const auto first = static_cast<uint32_t>(two.positions.size() / 3);
  for (size_t k = 0; k < other.positions.size(); k += 3)
    two.positions.insert(two.positions.end(), {other.positions[k], other.positions[k + 1], 5.0f});
  for (const uint32_t vertex : other.quads) two.quads.push_back(vertex + first);
  for (const MeshData& mesh : {make_tube(40, 30), two}) {
    const FabricData fabric = test::cook_checked(mesh);
    const LaidOutFabric laid_out = lay_out_at_any_cost(fabric);
    EXPECT_GT(fill_of(laid_out), 0.5);
    expect_same_result(fabric, laid_out);
  }
}

TEST(Lattice, meshes_without_quads_have_none) {
  const LaidOutFabric laid_out = lay_out_at_any_cost(test::cook_checked(test::make_triangle_sheet(40, 40)));
  EXPECT_EQ(laid_out.layout.lattice.stride, 0u);
  EXPECT_TRUE(laid_out.layout.lattice_colours.empty());
}

TEST(Lattice, is_left_out_where_it_costs_more) {
  const FabricData sheet = test::cook_checked(test::make_quad_sheet(32, 32));
  EXPECT_GT(lay_out(sheet, batch_cost).layout.lattice.stride, 0u);
  const LaidOutFabric without = lay_out(sheet), too_dear = lay_out(sheet, 120);
  EXPECT_EQ(without.layout.lattice.stride, 0u);
  EXPECT_EQ(too_dear.layout.lattice.stride, 0u);
  EXPECT_EQ(too_dear.words, without.words);
  for (const ConstraintLayout& set : too_dear.layout.sets)
    EXPECT_EQ(set.lattice_colours.begin, set.lattice_colours.end);
}

}  // namespace
}  // namespace clothc::lattice_test
