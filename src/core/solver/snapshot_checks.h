// snapshot_checks.h - whether what a snapshot says of a cloth's state could have been set by a program or come out of an update.
#pragma once

#include <string>

#include "core/solver/solver.h"

namespace clothc {

// cloth: names it in messages.
void check_state(const ClothState& state, const std::string& cloth);

// What a block holds of a particle, by the limits of the kernels that take it from programs.
void check_particle(ParticleBlock block, uint32_t particle, const float* value, const std::string& cloth);

}  // namespace clothc
