// layout.cpp - owns the list of words that kernels read of a fabric: constraints, storage order, triangles and levels, each
// array at a multiple of 16 words.
#include <algorithm>
#include <numeric>

#include "cook/content_hash.h"
#include "cook/cook.h"
#include "cook/layout/append.h"
#include "cook/layout/constraint_sets.h"
#include "cook/layout/lattice.h"
#include "cook/layout/levels.h"
#include "cook/layout/surface.h"

namespace clothc {
namespace {

// Whether the device needs an array of the storage index of each vertex's particle, because some may differ from the
// vertex's own index.
bool lists_vertices(const FabricData& fabric) {
  if (!fabric.storage_order.empty() || fabric.vertex_count != fabric.particle_count) return true;
  for (uint32_t v = 0; v < fabric.vertex_count; ++v) {
    if (fabric.vertex_map[v] != v) return true;
  }
  return false;
}

void lay_out_order(const FabricData& fabric, LaidOutFabric& out) {
  if (!fabric.storage_order.empty()) {
    // Lanes of padding are stored at their own indices.
    std::vector<uint32_t> storage_order(padded(fabric.particle_count));
    std::iota(storage_order.begin(), storage_order.end(), 0u);
    std::copy(fabric.storage_order.begin(), fabric.storage_order.end(), storage_order.begin());
    out.layout.storage_words = cook::append(out.words, storage_order);
  }
  if (lists_vertices(fabric)) {
    std::vector<uint32_t> vertices(padded(fabric.vertex_count), 0u);
    std::transform(fabric.vertex_map.begin(), fabric.vertex_map.end(), vertices.begin(),
                   [&](uint32_t particle) { return fabric.storage_index(particle); });
    out.layout.vertices = cook::append(out.words, vertices);
  }
}

}  // namespace

LaidOutFabric lay_out(const FabricData& fabric, uint32_t lattice_batch_cost) {
  LaidOutFabric out;
  FabricLayout& layout = out.layout;
  layout.particle_count = fabric.particle_count;
  layout.vertex_count = fabric.vertex_count;
  layout.exact_lengths = fabric.exact_lengths;
  layout.content_hash = cook::hash_content(fabric);
  layout.phase_sets = fabric.phase_sets;
  layout.phase_types = fabric.phase_types;
  layout.positions = fabric.positions;
  layout.storage_order = fabric.storage_order;
  out.words.resize(lane_padding, 0u);
  cook::lay_out_constraints(fabric, out);
  lay_out_order(fabric, out);
  cook::lay_out_surface(fabric, out);
  cook::lay_out_levels(fabric, out);
  if (lattice_batch_cost != UINT32_MAX) cook::lay_out_lattice(fabric, lattice_batch_cost, out);
  cook::trim(out.words);
  return out;
}

}  // namespace clothc
