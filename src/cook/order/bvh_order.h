// bvh_order.h - sorts points for a bounding volume hierarchy (BVH), so that neighbours in space are neighbours in
// the order. Invariant: every aligned block of 16, 256, 4096 ... points fills a small box.
#pragma once

#include <cstdint>
#include <vector>

#include "cook/fabric_layout.h"

namespace clothc::cook {

// Returns the numbers of all points, sorted. points: [points][4], of which x y z are the position.
std::vector<uint32_t> order_points_for_bvh(const std::vector<float>& points);

// Returns all particles of a fabric, sorted by the positions that the fabric gives them, or in storage order if it has
// no positions.
std::vector<uint32_t> order_for_bvh(const FabricLayout& fabric);

}  // namespace clothc::cook
