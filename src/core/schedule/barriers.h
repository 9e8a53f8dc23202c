// barriers.h - decides which passes of a schedule must wait until all earlier passes have finished.
#pragma once

#include "core/backend/dispatch.h"

namespace clothc {

// Sets Pass::barrier of every pass from the data that its kernels read and write according to kernels.def. There is a
// barrier between two passes if the later one accesses data that the earlier one writes, or writes data that the
// earlier one reads, and otherwise none. The first pass of the repeated range follows both the pass before the range
// and the last pass of the range.
void derive_barriers(Schedule& schedule);

}  // namespace clothc
