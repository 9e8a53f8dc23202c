// quads.cpp - owns the search for halves that share a side.
#include "cook/topology/quads.h"

#include <algorithm>
#include <cstddef>

namespace clothc::cook {

std::vector<std::array<uint32_t, 4>> join_halves(std::vector<Half> halves, std::vector<bool>& is_joined) {
  std::sort(halves.begin(), halves.end(),
            [](const Half& a, const Half& b) { return a.side == b.side ? a.triangle < b.triangle : a.side < b.side; });
  std::vector<std::array<uint32_t, 4>> quads;
  for (size_t i = 0; i + 1 < halves.size(); ++i) {
    const Half& one = halves[i];
    const Half& other = halves[i + 1];
    const bool makes_quad =
        one.side == other.side && one.apex != other.apex && !is_joined[one.triangle] && !is_joined[other.triangle];
    if (!makes_quad) continue;
    is_joined[one.triangle] = is_joined[other.triangle] = true;
    quads.push_back({one.side.first, one.apex, one.side.second, other.apex});
  }
  return quads;
}

}  // namespace clothc::cook
