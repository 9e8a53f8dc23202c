// cloths_by_range.h - the cloths of a solver sorted by their particle ranges, so that a binary search finds the cloths
// to which elements of a per-particle channel belong.
#pragma once

#include <vector>

#include "core/cloth/cloth.h"

namespace clothc {

class ClothsByRange {
 public:
  // Allocates memory for one more cloth, so that the next insert cannot fail.
  void reserve() {
    if (cloths_.size() == cloths_.capacity()) cloths_.reserve(2 * cloths_.size() + 8);
  }
  void insert(Cloth* cloth);
  // The order of the particle ranges must be the same as when the cloths were inserted, even if the ranges have moved.
  void erase(const Cloth* cloth);

  struct Found {
    Cloth* const* first;
    Cloth* const* last;
    Cloth* const* begin() const { return first; }
    Cloth* const* end() const { return last; }
  };
  // Returns the cloths that have particles in [first, end). Spare particles do not count.
  Found between(uint32_t first, uint32_t end) const;
  Found all() const { return {cloths_.data(), cloths_.data() + cloths_.size()}; }

 private:
  // Sorted by first_particle. No two ranges overlap.
  std::vector<Cloth*> cloths_;
};

}  // namespace clothc
