// phase_passes.h - the passes of an iteration that solve the phases of a cloth.
#pragma once

#include "core/schedule/pass_list.h"

namespace clothc {

// The kernels that solve constraints of a type. limited: for phases with a soft zone.
struct ConstraintKernels {
  Kernel plain, limited;
};
ConstraintKernels kernels_of(ConstraintType type);

void add_phases(const Cloth& cloth, PassList& passes);

}  // namespace clothc
