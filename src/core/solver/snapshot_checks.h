// snapshot_checks.h - checks that the state of a cloth in a snapshot is one that a program could have set or an update
// could have produced.
#pragma once

#include <string>

#include "core/cloth/cloth.h"

namespace clothc {

// Checks the state that a cloth carries from update to update. cloth: the name of the cloth in error messages.
void check_state(const GroupState& state, const std::string& cloth);

// Checks the four values of a particle in a channel against the limits of the kernels that write channels.
// name: that of the cloth in error messages.
void check_particle(const Cloth& cloth, StateChannel channel, uint32_t particle, const float* value,
                    const std::string& name);

}  // namespace clothc
