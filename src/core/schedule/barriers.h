// barriers.h - which passes of a schedule must wait for those before them.
#pragma once

#include "core/backend/backend.h"

namespace clothc {

// Sets Pass::barrier of every pass, from what kernels.def says that its kernels read and write: where a pass touches what
// an earlier one writes, or writes what an earlier one touches, there is a barrier between them, and none elsewhere.
// Passes of the repeated range follow those before it and, wrapping around, each other.
void derive_barriers(Schedule& schedule);

}  // namespace clothc
