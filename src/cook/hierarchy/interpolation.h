// interpolation.h - weights by which the motion of a few nodes gives that of a point between them.
#pragma once

#include <array>
#include <vector>

#include "cook/geometry.h"
#include "cook/hierarchy/levels.h"

namespace clothc::cook {

// A node near a point: its position relative to the point at rest, and its distance along the surface.
struct Parent {
  uint32_t node;
  Vector offset;
  double distance;
};

// Returns the weight of each parent, 0 for those beyond their number (at most parents_per_node). The weights are not
// negative and their sum is 1. Where the parents surround the point in a plane, they reproduce linear functions there.
std::array<double, parents_per_node> find_weights(const std::vector<Parent>& parents);

}  // namespace clothc::cook
