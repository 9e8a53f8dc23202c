// tether_levels.h - in which order tethers can be solved in parallel.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Fills tether_order and tether_levels so that solving level after level, the particles of a level at once, equals
// solving all particles in index order, in place.
void order_tethers(FabricData& fabric);

}  // namespace clothc::cook
