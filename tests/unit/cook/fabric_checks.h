// fabric_checks.h - invariants that hold for every fabric, whatever it was made from.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "cook/cook.h"

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

inline void expect_valid_colours(const FabricData& fabric) {
  ASSERT_EQ(fabric.set_colours.size(), fabric.set_ends.size());
  ASSERT_EQ(fabric.laid_out_first.size() % lane_padding, 0u);
  ASSERT_EQ(fabric.laid_out_second.size(), fabric.laid_out_first.size());
  ASSERT_EQ(fabric.laid_out_rest.size(), fabric.laid_out_first.size());
  ASSERT_EQ(fabric.laid_out_stiffness.size(), fabric.stiffness.empty() ? 0 : fabric.laid_out_first.size());
  std::vector<bool> real(fabric.laid_out_first.size(), false);
  std::vector<uint32_t> seen(fabric.particle_count, 0);
  size_t count = 0;
  for (uint32_t c = 0; c < fabric.colours.size(); ++c) {
    const Range colour = fabric.colours[c];
    ASSERT_EQ(colour.begin % lane_padding, 0u);
    ASSERT_LT(colour.begin, colour.end);
    count += colour.end - colour.begin;
    for (uint32_t i = colour.begin; i < colour.end; ++i) {
      real[i] = true;
      for (const uint32_t p : {fabric.laid_out_first[i], fabric.laid_out_second[i]}) {
        ASSERT_LT(p, fabric.particle_count);
        ASSERT_NE(seen[p], c + 1) << "colour " << c << " has particle " << p << " twice";
        seen[p] = c + 1;
      }
    }
  }
  ASSERT_EQ(count, fabric.rest_lengths.size());
  for (size_t i = 0; i < real.size(); ++i) {
    if (real[i]) continue;
    ASSERT_EQ(fabric.laid_out_first[i], fabric.particle_count);
    ASSERT_EQ(fabric.laid_out_second[i], fabric.particle_count);
    ASSERT_EQ(fabric.laid_out_rest[i], 0.0f);
    ASSERT_EQ(fabric.stiffness.empty() ? 0.0f : fabric.laid_out_stiffness[i], 0.0f);
  }
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
  FabricData fabric = cook_mesh(mesh);
  lay_out(fabric);
  expect_valid_colours(fabric);
  expect_unique_pairs(fabric);
  for (const uint32_t p : fabric.vertex_map) EXPECT_LT(p, fabric.particle_count);
  for (const uint32_t p : fabric.triangles) EXPECT_LT(p, fabric.particle_count);
  for (const float rest : fabric.rest_lengths) EXPECT_TRUE(rest >= 0 && rest < 4e9f);
  EXPECT_EQ(fabric.tether_anchors.size(), size_t{fabric.tethers_per_particle} * fabric.particle_count);
  EXPECT_EQ(fabric.tether_lengths.size(), fabric.tether_anchors.size());
  return fabric;
}

}  // namespace clothc::test
