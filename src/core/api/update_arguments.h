// update_arguments.h - checks what callers pass for an update.
#pragma once

#include "core/solver/solver.h"

namespace clothc {

// Throws Failure where a value is invalid.
UpdateArguments checked_update(const Solver& solver, const clothc_update* update);

}  // namespace clothc
