// cloths_by_range.cpp - binary searches over particle ranges. See cloths_by_range.h.
#include "core/solver/cloths_by_range.h"

#include <algorithm>

namespace clothc {
namespace {

// Returns an iterator to the first cloth whose range begins at first_particle or behind it.
template <class Cloths>
auto at_or_behind(Cloths& cloths, uint32_t first_particle) {
  return std::lower_bound(cloths.begin(), cloths.end(), first_particle,
                          [](const Cloth* cloth, uint32_t p) { return cloth->first_particle < p; });
}

}  // namespace

void ClothsByRange::insert(Cloth* cloth) { cloths_.insert(at_or_behind(cloths_, cloth->first_particle), cloth); }

void ClothsByRange::erase(const Cloth* cloth) { cloths_.erase(at_or_behind(cloths_, cloth->first_particle)); }

ClothsByRange::Found ClothsByRange::between(uint32_t first, uint32_t end) const {
  const auto begin = std::partition_point(cloths_.begin(), cloths_.end(), [&](const Cloth* cloth) {
    return cloth->first_particle + cloth->particle_count() <= first;
  });
  const auto last = std::max(begin, at_or_behind(cloths_, end));
  return {cloths_.data() + (begin - cloths_.begin()), cloths_.data() + (last - cloths_.begin())};
}

}  // namespace clothc
