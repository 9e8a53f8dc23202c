// content_hash.h - the name of a fabric: equal for equal content on every machine.
#pragma once

#include <cstdint>

#include "cook/fabric_data.h"

namespace clothc::cook {

// Over everything that affects the simulation; not the vertex map, the phase types or the report.
uint64_t hash_content(const FabricData& fabric);

}  // namespace clothc::cook
