// colour_sequence.h - lists pairs colour by colour, so that a reader who starts a new colour at each first conflict gets
// the same colours.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// Pairs that are solved as one item: a pair alone, two in a path, or four in a ring.
struct Element {
  // The first particle_count of them.
  std::array<uint32_t, 4> particles{};
  uint32_t particle_count = 0;
  // In the order in which they are solved.
  std::array<Pair, 4> pairs{};
  uint32_t pair_count = 0;
};

std::vector<Element> elements_of(const std::vector<Pair>& pairs);

class ColourSequence {
 public:
  ColourSequence(const std::vector<Pair>& pairs, uint32_t particle_count);

  // colours: the colour of each element. Moves to the front of each colour an element that shares a particle with the
  // colour before. A colour without such an element becomes one with the colour before.
  void add(const std::vector<Element>& elements, const std::vector<uint32_t>& colours);
  std::vector<Pair> take() { return std::move(ordered_); }

 private:
  std::vector<Pair> ordered_;
  // [particles] the last colour that the particle has an element of. Colours count from 1.
  std::vector<uint32_t> last_colour_;
  uint32_t colour_ = 1;
};

}  // namespace clothc::cook
