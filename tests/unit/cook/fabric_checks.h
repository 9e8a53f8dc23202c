// fabric_checks.h - invariants that hold for every fabric, whatever it was made from, and access to laid-out fabrics.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "cook/cook.h"
#include "cook/layout/rings.h"

namespace clothc::test {

using PairSet = std::set<std::pair<uint32_t, uint32_t>>;

// Returns the pairs of one set as cooked, with first < second.
inline std::vector<std::pair<uint32_t, uint32_t>> pairs_of_set(const FabricData& fabric, size_t set) {
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  for (size_t i = set == 0 ? 0 : fabric.set_ends[set - 1]; i < fabric.set_ends[set]; ++i) {
    const uint32_t a = fabric.indices[i * 2], b = fabric.indices[i * 2 + 1];
    pairs.push_back({std::min(a, b), std::max(a, b)});
  }
  return pairs;
}

// Returns the pairs of the first phase of a type, or nothing if there is none.
inline std::vector<std::pair<uint32_t, uint32_t>> pairs_of_type(const FabricData& fabric, uint32_t type) {
  for (size_t i = 0; i < fabric.phase_types.size(); ++i) {
    if (fabric.phase_types[i] == type) return pairs_of_set(fabric, fabric.phase_sets[i]);
  }
  return {};
}

// Returns where the array behind the one that begins at a word begins, or the end of the words.
inline size_t end_of_array(const LaidOutFabric& laid_out, uint32_t first) {
  const FabricLayout& layout = laid_out.layout;
  std::vector<uint32_t> begins = {layout.storage_words,       layout.vertices,          layout.triangle_corners,
                                  layout.particle_fans,       layout.vertex_fans,       layout.tangent_weights,
                                  layout.particle_handedness, layout.vertex_handedness, layout.rest_positions,
                                  layout.lattice.particles,   layout.lattice.batches,   layout.wind.lists,
                                  layout.wind.batches,        layout.wind.fans};
  for (const ConstraintLayout& set : layout.sets)
    begins.insert(begins.end(), {set.rows.particles, set.rows.parameters, set.rings.words, set.lattice_tethers});
  for (const LevelLayout& level : layout.levels)
    begins.insert(begins.end(), {level.members, level.neighbours, level.nodes, level.parents, level.parent_nodes});
  size_t end = laid_out.words.size();
  for (const uint32_t begin : begins) end = first < begin ? std::min<size_t>(end, begin) : end;
  return end;
}

inline std::vector<uint32_t> words_at(const LaidOutFabric& laid_out, uint32_t first, size_t count) {
  const auto begin = laid_out.words.begin() + first;
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// Returns the words from the first one of an array up to the next array, or nothing if the array is absent.
inline std::vector<uint32_t> array_at(const LaidOutFabric& laid_out, uint32_t first) {
  return words_at(laid_out, first, first == 0 ? 0 : end_of_array(laid_out, first) - first);
}

inline float float_of(uint32_t word) {
  float value;
  std::memcpy(&value, &word, 4);
  return value;
}

inline std::vector<float> floats_of(const std::vector<uint32_t>& words) {
  std::vector<float> values;
  for (const uint32_t word : words) values.push_back(float_of(word));
  return values;
}

// Returns the storage index of a particle of a constraint. row: which of its particles. item: which constraint.
inline uint32_t stored_particle(const LaidOutFabric& laid_out, const ConstraintLayout& set, uint32_t row,
                                uint32_t item) {
  return laid_out.words[set.rows.particles + size_t{row} * set.rows.stride + item];
}

inline float parameter(const LaidOutFabric& laid_out, const ConstraintLayout& set, uint32_t row, uint32_t item) {
  return float_of(laid_out.words[set.rows.parameters + size_t{row} * set.rows.stride + item]);
}

inline std::vector<uint32_t> particle_row(const LaidOutFabric& laid_out, const ConstraintLayout& set, uint32_t row) {
  return words_at(laid_out, set.rows.particles + row * set.rows.stride, set.rows.stride);
}

inline std::vector<float> parameter_row(const LaidOutFabric& laid_out, const ConstraintLayout& set, uint32_t row) {
  return floats_of(words_at(laid_out, set.rows.parameters + row * set.rows.stride, set.rows.stride));
}

// Returns the constraints of each colour of a set whose constraints are on their own, counted from the first one of the
// set.
inline std::vector<Range> colours_of(const LaidOutFabric& laid_out, const ConstraintLayout& set) {
  std::vector<Range> colours;
  for (uint32_t c = set.colours.begin; c < set.colours.end; ++c) {
    if (!laid_out.layout.colours[c].of_rings) colours.push_back(laid_out.layout.colours[c].items);
  }
  return colours;
}

// Lays out a fabric with all of its constraints on their own.
inline LaidOutFabric lay_out_without_rings(const FabricData& fabric) {
  LaidOutFabric laid_out = lay_out(fabric);
  cook::dissolve_rings(laid_out);
  return laid_out;
}

inline std::vector<uint32_t> colour_sizes(const LaidOutFabric& laid_out, const ConstraintLayout& set) {
  std::vector<uint32_t> sizes;
  for (const Range colour : colours_of(laid_out, set)) sizes.push_back(colour.end - colour.begin);
  return sizes;
}

// Returns the sets that come from the fabric's arrays of pairs. Their numbers are those of the fabric.
inline std::vector<ConstraintLayout> pair_sets(const FabricData& fabric, const LaidOutFabric& laid_out) {
  const auto first = laid_out.layout.sets.begin();
  return {first, first + static_cast<std::ptrdiff_t>(fabric.set_ends.size())};
}

inline void expect_same_layout(const LaidOutFabric& a, const LaidOutFabric& b) {
  EXPECT_EQ(a.words, b.words);
  EXPECT_EQ(a.layout.content_hash, b.layout.content_hash);
  EXPECT_EQ(a.layout.colours.size(), b.layout.colours.size());
  ASSERT_EQ(a.layout.sets.size(), b.layout.sets.size());
  for (size_t s = 0; s < a.layout.sets.size(); ++s) {
    const ConstraintLayout &set = a.layout.sets[s], &other = b.layout.sets[s];
    EXPECT_EQ(set.type, other.type);
    EXPECT_EQ(set.rows.particles, other.rows.particles);
    EXPECT_EQ(set.rows.parameters, other.rows.parameters);
    EXPECT_EQ(set.rows.stride, other.rows.stride);
    EXPECT_EQ(set.rings.count, other.rings.count);
    EXPECT_EQ(colour_sizes(a, set), colour_sizes(b, other));
  }
}

// Expects the rows of a set to have the size that the set says, and all constraints outside its colours to be padding.
inline void expect_valid_rows(const LaidOutFabric& laid_out, const ConstraintLayout& set) {
  const uint32_t stride = set.rows.stride;
  ASSERT_EQ(stride % lane_padding, 0u);
  if (stride == 0) return;
  // Behind the rows, there may be rings that were dissolved.
  ASSERT_EQ(set.rows.parameters, set.rows.particles + set.arity * stride);
  ASSERT_GE(array_at(laid_out, set.rows.parameters).size(), size_t{set.width} * stride);
  std::vector<bool> real(stride, false);
  for (const Range colour : colours_of(laid_out, set)) {
    ASSERT_EQ(colour.begin % lane_padding, 0u);
    ASSERT_LE(colour.begin, colour.end);
    ASSERT_LE(colour.end, stride);
    for (uint32_t i = colour.begin; i < colour.end; ++i) {
      ASSERT_FALSE(real[i]) << "constraint " << i << " is in two colours";
      real[i] = true;
    }
  }
  for (uint32_t i = 0; i < stride; ++i) {
    if (real[i]) continue;
    for (uint32_t row = 0; row < set.arity; ++row) ASSERT_EQ(stored_particle(laid_out, set, row, i), padding_particle);
    for (uint32_t row = 0; row < set.width; ++row) ASSERT_EQ(parameter(laid_out, set, row, i), 0.0f);
  }
}

// Whether a side of a ring is a constraint.
inline bool has_side(const LaidOutFabric& laid_out, const ConstraintLayout& set, uint32_t side, uint32_t ring) {
  return float_of(laid_out.words[set.rings.length(side, ring)]) != no_constraint_length;
}

// Expects rings of a colour to share no particle. Two constraints in place of a ring have a particle twice.
inline void expect_valid_rings(const FabricData& fabric, const LaidOutFabric& laid_out) {
  std::vector<uint32_t> seen(fabric.particle_count, 0);
  for (const ConstraintLayout& set : laid_out.layout.sets) {
    ASSERT_EQ(set.rings.count % lane_padding, 0u);
    for (uint32_t c = set.colours.begin; c < set.colours.end; ++c) {
      const Colour& colour = laid_out.layout.colours[c];
      if (!colour.of_rings) continue;
      ASSERT_EQ(colour.items.begin % lane_padding, 0u);
      for (uint32_t item = colour.items.begin; item < colour.items.end; ++item) {
        const bool is_path = !has_side(laid_out, set, 0, item);
        ASSERT_EQ(has_side(laid_out, set, 3, item), !is_path);
        ASSERT_TRUE(has_side(laid_out, set, 1, item) && has_side(laid_out, set, 2, item));
        const uint32_t first = laid_out.words[set.rings.particle(0, item)];
        ASSERT_EQ(first == laid_out.words[set.rings.particle(2, item)], is_path);
        for (uint32_t k = is_path ? 1 : 0; k < ring_size; ++k) {
          const uint32_t p = laid_out.words[set.rings.particle(k, item)];
          ASSERT_LT(p, fabric.particle_count);
          ASSERT_NE(seen[p], c + 1) << "colour " << c << " has particle " << p << " twice";
          seen[p] = c + 1;
        }
      }
    }
  }
}

// Checks a layout without rings.
inline void expect_valid_colours(const FabricData& fabric, const LaidOutFabric& laid_out) {
  const FabricLayout& layout = laid_out.layout;
  ASSERT_GE(layout.sets.size(), fabric.set_ends.size());
  std::vector<uint32_t> seen(fabric.particle_count, 0);
  uint32_t c = 0, end_of_set_before = 0;
  for (size_t s = 0; s < fabric.set_ends.size(); ++s) {
    const ConstraintLayout& set = layout.sets[s];
    ASSERT_EQ(set.type, fabric.stiffness.empty() ? ConstraintType::distance : ConstraintType::stiff_distance);
    ASSERT_EQ(set.arity, 2u);
    ASSERT_EQ(set.width, fabric.stiffness.empty() ? 1u : 2u);
    ASSERT_EQ(set.colours.begin, c) << "right behind the colours of the set before";
    expect_valid_rows(laid_out, set);
    uint32_t count = 0;
    for (const Range colour : colours_of(laid_out, set)) {
      ++c;
      ASSERT_LT(colour.begin, colour.end);
      count += colour.end - colour.begin;
      for (uint32_t i = colour.begin; i < colour.end; ++i) {
        for (const uint32_t p : {stored_particle(laid_out, set, 0, i), stored_particle(laid_out, set, 1, i)}) {
          ASSERT_LT(p, fabric.particle_count);
          ASSERT_NE(seen[p], c) << "colour " << c - 1 << " has particle " << p << " twice";
          seen[p] = c;
        }
      }
    }
    ASSERT_EQ(count, fabric.set_ends[s] - end_of_set_before);
    end_of_set_before = fabric.set_ends[s];
  }
  ASSERT_EQ(end_of_set_before, fabric.rest_lengths.size());
  ASSERT_EQ(layout.phase_colour_count(), c);
}

// Expects no pair to be constrained twice. Long-range constraints may repeat pairs of other types. In cooked fabrics
// sets have the numbers of their phases.
inline void expect_unique_pairs(const FabricData& fabric) {
  constexpr uint32_t long_range = 8;
  PairSet seen;
  for (size_t set = 0; set < fabric.set_ends.size(); ++set) {
    PairSet seen_in_set;
    PairSet& others = fabric.phase_types[set] == long_range ? seen_in_set : seen;
    for (const auto& pair : pairs_of_set(fabric, set)) {
      EXPECT_LT(pair.first, pair.second);
      EXPECT_TRUE(others.insert(pair).second) << pair.first << ", " << pair.second << " is constrained twice";
    }
  }
}

// Cooks the mesh and checks what holds for every mesh.
inline FabricData cook_checked(const MeshData& mesh) {
  const FabricData fabric = cook_mesh(mesh);
  expect_valid_rings(fabric, lay_out(fabric));
  expect_valid_colours(fabric, lay_out_without_rings(fabric));
  expect_unique_pairs(fabric);
  for (const uint32_t p : fabric.vertex_map) EXPECT_LT(p, fabric.particle_count);
  for (const uint32_t p : fabric.triangles) EXPECT_LT(p, fabric.particle_count);
  for (const float rest : fabric.rest_lengths) EXPECT_TRUE(rest >= 0 && rest < 4e9f);
  EXPECT_EQ(fabric.tether_anchors.size(), size_t{fabric.tethers_per_particle} * fabric.particle_count);
  EXPECT_EQ(fabric.tether_lengths.size(), fabric.tether_anchors.size());
  return fabric;
}

}  // namespace clothc::test
