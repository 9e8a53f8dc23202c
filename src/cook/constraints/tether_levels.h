// tether_levels.h - groups tethered particles into levels, each of which can be solved in parallel.
#pragma once

#include <vector>

#include "cook/fabric_data.h"

namespace clothc::cook {

// The particles that tethers move, level by level, each level along memory. Invariant: solving one level after the
// other, and all particles of a level at once, gives the same result as solving all particles in place, in the order of
// their indices.
using TetherLevels = std::vector<std::vector<uint32_t>>;
TetherLevels find_tether_levels(const FabricData& fabric);

}  // namespace clothc::cook
