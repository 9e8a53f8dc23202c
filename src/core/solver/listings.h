// listings.h - which cloths list a collider set, so that writing or destroying one does not take asking every cloth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace clothc {

// Of each collider set's slot the slots of the cloths that list it, sorted.
class Listings {
 public:
  // Makes room for one more cloth in a set's list; adding it never fails then.
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
  // The set is gone; its slot begins with no cloths.
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
