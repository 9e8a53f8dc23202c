// constraint_order.h - puts the constraints of a set into the order in which kernels process them: colour by colour.
#pragma once

#include <cstddef>
#include <vector>

#include "cook/constraint_types.h"
#include "cook/layout/constraint_rows.h"
#include "cook/layout/rings.h"
#include "cook/order/independent_groups.h"

namespace clothc::cook {

// The constraints on their own, and the rings and paths, colour after colour.
struct ConstraintOrder {
  std::vector<uint32_t> constraints;
  std::vector<RingSequence::Item> rings;
  std::vector<ColourSize> colours;
};

class ConstraintOrdering {
 public:
  // is_reordered: whether storage indices are in another order than the particles of the fabric.
  ConstraintOrdering(uint32_t particle_count, bool is_reordered);

  // particles: [count][arity] storage indices. may_have_rings: whether pairs that make rings are to be kept together.
  ConstraintOrder order(const ConstraintTypeInfo& type, const std::vector<uint32_t>& particles, size_t count,
                        bool may_have_rings);

 private:
  ConstraintOrder in_groups(const ConstraintTypeInfo& type, const std::vector<uint32_t>& particles, size_t count);
  ConstraintOrder in_groups_with_rings(const std::vector<uint32_t>& pairs, size_t count);
  ConstraintOrder in_free_colours(uint32_t arity, const std::vector<uint32_t>& particles, size_t count) const;
  void sort_groups(const std::vector<uint32_t>& particles, uint32_t arity);

  const uint32_t particle_count_;
  const bool is_reordered_;
  IndependentGroups groups_;
};

}  // namespace clothc::cook
