// cloths_by_range.h - the cloths of a solver by where their particles are, so that whose an element of a per-particle channel
// is does not take asking every cloth.
#pragma once

#include <vector>

#include "core/cloth/cloth.h"

namespace clothc {

class ClothsByRange {
 public:
  // Makes room for one more cloth; what follows never fails.
  void reserve() {
    if (cloths_.size() == cloths_.capacity()) cloths_.reserve(2 * cloths_.size() + 8);
  }
  void insert(Cloth* cloth);
  // The cloth is where it was when it was inserted, or all have moved since and kept their order.
  void erase(const Cloth* cloth);

  struct Found {
    Cloth* const* first;
    Cloth* const* last;
    Cloth* const* begin() const { return first; }
    Cloth* const* end() const { return last; }
  };
  // The cloths with particles in [first, end), spare ones not counted.
  Found between(uint32_t first, uint32_t end) const;
  Found all() const { return {cloths_.data(), cloths_.data() + cloths_.size()}; }

 private:
  std::vector<Cloth*> cloths_;  // by first_particle; no two overlap
};

}  // namespace clothc
