// tether_levels.h - groups tethered particles into levels, each of which can be solved in parallel.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Fills tether_order and tether_levels. Invariant: solving one level after the other, and all particles of a level at
// once, gives the same result as solving all particles in place, in the order of their indices.
void order_tethers(FabricData& fabric);

}  // namespace clothc::cook
