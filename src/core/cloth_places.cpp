// cloth_places.cpp - see cloth_places.h.
#include "core/cloth_places.h"

#include <algorithm>

namespace clothc {
namespace {

// Where the cloths begin whose first particle is at a place or behind it.
template <class Cloths>
auto at_or_behind(Cloths& cloths, uint32_t place) {
  return std::lower_bound(cloths.begin(), cloths.end(), place,
                          [](const Cloth* cloth, uint32_t p) { return cloth->first_particle < p; });
}

}  // namespace

void ClothPlaces::insert(Cloth* cloth) { cloths_.insert(at_or_behind(cloths_, cloth->first_particle), cloth); }

void ClothPlaces::erase(const Cloth* cloth) { cloths_.erase(at_or_behind(cloths_, cloth->first_particle)); }

ClothPlaces::Span ClothPlaces::between(uint32_t first, uint32_t end) const {
  const auto begin = std::partition_point(cloths_.begin(), cloths_.end(), [&](const Cloth* cloth) {
    return cloth->first_particle + cloth->particle_count() <= first;
  });
  const auto last = std::max(begin, at_or_behind(cloths_, end));
  return {cloths_.data() + (begin - cloths_.begin()), cloths_.data() + (last - cloths_.begin())};
}

}  // namespace clothc
