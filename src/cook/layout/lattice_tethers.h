// lattice_tethers.h - lays out tethers a second time for particles in the slots of a lattice (LatticeTethers).
#pragma once

#include <cstdint>
#include <vector>

#include "cook/fabric_layout.h"

namespace clothc::cook {

// Whether the tethers of a set can be solved in the lattice: they move no anchor, and each particle that they name has a
// slot. slot_of: [storage indices] the slot of each particle, or no_index.
bool fits_lattice(const ConstraintLayout& set, const std::vector<uint32_t>& words,
                  const std::vector<uint32_t>& slot_of);

// Appends the tethers of a set that fits.
void append_lattice_tethers(const std::vector<uint32_t>& slot_of, uint32_t slot_count, ConstraintLayout& set,
                            std::vector<uint32_t>& words);

}  // namespace clothc::cook
