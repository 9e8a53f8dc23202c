// lattice_batches.cpp - owns which constraints share a batch. Invariant: each constraint is a side in the same half of a
// ring as in the order of the fabric.
#include "cook/layout/lattice_batches.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "cook/layout/append.h"

namespace clothc::cook {
namespace {

// Shapes of rings in which places for others are looked for. Sheets have 4 to 20 per colour; a limit keeps the search
// linear in fabrics whose rings are of any shape.
constexpr size_t most_shapes = 64;

bool is_missing(uint32_t length) { return length == bits_of(no_constraint_length); }

RingSlots distances_of(const RingSlots& slots) {
  RingSlots distances;
  for (size_t k = 0; k < ring_size; ++k) distances[k] = slots[k] - slots[0];
  return distances;
}

// Turns a ring or a pair so that its first particle has the lowest slot. The halves of a ring stay together; the order of
// the two sides in a half does not matter.
LatticeItem turned(const LatticeItem& item) {
  LatticeItem result = item;
  if (item.particle_count == 2) {
    std::sort(result.slots.begin(), result.slots.begin() + 2);
  } else if (item.particle_count == ring_size) {
    constexpr size_t ways[ring_size][ring_size] = {{0, 1, 2, 3}, {1, 0, 3, 2}, {2, 3, 0, 1}, {3, 2, 1, 0}};
    const size_t* const way = ways[std::min_element(item.slots.begin(), item.slots.end()) - item.slots.begin()];
    for (size_t k = 0; k < ring_size; ++k) {
      // A side is named by its first particle.
      const size_t from = way[k], to = way[(k + 1) % ring_size];
      result.slots[k] = item.slots[from];
      result.lengths[k] = item.lengths[(from + 1) % ring_size == to ? from : to];
    }
  }
  return result;
}

}  // namespace

void LatticeBatches::run(std::vector<LatticeItem>& items) {
  std::vector<LatticeItem> others;
  for (const LatticeItem& item : items) {
    const LatticeItem first_lowest = turned(item);
    if (item.particle_count == ring_size) {
      rings_.push_back({{distances_of(first_lowest.slots), first_lowest.slots[0]}, first_lowest.lengths});
    } else {
      others.push_back(first_lowest);
    }
  }
  std::sort(rings_.begin(), rings_.end());
  for (const auto& ring : rings_) {
    const bool is_new = shapes_.empty() || shapes_.back() != ring.first.first;
    if (is_new && shapes_.size() < most_shapes) shapes_.push_back(ring.first.first);
  }
  items = add_others(others);
  make_batches();
  find_shared_slots();
}

// Paths come first, because more of them need a lane of rings.
std::vector<LatticeItem> LatticeBatches::add_others(std::vector<LatticeItem>& others) {
  std::sort(others.begin(), others.end(), [](const LatticeItem& a, const LatticeItem& b) {
    return a.particle_count != b.particle_count ? a.particle_count > b.particle_count : a.slots < b.slots;
  });
  std::vector<LatticeItem> left;
  for (const LatticeItem& item : others) {
    if (fit(item, true)) continue;
    if (item.particle_count == 2) {
      add_pair(item);
    } else if (!fit(item, false)) {
      add_pair(turned({2, {item.slots[1], item.slots[2]}, {item.lengths[1]}}));
      left.push_back({2, {item.slots[0], item.slots[1]}, {item.lengths[0]}});
    }
  }
  return left;
}

// Returns the lengths in a lane, which are missing in a new one.
LatticeBatches::Lengths& LatticeBatches::lane_at(const RingSlots& shape, uint32_t slot) {
  const Lane lane{shape, slot};
  const auto ring = std::lower_bound(rings_.begin(), rings_.end(), lane,
                                     [](const auto& present, const Lane& wanted) { return present.first < wanted; });
  if (ring != rings_.end() && ring->first == lane) return ring->second;
  const auto [found, is_new] = others_.emplace(lane, Lengths{});
  if (is_new) found->second.fill(bits_of(no_constraint_length));
  return found->second;
}

// Puts a pair into a lane whose slots 2 and 3 no constraint holds.
void LatticeBatches::add_pair(const LatticeItem& pair) {
  const uint32_t distance = pair.slots[1] - pair.slots[0];
  lane_at({0, distance, 0, distance}, pair.slots[0])[0] = pair.lengths[0];
}

// Puts an item into a lane of rings that has no constraints at its sides. near_others: whether the lane must be so near
// another one that both may be in one batch.
bool LatticeBatches::fit(const LatticeItem& item, bool near_others) {
  for (const RingSlots& shape : shapes_) {
    for (size_t k = 0; k < ring_size; ++k) {
      // The side of a path that is solved first has an even number: 0 or 2.
      const bool is_reversed = item.side_count() == 2 && k % 2 == 0;
      if (fit_at(item, shape, k, is_reversed, near_others)) return true;
      if (item.side_count() == 1 && fit_at(item, shape, k, true, near_others)) return true;
    }
  }
  return false;
}

// Puts the particles of an item at the places from k on of a ring of a shape.
bool LatticeBatches::fit_at(const LatticeItem& item, const RingSlots& shape, size_t k, bool is_reversed,
                            bool near_others) {
  const uint32_t count = item.particle_count, sides = item.side_count();
  const auto particle = [&](size_t i) { return item.slots[is_reversed ? count - 1 - i : i]; };
  if (particle(0) < shape[k]) return false;
  const uint32_t slot = particle(0) - shape[k];
  for (size_t i = 1; i < count; ++i) {
    if (particle(i) != slot + shape[(k + i) % ring_size]) return false;
  }
  if (slot + *std::max_element(shape.begin(), shape.end()) >= slot_count_) return false;
  if (near_others && !is_near_others(shape, slot)) return false;
  Lengths& lengths = lane_at(shape, slot);
  for (size_t i = 0; i < sides; ++i) {
    if (!is_missing(lengths[(k + i) % ring_size])) return false;
  }
  for (size_t i = 0; i < sides; ++i) lengths[(k + i) % ring_size] = item.lengths[is_reversed ? sides - 1 - i : i];
  return true;
}

bool LatticeBatches::is_near_others(const RingSlots& shape, uint32_t slot) const {
  const Lane lane{shape, slot};
  const auto is_near = [&](const auto& lanes, auto next) {
    if (next != lanes.end() && next->first.first == shape && next->first.second - slot < lane_padding) return true;
    if (next == lanes.begin()) return false;
    const Lane& before = std::prev(next)->first;
    return before.first == shape && slot - before.second < lane_padding;
  };
  const auto next_ring =
      std::lower_bound(rings_.begin(), rings_.end(), lane,
                       [](const auto& present, const Lane& wanted) { return present.first < wanted; });
  return is_near(rings_, next_ring) || is_near(others_, others_.lower_bound(lane));
}

// Each batch begins with the first lane that is in none before it.
void LatticeBatches::make_batches() {
  rings_.insert(rings_.end(), others_.begin(), others_.end());
  std::sort(rings_.begin(), rings_.end());
  const RingSlots* shape = nullptr;
  for (const auto& [lane, lengths] : rings_) {
    const bool continues =
        shape != nullptr && *shape == lane.first && lane.second - batches_.back().first[0] < lane_padding;
    if (!continues) {
      batches_.emplace_back();
      for (size_t k = 0; k < ring_size; ++k) batches_.back().first[k] = lane.second + lane.first[k];
      for (auto& row : batches_.back().lengths) row.fill(bits_of(no_constraint_length));
    }
    shape = &lane.first;
    const uint32_t number = lane.second - batches_.back().first[0];
    for (size_t k = 0; k < ring_size; ++k) batches_.back().lengths[k][number] = lengths[k];
  }
}

void LatticeBatches::find_shared_slots() {
  // [slots] number of lanes, at most 2.
  std::vector<uint8_t> uses(slot_count_ + lane_padding, 0);
  for (const LatticeBatch& batch : batches_) {
    for (const uint32_t first : batch.first) {
      for (uint32_t lane = 0; lane < lane_padding; ++lane) {
        uint8_t& count = uses[first + lane];
        count = static_cast<uint8_t>(std::min(count + 1, 2));
      }
    }
  }
  for (LatticeBatch& batch : batches_) {
    batch.shares_slots = std::any_of(batch.first.begin(), batch.first.end(), [&](uint32_t first) {
      const auto begin = uses.begin() + first;
      return std::find(begin, begin + lane_padding, 2) != begin + lane_padding;
    });
  }
}

}  // namespace clothc::cook
