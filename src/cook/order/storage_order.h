// storage_order.h - finds a storage order for the particles of a fabric in which particles that share a constraint are
// close together in memory.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Returns [pairs][2] particles that constraints connect: the pairs of the fabric, and the neighbours in the constraints
// of other types.
std::vector<uint32_t> find_connections(const FabricData& fabric);

// Returns the storage index of each particle, a permutation. The order is breadth-first over the connections, from one
// end of each connected piece.
std::vector<uint32_t> find_storage_order(uint32_t particle_count, const std::vector<uint32_t>& connections);

// Returns the mean distance in memory, in particles, between connected particles. If storage_order is empty, the
// storage index of every particle is its own index.
double mean_distance(const std::vector<uint32_t>& connections, const std::vector<uint32_t>& storage_order);

// Whether an eighth or more of the connections join particles whose numbers are adjacent, as in grids row by row.
bool has_rows(const std::vector<uint32_t>& connections);

}  // namespace clothc::cook
