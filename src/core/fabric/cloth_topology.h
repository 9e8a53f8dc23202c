// cloth_topology.h - a fabric in the device memory of a solver.
#pragma once

#include <memory>
#include <vector>

#include "cook/fabric_layout.h"
#include "core/fabric/blocks.h"

namespace clothc {

// The words of a fabric in the topology arena of a solver, shared by all cloths of that solver that use the fabric.
struct ClothTopology {
  std::shared_ptr<const FabricLayout> layout;

  // The range allocated in the arena.
  uint32_t first = 0;
  uint32_t word_count = 0;

  // Division of a large fabric, for backends whose cache makes it worthwhile.
  ParticleBlocks blocks;

  // Particles in the order of cook::order_for_bvh. It is empty until a cloth needs it.
  mutable std::vector<uint32_t> bvh_order;

  uint32_t particle_count() const { return layout->particle_count; }
  // Returns where an array of the layout is in the arena, or 0 if it is absent.
  uint32_t word(uint32_t offset) const { return offset == 0 ? 0 : first + offset; }
};

}  // namespace clothc
