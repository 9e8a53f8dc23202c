// layout.cpp - owns the order in which kernels process the constraints of a fabric: by set and colour. Invariant: every
// colour is padded to whole batches with constraints that connect the padding particle to itself. Other files lay out
// tethers, triangles and virtual particles.
#include <algorithm>
#include <cstddef>

#include "cook/content_hash.h"
#include "cook/cook.h"
#include "cook/order/independent_groups.h"
#include "cook/constraints/stiffness_log.h"
#include "cook/layout/surface.h"
#include "cook/constraints/tether_levels.h"
#include "cook/layout/virtual_particles.h"

namespace clothc {
namespace {

void append_constraint(FabricData& fabric, size_t constraint) {
  fabric.laid_out_first.push_back(fabric.storage_index(fabric.indices[constraint * 2]));
  fabric.laid_out_second.push_back(fabric.storage_index(fabric.indices[constraint * 2 + 1]));
  fabric.laid_out_rest.push_back(fabric.rest_lengths[constraint]);
  if (!fabric.stiffness.empty()) {
    fabric.laid_out_stiffness.push_back(cook::log2_of_one_minus(fabric.stiffness[constraint]));
  }
}

void pad(FabricData& fabric) {
  const size_t size = (fabric.laid_out_rest.size() + lane_padding - 1) / lane_padding * lane_padding;
  fabric.laid_out_first.resize(size, fabric.particle_count);
  fabric.laid_out_second.resize(size, fabric.particle_count);
  fabric.laid_out_rest.resize(size, 0.0f);
  if (!fabric.stiffness.empty()) fabric.laid_out_stiffness.resize(size, 0.0f);
}

// The constraints of a group share no particle, so their order within the group is free. This sorts them along memory.
void sort_by_storage_index(const FabricData& fabric, size_t base, uint32_t* begin, uint32_t* end) {
  const auto lowest_storage_index = [&](uint32_t constraint) {
    const size_t c = (base + constraint) * 2;
    return std::min(fabric.storage_order[fabric.indices[c]], fabric.storage_order[fabric.indices[c + 1]]);
  };
  std::sort(begin, end, [&](uint32_t a, uint32_t b) { return lowest_storage_index(a) < lowest_storage_index(b); });
}

void append_set(FabricData& fabric, size_t begin, size_t end, cook::IndependentGroups& groups) {
  if (fabric.storage_order.empty()) {
    groups.split(fabric.indices.data() + begin * 2, end - begin);
  } else {
    // Splitting by storage index gives the same groups, and is quicker if the mesh has a poor order.
    std::vector<uint32_t> ends(fabric.indices.begin() + static_cast<std::ptrdiff_t>(begin * 2),
                               fabric.indices.begin() + static_cast<std::ptrdiff_t>(end * 2));
    for (uint32_t& particle : ends) particle = fabric.storage_order[particle];
    groups.split(ends.data(), end - begin);
  }
  Range colours{static_cast<uint32_t>(fabric.colours.size()), 0};
  size_t next = 0;
  for (const uint32_t group_end : groups.ends) {
    if (!fabric.storage_order.empty())
      sort_by_storage_index(fabric, begin, &groups.order[next], groups.order.data() + group_end);
    const uint32_t first = static_cast<uint32_t>(fabric.laid_out_rest.size());
    for (; next < group_end; ++next) append_constraint(fabric, begin + groups.order[next]);
    fabric.colours.push_back({first, static_cast<uint32_t>(fabric.laid_out_rest.size())});
    pad(fabric);
  }
  colours.end = static_cast<uint32_t>(fabric.colours.size());
  fabric.set_colours.push_back(colours);
}

}  // namespace

void lay_out(FabricData& fabric) {
  fabric.colours.clear();
  fabric.set_colours.clear();
  fabric.laid_out_first.clear();
  fabric.laid_out_second.clear();
  fabric.laid_out_rest.clear();
  fabric.laid_out_stiffness.clear();
  for (auto* array : {&fabric.laid_out_first, &fabric.laid_out_second}) array->reserve(fabric.rest_lengths.size());
  fabric.laid_out_rest.reserve(fabric.rest_lengths.size());
  cook::IndependentGroups groups(fabric.particle_count);
  size_t begin = 0;
  for (const uint32_t end : fabric.set_ends) {
    append_set(fabric, begin, end, groups);
    begin = end;
  }
  cook::order_tethers(fabric);
  cook::lay_out_surface(fabric);
  cook::lay_out_virtual_particles(fabric);
  fabric.content_hash = cook::hash_content(fabric);
}

}  // namespace clothc
