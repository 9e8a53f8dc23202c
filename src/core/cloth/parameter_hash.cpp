// parameter_hash.cpp - hashes parameters on the host by the functions of the kernels. Which word has which number is
// written in kernels/parameters.def.
#include "core/cloth/parameter_hash.h"

#include <cstring>

#include "core/base/parameters.h"
#include "kernels/layout.h"

namespace clothc {
namespace {

// As much of the kernels' dialect as hash_words.kernel.h needs.
using unum = uint32_t;
uint32_t select_bits(bool condition, uint32_t a, uint32_t b) { return condition ? a : b; }
#define FUNCTION(type) type
#define VALUE(type) type
#define U(value) (value)
#include "kernels/update/hash_words.kernel.h"
#undef FUNCTION
#undef VALUE
#undef U

uint32_t bits_of(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

}  // namespace

uint64_t hash_parameters(const clothc_cloth_parameters& parameters, float scale, uint64_t ordinal) {
  const uint32_t owner =
      static_cast<uint32_t>(ordinal) * 0x85ebca77u + static_cast<uint32_t>(ordinal >> 32) * 0xc2b2ae3du;
  Sum64 sum{0, 0};
  for (const Parameter& parameter : ParameterTable()) {
    if (parameter.hash == unhashed) continue;
    for (uint32_t k = 0; k < parameter.words; ++k) {
      uint32_t word;
      const size_t offset = parameter.offset + k * sizeof(word);
      std::memcpy(&word, reinterpret_cast<const char*>(&parameters) + offset, sizeof(word));
      sum = add_word(sum, owner, static_cast<int>(parameter.hash + k), word);
    }
  }
  sum = add_word(sum, owner, 1035, bits_of(parameters.tether_scale * scale));
  sum = add_word(sum, owner, 1067, parameters.collision_flags & CLOTHC_COLLISION_CONTINUOUS);
  return uint64_t{sum.high} << 32 | sum.low;
}

}  // namespace clothc
