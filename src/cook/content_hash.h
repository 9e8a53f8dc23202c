// content_hash.h - computes the content hash of a fabric. Equal content gives an equal hash on every machine.
#pragma once

#include <cstdint>

#include "cook/fabric_data.h"

namespace clothc::cook {

// Hashes everything in the fabric that affects the simulation. The vertex map, the phase types and the report do not,
// and are left out.
uint64_t hash_content(const FabricData& fabric);

}  // namespace clothc::cook
