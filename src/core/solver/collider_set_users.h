// collider_set_users.h - which cloths use each collider set, so that writing or destroying a set need not look at every
// cloth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/cloth/cloth.h"

namespace clothc {

// For the slot of each collider set, the cloths that use the set, sorted by their slots.
class ColliderSetUsers {
 public:
  // Allocates memory for one more cloth of a set, so that the next add to this set cannot fail.
  void reserve(uint32_t set) {
    if (set >= users_.size()) users_.resize(std::max<size_t>(size_t{set} + 1, 2 * users_.size()));
    std::vector<Cloth*>& cloths = users_[set];
    if (cloths.size() == cloths.capacity()) cloths.reserve(2 * cloths.size() + 1);
  }
  void add(uint32_t set, Cloth& cloth) { users_[set].insert(find(set, cloth), &cloth); }
  void remove(uint32_t set, const Cloth& cloth) { users_[set].erase(find(set, cloth)); }
  // Removes all cloths of a set that is being destroyed, so that the next set in this slot begins without any.
  void clear(uint32_t set) {
    if (set < users_.size()) users_[set].clear();
  }
  const std::vector<Cloth*>& of(uint32_t set) const {
    static const std::vector<Cloth*> none;
    return set < users_.size() ? users_[set] : none;
  }

 private:
  std::vector<Cloth*>::iterator find(uint32_t set, const Cloth& cloth) {
    std::vector<Cloth*>& cloths = users_[set];
    return std::lower_bound(cloths.begin(), cloths.end(), cloth.slot,
                            [](const Cloth* other, uint32_t slot) { return other->slot < slot; });
  }

  std::vector<std::vector<Cloth*>> users_;
};

}  // namespace clothc
