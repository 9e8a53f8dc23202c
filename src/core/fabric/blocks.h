// blocks.h - a large fabric divided so that its particles come into the cache once per iteration, not once per colour:
// every colour has its constraints by blocks of particles, and a colour may go on with a block as soon as the colour before
// is two blocks ahead. Constraints with a particle in common keep their order, so that results stay the same.
#pragma once

#include "cook/fabric_data.h"

namespace clothc {

struct ParticleBlocks {
  uint32_t count = 0;                        // 0: the fabric is not divided
  std::vector<std::vector<uint32_t>> parts;  // [colours][count + 1] where the constraints of each block begin

  Range part(uint32_t colour, uint32_t block) const { return {parts[colour][block], parts[colour][block + 1]}; }
};

// None if particles_in_cache hold the fabric, or if its constraints reach so far that it would have less than four times as
// many blocks as colours.
ParticleBlocks divide_into_blocks(const FabricData& fabric, uint32_t particles_in_cache);

}  // namespace clothc
