// free_colours.h - first-fit colouring: each element in turn gets the lowest colour that none of its particles has yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

// The set of colours that each particle has, as a hash table of (particle, colour) with open addressing. A particle
// with a million elements costs a million entries, but nothing at its neighbours.
class FreeColours {
 public:
  // entry_count: total number of particles of all elements that take will be called for. After most_tries colours that
  // are not free, an element gets a colour above all those of its particles, so that hostile input takes no quadratic
  // time.
  FreeColours(uint32_t particle_count, size_t entry_count, uint32_t most_tries = UINT32_MAX);

  // Returns the lowest colour that is free at all of the given particles, and marks it as taken there. The particles
  // must differ. The colour is at most the number of colours in use before the call.
  uint32_t take(const uint32_t* particles, size_t count);
  // Returns the colour that take would.
  uint32_t find(const uint32_t* particles, size_t count) const;

 private:
  static uint64_t key(uint32_t particle, uint32_t colour) { return uint64_t{particle} << 32 | colour; }

  bool has(uint32_t particle, uint32_t colour) const {
    return slots_[slot_of(particle, colour)] == key(particle, colour);
  }

  // Returns the slot that holds the key, or else the empty slot where it belongs.
  size_t slot_of(uint32_t particle, uint32_t colour) const;

  std::vector<uint64_t> slots_;
  // [particles] the lowest free colour, and one more than the highest colour that is taken.
  std::vector<uint32_t> lowest_free_;
  std::vector<uint32_t> above_all_;
  uint32_t most_tries_;
};

}  // namespace clothc::cook
