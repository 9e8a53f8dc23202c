// virtual_particles.h - lays out the virtual particles of a fabric as the kernels read them: sorted by colour, with one
// array per corner.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Fills virtual_colours, virtual_stride and the laid-out corners and weights from the virtual particles, their weights
// and the storage order.
void lay_out_virtual_particles(FabricData& fabric);

}  // namespace clothc::cook
