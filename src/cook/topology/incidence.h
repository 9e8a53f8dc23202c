// incidence.h - lists for each particle the items (edges or triangles) that it belongs to, in one flat array.
// Invariant: the items of a particle are in ascending order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clothc::cook {

struct Incidence {
  // The items of particle p are item[begin[p]] .. item[begin[p + 1] - 1]. begin has one element more than there are
  // particles.
  std::vector<uint32_t> begin;
  std::vector<uint32_t> item;

  uint32_t count(uint32_t particle) const { return begin[particle + 1] - begin[particle]; }
};

// Each item has width particles: corner(item, i) returns the particle number i, 0 .. width - 1.
template <typename Corner>
Incidence find_incidence(uint32_t particle_count, uint32_t item_count, uint32_t width, Corner corner) {
  Incidence incidence;
  incidence.begin.assign(size_t{particle_count} + 1, 0);
  for (uint32_t i = 0; i < item_count; ++i) {
    for (uint32_t j = 0; j < width; ++j) ++incidence.begin[size_t{corner(i, j)} + 1];
  }
  for (uint32_t p = 0; p < particle_count; ++p) incidence.begin[p + 1] += incidence.begin[p];
  incidence.item.resize(incidence.begin[particle_count]);
  std::vector<uint32_t> next(incidence.begin.begin(), incidence.begin.end() - 1);
  for (uint32_t i = 0; i < item_count; ++i) {
    for (uint32_t j = 0; j < width; ++j) incidence.item[next[corner(i, j)]++] = i;
  }
  return incidence;
}

}  // namespace clothc::cook
