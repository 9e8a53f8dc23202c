// cloth_topology.h - the constraints and triangles of cloths in the device memory of a solver.
#pragma once

#include <memory>
#include <vector>

#include "cook/layout/primitives.h"
#include "cook/order/bvh_order.h"
#include "core/fabric/blocks.h"
#include "core/fabric/topology_changes.h"

namespace clothc {

// The edges and triangles of a topology in a range of words of the same arena.
struct ClothPrimitives {
  cook::PrimitiveLayout edges, triangles;
  uint32_t edge_fans = 0;

  // The range allocated in the arena.
  uint32_t first = 0;
  uint32_t word_count = 0;

  // Returns where an array of the layout is in the arena, or 0 if it is absent.
  uint32_t word(uint32_t offset) const { return offset == 0 ? 0 : first + offset; }
};

// Coarse levels that were cooked for a topology whose particles have been split, in a range of words of the same arena.
struct ClothLevels {
  // As in FabricLayout.
  std::vector<LevelLayout> levels;
  uint32_t rest_positions = 0;
  std::vector<uint32_t> words;
  // Whether the words have been written to the range.
  mutable bool is_on_device = false;

  // The range allocated in the arena.
  uint32_t first = 0;
  uint32_t word_count = 0;

  // Returns where an array of the layout is in the arena, or 0 if it is absent.
  uint32_t word(uint32_t offset) const { return offset == 0 ? 0 : first + offset; }
};

// A range of words in the topology arena of a solver. The cloths of a fabric share one, until one of them is to be
// changed and gets its own.
struct ClothTopology {
  std::shared_ptr<const FabricLayout> layout;

  // The range allocated in the arena.
  uint32_t first = 0;
  uint32_t word_count = 0;

  // Division of a large fabric, for backends whose cache makes it worthwhile. A topology that may change has none,
  // because constraints of different blocks could get a particle in common.
  ParticleBlocks blocks;
  // DeviceLimits::lattice_batch_cost if the device has the lattice of the fabric, else UINT32_MAX.
  uint32_t lattice_batch_cost = UINT32_MAX;
  bool has_lattice() const { return lattice_batch_cost != UINT32_MAX; }

  // Null unless the topology is a cloth's own.
  std::unique_ptr<TopologyChanges> changes;

  // Null until a cloth needs them (FabricStore::primitives), and how often the triangles had changed by then.
  mutable std::shared_ptr<const ClothPrimitives> primitives;
  mutable uint64_t primitives_version = 0;
  // The same of coarse levels (FabricStore::levels).
  mutable std::shared_ptr<const ClothLevels> levels;
  mutable uint64_t levels_version = 0;

  // Returns where an array of the layout is in the arena, or 0 if it is absent.
  uint32_t word(uint32_t offset) const { return offset == 0 ? 0 : first + offset; }
  // Makes the next upload write all words of a topology of a cloth's own, and its levels.
  void forget_device_copy() const {
    if (changes != nullptr) changes->forget_device_copy();
    if (levels != nullptr) levels->is_on_device = false;
  }
  // Returns the particles in the order of cook::order_for_bvh, which is found when a cloth first needs it.
  const std::vector<uint32_t>& bvh_order() const {
    if (bvh_order_.size() != layout->particle_count) bvh_order_ = cook::order_for_bvh(*layout);
    return bvh_order_;
  }

 private:
  mutable std::vector<uint32_t> bvh_order_;
};

}  // namespace clothc
