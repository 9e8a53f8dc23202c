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

// [slots] the particle there. Slots that a constraint names have one.
std::vector<uint32_t> particles_in_slots(const FabricData& fabric, const LaidOutFabric& laid_out) {
  std::vector<uint32_t> particle_of(fabric.particle_count);
  for (uint32_t p = 0; p < fabric.particle_count; ++p) particle_of[fabric.storage_index(p)] = p;
  std::vector<uint32_t> particles;
  for (uint32_t slot = 0; slot < laid_out.layout.lattice.slot_count(); ++slot) {
    const uint32_t stored = laid_out.words[laid_out.layout.lattice.particles + slot];
    particles.push_back(stored < fabric.particle_count ? particle_of[stored] : no_index);
  }
  return particles;
}

// Solves the sets in the order of the fabric; those in the lattice by its batches, each colour from its end to its begin.
void expect_same_result(const FabricData& fabric, const LaidOutFabric& laid_out) {
  const std::vector<uint32_t> particles = particles_in_slots(fabric, laid_out);
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
            const uint32_t first = batch.slot(side, lane), second = batch.slot(side + 1, lane);
            ASSERT_LT(std::max(first, second), particles.size());
            ASSERT_LT(std::max(particles[first], particles[second]), fabric.particle_count);
            test::mix(state, particles[first], particles[second], batch.length(side, lane));
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

// The slot of the anchor of a tether, as the kernel reads it.
uint32_t anchor_of(const uint32_t* row, uint32_t lane) {
  if (row[0] >> 31 == 0) return row[lane];
  const uint32_t first = ~row[0];
  return first / 2 + first % 2 * lane;
}

struct Tether {
  uint32_t anchor;
  uint32_t length;
  bool operator==(const Tether& other) const { return anchor == other.anchor && length == other.length; }
};

// [storage indices][tether] the tethers of particles, as the rows of the set have them and as its slots do.
using Tethers = std::map<uint32_t, std::vector<Tether>>;

// Two tethers may be in either order, since what they do is added to zero; more may not.
void sort_pairs(const ConstraintLayout& set, std::vector<Tether>& tethers) {
  if (set.width == 2 && tethers.size() == 2 && tethers[1].anchor < tethers[0].anchor) std::swap(tethers[0], tethers[1]);
}

Tethers tethers_in_rows(const LaidOutFabric& laid_out, const ConstraintLayout& set) {
  Tethers tethers;
  const auto at = [&](uint32_t first, uint32_t row, uint32_t item) {
    return laid_out.words[first + row * set.rows.stride + item];
  };
  for (uint32_t item = 0; item < set.rows.stride; ++item) {
    const uint32_t particle = at(set.rows.particles, 0, item);
    if (is_padding_particle(particle)) continue;
    for (uint32_t t = 0; t < set.width; ++t)
      tethers[particle].push_back({at(set.rows.particles, 1 + t, item), at(set.rows.parameters, t, item)});
    sort_pairs(set, tethers[particle]);
  }
  return tethers;
}

// kinds: how many rows have anchors that are one slot, slots one after the other, and a row of slots.
Tethers tethers_in_slots(const FabricData& fabric, const LaidOutFabric& laid_out, const ConstraintLayout& set,
                         uint32_t (&kinds)[3]) {
  Tethers tethers;
  const LatticeLayout& lattice = laid_out.layout.lattice;
  for (uint32_t slot = 0; slot < lattice.slot_count(); ++slot) {
    const uint32_t particle = laid_out.words[lattice.particles + slot];
    const uint32_t* const block =
        &laid_out.words[set.lattice_tethers] + slot / lane_padding * size_t{LatticeTethers::block_words(set.width)};
    for (uint32_t t = 0; t < set.width; ++t) {
      const uint32_t* const row = block + size_t{t} * LatticeTethers::row_words;
      const uint32_t lane = slot % lane_padding, length = row[lane_padding + lane];
      // Whatever a lane has for an anchor, it must be in the rows of the lattice.
      EXPECT_LT(anchor_of(row, lane), lattice.stride);
      if (lane == 0) ++kinds[row[0] >> 31 == 0 ? 2 : ~row[0] % 2];
      if (test::float_of(length) < 0) continue;
      EXPECT_LT(particle, fabric.particle_count);
      tethers[particle].push_back({laid_out.words[lattice.particles + anchor_of(row, lane)], length});
      sort_pairs(set, tethers[particle]);
    }
  }
  return tethers;
}

MeshData tethered_sheet(uint32_t columns, const std::vector<uint32_t>& pinned, uint32_t tethers_per_particle) {
  MeshData mesh = test::make_quad_sheet(columns, 36);
  mesh.inverse_masses.assign(mesh.positions.size() / 3, 1.0f);
  for (const uint32_t vertex : pinned) mesh.inverse_masses[vertex] = 0;
  mesh.tethers_per_particle = tethers_per_particle;
  return mesh;
}

TEST(Lattice, has_the_tethers_of_the_fabric) {
  std::vector<uint32_t> top(200);
  for (uint32_t k = 0; k < top.size(); ++k) top[k] = k;
  const struct {
    uint32_t columns;
    std::vector<uint32_t> pinned;
    uint32_t tethers_per_particle;
    // Whether most rows have anchors that are one slot, or slots one after the other.
    bool are_same, are_runs;
  } cases[] = {
      {40, {0, 39}, 2, true, false}, {200, top, 1, false, true}, {40, {0, 7, 13, 21, 30, 700, 1111}, 3, false, false}};
  for (const auto& tested : cases) {
    for (const bool reorder : {false, true}) {
      MeshData mesh = tethered_sheet(tested.columns, tested.pinned, tested.tethers_per_particle);
      mesh.reorder = reorder;
      const FabricData fabric = test::cook_checked(mesh);
      const LaidOutFabric laid_out = lay_out_at_any_cost(fabric);
      ASSERT_EQ(laid_out.layout.tether_sets.size(), 1u);
      const ConstraintLayout& set = laid_out.layout.sets[laid_out.layout.tether_sets.front()];
      ASSERT_GT(set.lattice_tethers, 0u);
      uint32_t kinds[3] = {};
      const Tethers expected = tethers_in_rows(laid_out, set);
      EXPECT_EQ(expected.size(), fabric.particle_count - tested.pinned.size());
      EXPECT_EQ(tethers_in_slots(fabric, laid_out, set, kinds), expected);
      const uint32_t all = kinds[0] + kinds[1] + kinds[2];
      EXPECT_EQ(kinds[0] > all / 2, tested.are_same) << kinds[0] << " of " << all;
      EXPECT_EQ(kinds[1] > all / 2, tested.are_runs) << kinds[1] << " of " << all;
    }
  }
}

// Particles that are tethered to others that are tethered move one after the other, which slots do not.
TEST(Lattice, leaves_out_tethers_that_move_anchors) {
  FabricData fabric = test::cook_checked(tethered_sheet(40, {0, 39}, 1));
  fabric.tether_anchors[500] = 501;
  const LaidOutFabric laid_out = lay_out_at_any_cost(fabric);
  EXPECT_GT(laid_out.layout.lattice.stride, 0u);
  EXPECT_EQ(laid_out.layout.sets[laid_out.layout.tether_sets.front()].lattice_tethers, 0u);
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
