// lattice_passes.h - the passes of cloths that stay in the lattice of their fabric through an update.
#pragma once

#include "core/schedule/pass_list.h"

namespace clothc {

// The items of kernels over all slots of the lattice.
inline Range slots_of(const Cloth& cloth) { return {0, cloth.layout().lattice.slot_count()}; }

// Makes the jobs of an iteration jobs over the slots of the lattice, and takes the way there and back out of it, if each
// job that accesses particles can be done there. Returns whether that is so; then particles must be moved into the lattice
// before the iterations and out of it after them.
bool stay_in_lattice(const Cloth& cloth, std::vector<StagedJob>& iteration);

}  // namespace clothc
