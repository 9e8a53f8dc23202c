// constraint_sets.h - lays out the constraints of a fabric as the kernels read them, set by set and colour by colour.
#pragma once

#include "cook/fabric_data.h"
#include "cook/fabric_layout.h"

namespace clothc::cook {

// Fills the sets and colours of a layout from the sets of pairs, the sets of other types, the tethers and the virtual
// particles of a fabric, and appends their rows to the words.
void lay_out_constraints(const FabricData& fabric, LaidOutFabric& out);

}  // namespace clothc::cook
