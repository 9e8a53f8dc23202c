// storage_order.h - finds a storage order for the particles of a fabric in which particles that share a constraint are
// close together in memory.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Returns the storage index of each particle, a permutation. The order is breadth-first over the constraints, from one
// end of each connected piece.
std::vector<uint32_t> find_storage_order(const FabricData& fabric);

// Returns the mean distance in memory, in particles, between the two particles of a constraint. If storage_order is
// empty, the storage index of every particle is its own index.
double mean_distance(const FabricData& fabric, const std::vector<uint32_t>& storage_order);

}  // namespace clothc::cook
