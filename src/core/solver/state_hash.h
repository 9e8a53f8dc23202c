// state_hash.h - the public state hash of a solver.
#pragma once

#include "core/solver/contents.h"

namespace clothc {

// Returns the hash of the state of all cloths, 0 if there are none. Waits for the device. If it fails, nothing has
// changed.
uint64_t state_hash(SolverContents& contents);

}  // namespace clothc
