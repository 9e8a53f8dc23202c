// ring_order.h - puts the pairs of a set into an order in which many of them make rings and paths, which solvers load and
// store together (FabricLayout).
#pragma once

#include <cstdint>
#include <vector>

#include "cook/topology/edges.h"

namespace clothc::cook {

// Lists rings colour by colour, each as its pairs 0, 2, 1 and 3. Where a grid of rings ends, a colour has paths of
// two pairs too, and in the end pairs alone, whose particles it has left free. Pairs that fit into no colour of rings
// follow in their own colours, as in order_by_colour, which does everything if few pairs make rings. pairs: sorted, each
// once. positions: [particles][4], at rest.
void order_by_rings(std::vector<Pair>& pairs, const std::vector<float>& positions);

}  // namespace clothc::cook
