// level_arrays.cpp - owns the order of the arrays of a level. Both functions here follow it.
#include "cook/hierarchy/level_arrays.h"

namespace clothc::cook {
namespace {

template <class Element>
void append_to(std::vector<Element>& all, const std::vector<Element>& array) {
  all.insert(all.end(), array.begin(), array.end());
}

}  // namespace

void add_levels(const Hierarchy& hierarchy, FabricData& fabric) {
  fabric.level_counts.clear();
  fabric.level_nodes.clear();
  fabric.level_values.clear();
  for (const HierarchyLevel& level : hierarchy) {
    fabric.level_counts.push_back(level.node_count);
    fabric.level_counts.push_back(level.neighbours_per_node);
    for (const auto* nodes : {&level.clusters, &level.parents, &level.neighbours})
      append_to(fabric.level_nodes, *nodes);
    for (const auto* values :
         {&level.weights, &level.lengths, &level.edge_lengths, &level.shares, &level.centres, &level.particle_lengths})
      append_to(fabric.level_values, *values);
  }
}

std::vector<LevelArrays> levels_of(const FabricData& fabric) {
  std::vector<LevelArrays> levels;
  const uint32_t* nodes = fabric.level_nodes.data();
  const float* values = fabric.level_values.data();
  const auto take = [](auto& next, uint64_t count) {
    const auto taken = next;
    next += count;
    return taken;
  };
  uint32_t finer_count = fabric.particle_count;
  for (size_t k = 0; k < fabric.level_count(); ++k) {
    LevelArrays level;
    level.node_count = fabric.level_counts[2 * k];
    level.finer_count = finer_count;
    level.neighbours_per_node = fabric.level_counts[2 * k + 1];
    level.clusters = take(nodes, finer_count);
    level.parents = take(nodes, uint64_t{parents_per_node} * finer_count);
    level.neighbours = take(nodes, level.link_count());
    level.weights = take(values, uint64_t{parents_per_node} * finer_count);
    level.lengths = take(values, level.link_count());
    level.edge_lengths = take(values, level.link_count());
    level.shares = take(values, level.node_count);
    level.centres = take(values, 3 * uint64_t{level.node_count});
    level.particle_lengths = take(values, fabric.particle_count);
    finer_count = level.node_count;
    levels.push_back(level);
  }
  return levels;
}

}  // namespace clothc::cook
