// fans.h - lists the triangles or edges around each particle or vertex (its fan), as the kernels read them, or what else
// belongs to an item.
//
// Fans are stored as a sliced ELLPACK matrix (Monakov, Lokhmotov, Avetisyan 2010). A slice is 16 consecutive items,
// which are particles or vertices. The array begins with the offset of the entries of each slice, in words from the
// start of the array, followed by the offset of the end. The entries follow at an offset that is a multiple of 16: the
// k-th triangle of lane l is at offset + 16 k + l. A slice is as wide as its widest fan. Missing entries name padding,
// for example the first padding triangle.
#pragma once

#include <cstdint>
#include <vector>

namespace clothc::cook {

// Whether a corner of a primitive is not the same as one before it, which can be in raw fabrics.
bool is_new_corner(const uint32_t* corners, uint32_t corner);

struct Fans {
  std::vector<uint32_t> words;
  uint32_t widest = 0;
};

// Makes the fans of all items. corners: [primitives][corner_count] items, each no_index or below item_count, which is a
// multiple of lane_padding. missing: what missing entries hold. Every fan lists its primitives in ascending order, so that sums over it do not depend on the storage
// order.
Fans make_fans(const std::vector<uint32_t>& corners, uint32_t corner_count, uint32_t item_count, uint32_t missing);

}  // namespace clothc::cook
