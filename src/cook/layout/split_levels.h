// split_levels.h - cooks and lays out the coarse levels of a fabric again after particles have been split.
#pragma once

#include "cook/fabric_layout.h"
#include "cook/hierarchy/split_fabric.h"

namespace clothc::cook {

// Returns a layout that has nothing but levels and positions at rest, in words of its own. Far from the particles that were
// split, the first level is that of the fabric, if it has levels.
LaidOutFabric lay_out_split_levels(const SplitFabric& fabric);

}  // namespace clothc::cook
