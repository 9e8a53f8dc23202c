// inter_collision.h - which cloths of a solver collide with each other, and what they share on the device.
#pragma once

#include <memory>
#include <vector>

#include <clothc.h>

#include "core/backend/stream.h"

namespace clothc {

// The cloths of a solver that collide with each other, see cloths.kernel.h.
struct InterCollision {
  std::vector<clothc_cloth_id> ids;  // as they were added; none if there are not two
  uint32_t passes = 0;               // at an update's end
  bool in_iterations = false;        // some collide in every iteration
  bool has_friction = false;         // there is friction or damping
  float cells = 0;                   // per m, see cloth_bvh.kernel.h
  uint32_t cloths = 0;  // tables: their slots, then the same in their order, then the tree of boxes around them
  uint32_t room = 0;    // cloths for which there is room
  SortedWords sorted;
  std::shared_ptr<const Schedule> keying;  // writes the keys by which they are sorted; null = they are not
  std::shared_ptr<const Schedule> schedule;
  bool changed = false;  // the device has another list

  uint32_t count() const { return static_cast<uint32_t>(ids.size()); }
  // Where a node holds all of them any order is as good.
  bool is_sorted() const { return count() > node_children; }
  uint32_t order() const { return is_sorted() ? cloths + room : cloths; }  // tables
  uint32_t nodes() const { return cloths + 2 * room; }                     // tables
  bool is_like(const InterCollision& other) const {
    return ids == other.ids && passes == other.passes && in_iterations == other.in_iterations &&
           has_friction == other.has_friction && cells == other.cells;
  }
};

}  // namespace clothc
