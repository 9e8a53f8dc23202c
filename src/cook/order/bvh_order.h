// bvh_order.h - an order of particles in which neighbours in space come one after another: any 16 of them from a
// multiple of 16 on, any 256 from a multiple of 256 on and so forth fill a small box.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/fabric_data.h"

namespace clothc::cook {

// All particles of a fabric, by where it has them; in the order in which they are stored if it has no positions.
std::vector<uint32_t> order_for_bvh(const FabricData& fabric);

}  // namespace clothc::cook
