// lattice_batches.h - puts the constraints of one colour into batches of the lattice (LatticeLayout).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "cook/fabric_layout.h"

namespace clothc::cook {

using RingSlots = std::array<uint32_t, ring_size>;

// The slots of 16 rings that follow one another, and the lengths of their sides as words.
struct LatticeBatch {
  RingSlots first;
  std::array<std::array<uint32_t, lane_padding>, ring_size> lengths;
  // Whether another batch of the colour has one of these slots too, be it in a lane without constraints.
  bool shares_slots = false;
};

// One constraint, two in a path, or four in a ring: particles in a row, and the lengths between them as words. In a path,
// the second one is solved first.
struct LatticeItem {
  uint32_t particle_count;
  RingSlots slots;
  RingSlots lengths;

  uint32_t side_count() const { return particle_count == ring_size ? ring_size : particle_count - 1; }
};

// Puts each item into a lane of a batch, as a ring or as sides of a ring that is not there.
class LatticeBatches {
 public:
  // slot_count: slots that particles may have.
  explicit LatticeBatches(uint32_t slot_count) : slot_count_(slot_count) {}

  // Makes batches of the items, or of the first constraints of some: items becomes what is left to be solved after them.
  // Items may be in any order, since they have no particle in common; rings make the batches into which the others may
  // fit.
  void run(std::vector<LatticeItem>& items);
  const std::vector<LatticeBatch>& all() const { return batches_; }

 private:
  // A lane is one ring, or what there is of it: the distances of its particles from the first one, and the slot of that.
  using Lane = std::pair<RingSlots, uint32_t>;
  using Lengths = std::array<uint32_t, ring_size>;

  std::vector<LatticeItem> add_others(std::vector<LatticeItem>& others);
  Lengths& lane_at(const RingSlots& shape, uint32_t slot);
  void add_pair(const LatticeItem& pair);
  bool fit(const LatticeItem& item, bool near_others);
  bool fit_at(const LatticeItem& item, const RingSlots& shape, size_t k, bool is_reversed, bool near_others);
  bool is_near_others(const RingSlots& shape, uint32_t slot) const;
  void make_batches();
  void find_shared_slots();

  const uint32_t slot_count_;
  // Sorted. In the end, all lanes.
  std::vector<std::pair<Lane, Lengths>> rings_;
  // Lanes without a ring.
  std::map<Lane, Lengths> others_;
  // The shapes of rings, at most most_shapes of them.
  std::vector<RingSlots> shapes_;
  std::vector<LatticeBatch> batches_;
};

}  // namespace clothc::cook
