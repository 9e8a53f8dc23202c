// colliders.h - collider sets: shapes at the start and the end of the next update. Owned by the host; a set is sent to the
// device when it changed, and once more when its shapes have come to rest.
#pragma once

#include <vector>

#include "clothc.h"

namespace clothc {

class ColliderSet {
 public:
  // Shapes as four floats each.
  struct Moving {
    std::vector<float> starts;
    std::vector<float> targets;
    std::vector<float> consumed;  // targets of the last update
    // Takes new targets; starts where given, else at the last update's targets.
    void set(const float* new_targets, const float* new_starts, uint32_t count);
    // An update has used them: returns whether starts differ from targets, which then become the starts.
    bool consume();
  };

  uint32_t id = 0;
  uint32_t slot = 0;
  Moving spheres;
  Moving planes;
  std::vector<uint32_t> convex_ends;
  std::vector<uint32_t> convex_planes;

  // Range of the tables arena, in words.
  uint32_t table = 0;
  uint32_t table_words = 0;
  bool changed = true;  // differs from the device's

  // Whether the shapes are, and move, as those of another set.
  bool shows_same_as(const ColliderSet& other) const;
  uint32_t sphere_count() const { return static_cast<uint32_t>(spheres.targets.size() / 4); }
  uint32_t plane_count() const { return static_cast<uint32_t>(planes.targets.size() / 4); }
  uint32_t convex_count() const { return static_cast<uint32_t>(convex_ends.size()); }
  // Words of the header and all arrays.
  uint32_t word_count() const;
  // Rounds of a kernel's loops over the shapes, rounded up so that few changes of the shapes change them; 0 = no shapes.
  uint32_t sphere_rounds() const;
  uint32_t convex_rounds() const;
  // The words, as the kernels expect them at the table's offset.
  void pack(std::vector<uint32_t>& words) const;
};

// Checks shapes as a caller gave them.
void check_shapes(const clothc_collider_shapes& shapes);
// Replaces a set's shapes by checked ones. Strong guarantee.
void set_shapes(ColliderSet& set, const clothc_collider_shapes& shapes);

}  // namespace clothc
