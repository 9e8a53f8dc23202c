// storage_order.h - where a fabric's particles are stored, so that particles that constraints join lie close together.
#pragma once

#include "cook/fabric_data.h"

namespace clothc::cook {

// Breadth-first over the constraints from one end of each piece: storage index of each particle, a permutation.
std::vector<uint32_t> find_storage_order(const FabricData& fabric);

// How far apart in memory the two particles of a constraint are, on average. storage_order: empty = each at its own index.
double mean_distance(const FabricData& fabric, const std::vector<uint32_t>& storage_order);

}  // namespace clothc::cook
