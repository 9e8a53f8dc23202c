// lattice_tethers.cpp - owns the format of tethers by slots.
#include "cook/layout/lattice_tethers.h"

#include <algorithm>
#include <cstddef>

#include "cook/cook.h"
#include "cook/layout/append.h"

namespace clothc::cook {
namespace {

// The tethers of 16 slots to their anchors with the same number.
struct TetherRow {
  // [lanes] the slots of the anchors, or no_index.
  uint32_t anchors[lane_padding];

  // The lane of the first anchor, or lane_padding.
  uint32_t first() const {
    return static_cast<uint32_t>(
        std::find_if(anchors, anchors + lane_padding, [](uint32_t slot) { return slot != no_index; }) - anchors);
  }
  // Whether each anchor is this many slots further on than the one a lane before.
  bool is_run(uint32_t lane, uint32_t step) const {
    if (step * lane > anchors[lane]) return false;
    const uint32_t begin = anchors[lane] - step * lane;
    for (uint32_t k = 0; k < lane_padding; ++k) {
      if (anchors[k] != no_index && anchors[k] != begin + step * k) return false;
    }
    return true;
  }
  void write_to(uint32_t* row) const {
    const uint32_t lane = first();
    if (lane == lane_padding || is_run(lane, 0)) {
      row[0] = LatticeTethers::same(lane == lane_padding ? 0 : anchors[lane]);
    } else if (is_run(lane, 1)) {
      row[0] = LatticeTethers::from(anchors[lane] - lane);
    } else {
      std::replace_copy(anchors, anchors + lane_padding, row, no_index, anchors[lane]);
    }
  }
};

// The tethers of a set, by slots.
class SlotTethers {
 public:
  SlotTethers(const ConstraintLayout& set, const std::vector<uint32_t>& words, const std::vector<uint32_t>& slot_of,
              uint32_t slot_count)
      : set_(set), words_(words), slot_of_(slot_of), items_(slot_count, no_index) {
    for (uint32_t item = 0; item < set.rows.stride; ++item) {
      const uint32_t particle = words[set.rows.particles + item];
      if (!is_padding_particle(particle)) items_[slot_of[particle]] = item;
    }
  }

  bool has(uint32_t slot) const { return items_[slot] != no_index; }
  uint32_t anchor(uint32_t slot, uint32_t tether) const { return anchor_of(items_[slot], placed(slot, tether)); }
  uint32_t length(uint32_t slot, uint32_t tether) const {
    return words_[set_.rows.parameters + size_t{placed(slot, tether)} * set_.rows.stride + items_[slot]];
  }

 private:
  uint32_t anchor_of(uint32_t item, uint32_t tether) const {
    return slot_of_[words_[set_.rows.particles + (tether + size_t{1}) * set_.rows.stride + item]];
  }
  // Of two tethers, the one to the lower slot comes first, so that more rows have one anchor. The sum of what both do is
  // the same in either order.
  uint32_t placed(uint32_t slot, uint32_t tether) const {
    const bool swaps = set_.width == 2 && anchor_of(items_[slot], 1) < anchor_of(items_[slot], 0);
    return swaps ? 1 - tether : tether;
  }

  const ConstraintLayout& set_;
  const std::vector<uint32_t>& words_;
  const std::vector<uint32_t>& slot_of_;
  // [slots] the item of the particle in each slot, or no_index.
  std::vector<uint32_t> items_;
};

}  // namespace

bool fits_lattice(const ConstraintLayout& set, const std::vector<uint32_t>& words,
                  const std::vector<uint32_t>& slot_of) {
  if (set.colours.end - set.colours.begin != 1) return false;
  for (size_t row = 0; row < set.arity; ++row) {
    const auto particles = words.begin() + set.rows.particles + row * set.rows.stride;
    const bool all = std::all_of(particles, particles + set.rows.stride, [&](uint32_t particle) {
      return is_padding_particle(particle) || slot_of[particle] != no_index;
    });
    if (!all) return false;
  }
  return true;
}

void append_lattice_tethers(const std::vector<uint32_t>& slot_of, uint32_t slot_count, ConstraintLayout& set,
                            std::vector<uint32_t>& words) {
  const SlotTethers tethers(set, words, slot_of, slot_count);
  std::vector<uint32_t> blocks(slot_count / lane_padding * size_t{LatticeTethers::block_words(set.width)}, 0u);
  auto to = blocks.begin();
  for (uint32_t slot = 0; slot < slot_count; slot += lane_padding) {
    for (uint32_t tether = 0; tether < set.width; ++tether, to += LatticeTethers::row_words) {
      TetherRow row;
      for (uint32_t lane = 0; lane < lane_padding; ++lane) {
        const bool has = tethers.has(slot + lane);
        row.anchors[lane] = has ? tethers.anchor(slot + lane, tether) : no_index;
        to[lane_padding + lane] = has ? tethers.length(slot + lane, tether) : bits_of(no_constraint_length);
      }
      row.write_to(&*to);
    }
  }
  set.lattice_tethers = append(words, blocks);
}

}  // namespace clothc::cook
