// virtual_particles.h - a fabric's virtual particles as the kernels read them: by colour, corner by corner.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Fills virtual_colours, virtual_stride and the laid-out corners and weights from virtual particles, weights and storage order.
void lay_out_virtual_particles(FabricData& fabric);

}  // namespace clothc::cook
