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

// The items of kernels over all slots of the lattice.
inline Range slots_of(const Cloth& cloth) { return {0, cloth.layout().lattice.slot_count()}; }

// Takes the way there and back out of the jobs of an iteration, if nothing in it but integration needs the particles
// where they are outside the lattice. Returns whether that is so; then they must be moved before the iterations and after
// them.
bool stay_in_lattice(const Cloth& cloth, std::vector<StagedJob>& iteration);

}  // namespace clothc
