// rings.h - recognises rings among the constraints of a set, and takes them apart again.
#pragma once

#include <cstddef>
#include <vector>

#include "cook/fabric_layout.h"

namespace clothc::cook {

// A sequence of pairs in which some that follow one another have been put together.
struct RingSequence {
  struct Item {
    // The first of the item's constraints, and their number: 4 in a ring, 2 in a path, or 1.
    uint32_t first;
    uint32_t count;
  };
  std::vector<Item> items;
  // [items][ring_size] particles; IndependentGroups::no_particle in place of those that an item lacks.
  std::vector<uint32_t> particles;
};

// Solving the items in order gives the same result as solving the pairs in order. pairs: [count][2] particles. If fewer
// than three in four pairs are in rings, all stay on their own.
RingSequence recognise_rings(const uint32_t* pairs, size_t count);

// Writes the ring_size particles of the ring that four pairs make. Returns false if they make none.
bool read_ring(const uint32_t* pairs, uint32_t* ring);
// Writes the particles of the path that two pairs make: the end of the second pair, the particle in common, the end of the
// first pair. Returns false if they do not have one particle in common.
bool read_path(const uint32_t* pairs, uint32_t* path);

// Constraints of a ring, and of a path, in the order in which they are solved.
constexpr uint32_t ring_order[ring_size] = {0, 2, 1, 3};
constexpr uint32_t path_order[2] = {2, 1};

// Takes all rings apart: their constraints come into colours of their own, and results stay the same. Changes of
// topology need that, because they move single constraints.
void dissolve_rings(LaidOutFabric& fabric);

}  // namespace clothc::cook
