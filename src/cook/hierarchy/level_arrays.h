// level_arrays.h - the levels of a hierarchy in the flat arrays of a fabric: what the kernels need of them.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/fabric_data.h"
#include "cook/hierarchy/levels.h"

namespace clothc::cook {

// A level in the arrays of a fabric. The arrays are those of HierarchyLevel, in their order here.
struct LevelArrays {
  uint32_t node_count = 0;
  uint32_t finer_count = 0;
  uint32_t neighbours_per_node = 0;

  // In level_nodes.
  const uint32_t* clusters = nullptr;
  const uint32_t* parents = nullptr;
  const uint32_t* neighbours = nullptr;

  // In level_values.
  const float* weights = nullptr;
  const float* lengths = nullptr;
  const float* edge_lengths = nullptr;
  const float* shares = nullptr;
  const float* centres = nullptr;
  const float* particle_lengths = nullptr;

  uint64_t link_count() const { return uint64_t{node_count} * neighbours_per_node; }
  // Number of elements in level_nodes and in level_values. particle_count: that of the fabric.
  uint64_t node_elements() const { return (1 + uint64_t{parents_per_node}) * finer_count + link_count(); }
  uint64_t value_elements(uint32_t particle_count) const {
    return uint64_t{parents_per_node} * finer_count + 2 * link_count() + 4 * uint64_t{node_count} + particle_count;
  }
};

// Sets the arrays of levels of a fabric.
void add_levels(const Hierarchy& hierarchy, FabricData& fabric);

// Returns the levels of a fabric, the finest first. Their sizes follow from level_counts; the other two arrays must be
// as long as those say.
std::vector<LevelArrays> levels_of(const FabricData& fabric);

}  // namespace clothc::cook
