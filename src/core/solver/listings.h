// listings.h - which cloths use each collider set, so that writing or destroying a set need not look at every cloth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace clothc {

// For the slot of each collider set, the sorted slots of the cloths that use the set.
class Listings {
 public:
  // Allocates memory for one more cloth of a set, so that the next add to this set cannot fail.
  void reserve(uint32_t set) {
    if (set >= lists_.size()) lists_.resize(std::max<size_t>(size_t{set} + 1, 2 * lists_.size()));
    std::vector<uint32_t>& list = lists_[set];
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
  }
  void add(uint32_t set, uint32_t cloth) {
    std::vector<uint32_t>& list = lists_[set];
    list.insert(std::lower_bound(list.begin(), list.end(), cloth), cloth);
  }
  void remove(uint32_t set, uint32_t cloth) {
    std::vector<uint32_t>& list = lists_[set];
    list.erase(std::lower_bound(list.begin(), list.end(), cloth));
  }
  // Removes all cloths of a set that is being destroyed, so that the next set in this slot begins without any.
  void clear(uint32_t set) {
    if (set < lists_.size()) lists_[set].clear();
  }
  const std::vector<uint32_t>& of(uint32_t set) const {
    static const std::vector<uint32_t> none;
    return set < lists_.size() ? lists_[set] : none;
  }

 private:
  std::vector<std::vector<uint32_t>> lists_;
};

}  // namespace clothc
