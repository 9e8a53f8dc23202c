// split_levels.cpp - see split_levels.h.
#include "cook/layout/split_levels.h"

#include "cook/constraints/pairs.h"
#include "cook/fabric_data.h"
#include "cook/hierarchy/level_arrays.h"
#include "cook/layout/append.h"
#include "cook/layout/known_levels.h"
#include "cook/layout/levels.h"
#include "cook/topology/edges.h"

namespace clothc::cook {

LaidOutFabric lay_out_split_levels(const SplitFabric& fabric) {
  FabricData data;
  data.particle_count = fabric.layout.particle_count;
  data.positions = fabric.layout.positions;
  data.storage_order = fabric.layout.storage_order;
  const SplitSurface surface = find_surface(fabric);
  const EdgeList edges = find_edges(surface.faces, data.particle_count);
  const std::vector<Pair> diagonals = find_quad_diagonals(surface.faces, edges);
  HierarchySource source = {data.positions, edges.pairs, diagonals, surface.triangles, surface.is_soft};
  KnownLevel known;
  if (fabric.layout.levels.size() > 1 && !fabric.origins.empty() && surface.is_soft.empty()) {
    known = read_first_level(fabric);
    source.known = &known;
  }
  add_levels(find_hierarchy(source), data);
  LaidOutFabric out;
  out.words.resize(lane_padding, 0u);
  lay_out_levels(data, out);
  trim(out.words);
  return out;
}

}  // namespace clothc::cook
