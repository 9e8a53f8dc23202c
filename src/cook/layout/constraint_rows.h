// constraint_rows.h - allocates the rows of sets of constraints among the words of a fabric.
#pragma once

#include <vector>

#include "cook/fabric_layout.h"

namespace clothc::cook {

// A colour before it has a place: its number of items, and the members of Colour.
struct ColourSize {
  uint32_t count = 0;
  bool of_rings = false;
  bool joins_previous = false;
};

// Places the colours of a set one behind the other, among the colours of the layout, and appends rows and blocks for
// them to the words: padding particles, and parameters of 0. type, arity and width of the set must be there. Throws
// std::bad_alloc if there would be more words than kernels can address.
void place_colours(const std::vector<ColourSize>& sizes, ConstraintLayout& set, LaidOutFabric& out);

}  // namespace clothc::cook
