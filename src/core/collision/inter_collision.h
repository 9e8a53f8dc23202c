// inter_collision.h - the cloths of a solver that collide with each other, and the data that they share on the device.
#pragma once

#include <memory>
#include <vector>

#include <clothc.h>

#include "core/backend/dispatch.h"

namespace clothc {

// The cloths of a solver that collide with each other. The kernels are in cloths.kernel.h.
struct InterCollision {
  // The cloths in the order in which they were added. Empty if there are fewer than two.
  std::vector<clothc_cloth_id> ids;

  // Number of passes at the end of an update: the most that any of the cloths asks for.
  uint32_t passes = 0;
  // Whether any of the cloths collides in every iteration instead.
  bool in_iterations = false;
  // Whether any of the cloths has friction or damping.
  bool has_friction = false;
  // Resolution of the grid in which the cloths are sorted, in cells per metre (see cloth_bvh.kernel.h).
  float cells = 0;

  // First word in the tables arena of the headers of the BVH over the cloths, one per level; and behind them the slots
  // of the cloths in the order of ids, the same slots in sorted order, their sort keys, scratch memory of the sort, and
  // the nodes of the BVH.
  uint32_t header = 0;
  // Number of cloths for which these arrays have been allocated.
  uint32_t capacity = 0;

  // The schedule that sorts the cloths. Null if the cloths are not sorted.
  std::shared_ptr<const Schedule> sorting;
  // The schedule that makes the cloths collide once the iterations of all cloths are done.
  std::shared_ptr<const Schedule> schedule;

  // Whether the device's array of slots is out of date.
  bool changed = false;

  uint32_t count() const { return static_cast<uint32_t>(ids.size()); }
  // Sorting is of no use if a single BVH node holds all cloths.
  bool is_sorted() const { return count() > node_children; }
  // First words, in the tables arena, of the header of a level and of the arrays.
  uint32_t header_of(uint32_t level) const { return header + level * cloth_bvh_words; }
  uint32_t cloths() const { return header_of(most_bvh_levels); }
  uint32_t order() const { return is_sorted() ? cloths() + capacity : cloths(); }
  uint32_t keys() const { return cloths() + 2 * capacity; }
  uint32_t scratch() const { return cloths() + 3 * capacity; }
  uint32_t nodes() const { return scratch() + sort_scratch_words(capacity); }
  // Whether the cloths and everything derived from their parameters are the same.
  bool is_like(const InterCollision& other) const {
    return ids == other.ids && passes == other.passes && in_iterations == other.in_iterations &&
           has_friction == other.has_friction && cells == other.cells;
  }
};

}  // namespace clothc
