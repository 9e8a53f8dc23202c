// known_levels.h - reads the first coarse level of a fabric back from its layout (levels.h).
#pragma once

#include "cook/hierarchy/known_level.h"
#include "cook/hierarchy/split_fabric.h"

namespace clothc::cook {

// The fabric must have levels. They are those from before any particle was split.
KnownLevel read_first_level(const SplitFabric& fabric);

}  // namespace clothc::cook
