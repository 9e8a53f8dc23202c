// free_colours.cpp - owns the hash table of the colours that particles have. Invariant: at most half of its slots are
// used.
#include "cook/order/free_colours.h"

#include <algorithm>

namespace clothc::cook {

FreeColours::FreeColours(uint32_t particle_count, size_t entry_count, uint32_t most_tries)
    : lowest_free_(particle_count, 0), above_all_(particle_count, 0), most_tries_(most_tries) {
  size_t size = 4;
  while (size < entry_count * 2) size *= 2;
  slots_.assign(size, ~uint64_t{0});
}

uint32_t FreeColours::find(const uint32_t* particles, size_t count) const {
  const uint32_t* const end = particles + count;
  uint32_t colour = 0, above_all = 0;
  for (const uint32_t* p = particles; p != end; ++p) {
    colour = std::max(colour, lowest_free_[*p]);
    above_all = std::max(above_all, above_all_[*p]);
  }
  uint32_t tries = 0;
  while (std::any_of(particles, end, [&](uint32_t p) { return has(p, colour); }))
    colour = ++tries < most_tries_ ? colour + 1 : above_all;
  return colour;
}

uint32_t FreeColours::take(const uint32_t* particles, size_t count) {
  const uint32_t colour = find(particles, count);
  for (const uint32_t* p = particles; p != particles + count; ++p) {
    slots_[slot_of(*p, colour)] = key(*p, colour);
    above_all_[*p] = std::max(above_all_[*p], colour + 1);
    while (has(*p, lowest_free_[*p])) ++lowest_free_[*p];
  }
  return colour;
}

size_t FreeColours::slot_of(uint32_t particle, uint32_t colour) const {
  const uint64_t wanted = key(particle, colour);
  const uint64_t hash = wanted * 0x9e3779b97f4a7c15u;
  size_t slot = static_cast<size_t>(hash ^ hash >> 32) & (slots_.size() - 1);
  while (slots_[slot] != wanted && slots_[slot] != ~uint64_t{0}) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

}  // namespace clothc::cook
