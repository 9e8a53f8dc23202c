// parameter_hash.h - the part of the state hash that a cloth's parameters make.
#pragma once

#include <cstdint>

#include <clothc.h>

namespace clothc {

// Sum of the mixed words of the parameters, as the device would add them to the cloth's hash. scale: of the cloth's
// rest lengths, which multiplies tether_scale.
uint64_t hash_parameters(const clothc_cloth_parameters& parameters, float scale, uint64_t ordinal);

}  // namespace clothc
