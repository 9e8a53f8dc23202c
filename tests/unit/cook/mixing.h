// mixing.h - a stand-in for solving constraints whose result tells whether those of each particle kept their order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "cook/fabric_data.h"

namespace clothc::test {

// One constraint changes both of its ends, in a way that depends on the order of the constraints, but not of the ends.
inline void mix(std::vector<uint64_t>& state, uint32_t a, uint32_t b, float length) {
  const uint64_t mixed = (std::min(state[a], state[b]) * 31 + std::max(state[a], state[b])) * 0x9e3779b97f4a7c15u;
  state[a] = state[b] = mixed + static_cast<uint64_t>(length * 1e6f);
}

inline std::vector<uint64_t> first_state(const FabricData& fabric) {
  std::vector<uint64_t> state(fabric.particle_count);
  for (size_t p = 0; p < state.size(); ++p) state[p] = p + 1;
  return state;
}

}  // namespace clothc::test
