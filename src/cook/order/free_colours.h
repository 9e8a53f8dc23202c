// free_colours.h - first-fit colouring: each element, in order, gets the lowest colour that none of its particles has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

// Which colours a particle has, as an open hash table of (particle, colour): a hub of a million elements costs its million
// entries and its neighbours nothing.
class FreeColours {
 public:
  // entry_count: particles of all elements that will be taken, each counted as often as it is named. An element for which
  // most_tries colours are not free gets one above all of its particles', so that hostile arrays cost no quadratic time.
  FreeColours(uint32_t particle_count, size_t entry_count, uint32_t most_tries = UINT32_MAX);

  // The lowest colour free at all of the particles, which differ; now taken. At most the number of colours taken so far.
  uint32_t take(const uint32_t* particles, size_t count);

 private:
  static uint64_t key(uint32_t particle, uint32_t colour) { return uint64_t{particle} << 32 | colour; }

  bool has(uint32_t particle, uint32_t colour) const {
    return slots_[slot_of(particle, colour)] == key(particle, colour);
  }

  // Where the key is, or the empty slot where it belongs.
  size_t slot_of(uint32_t particle, uint32_t colour) const;

  std::vector<uint64_t> slots_;
  std::vector<uint32_t> lowest_free_;  // [particles]
  std::vector<uint32_t> above_all_;    // [particles] one more than the highest that is taken
  uint32_t most_tries_;
};

}  // namespace clothc::cook
