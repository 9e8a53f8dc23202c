// blocks.h - divides a large fabric into blocks of particles, so that its particles are loaded into the cache once per
// iteration instead of once per colour. The constraints of every colour are divided by these blocks, and a colour may
// proceed to a block as soon as the colour before it is two blocks ahead. Constraints that share a particle keep their
// order, so results do not change.
#pragma once

#include "cook/fabric_layout.h"

namespace clothc {

struct ParticleBlocks {
  // Number of blocks, 0 if the fabric is not divided.
  uint32_t count = 0;

  // [colours][count + 1] first constraint of each block, counted from the first one of the set, and the end of the last
  // block. Empty for colours that phases do not solve.
  std::vector<std::vector<uint32_t>> parts;

  // Returns the constraints of one block of a colour.
  Range part(uint32_t colour, uint32_t block) const { return {parts[colour][block], parts[colour][block + 1]}; }
};

// Divides a fabric, whose words are given. Returns no blocks if the fabric has at most particles_in_cache particles or
// fewer than two colours, or if its constraints connect particles that are stored so far apart that there would be
// fewer than four blocks per colour.
ParticleBlocks divide_into_blocks(const FabricLayout& fabric, const uint32_t* words, uint32_t particles_in_cache);

}  // namespace clothc
