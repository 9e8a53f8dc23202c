// fans.cpp - counts the fans of a slice, then fills them in the order of the primitives.
#include "cook/layout/fans.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <new>

#include "cook/fabric_data.h"
#include "cook/fabric_layout.h"

namespace clothc::cook {

bool is_new_corner(const uint32_t* corners, uint32_t corner) {
  return std::find(corners, corners + corner, corners[corner]) == corners + corner;
}

Fans make_fans(const std::vector<uint32_t>& corners, uint32_t corner_count, uint32_t item_count, uint32_t missing) {
  const auto count = static_cast<uint32_t>(corners.size() / corner_count);
  const uint32_t slice_count = item_count / lane_padding;
  std::vector<uint32_t> sizes(item_count, 0);
  const auto visit_all = [&](auto visit) {
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t* own = &corners[size_t{k} * corner_count];
      for (uint32_t corner = 0; corner < corner_count; ++corner) {
        if (own[corner] != no_index && is_new_corner(own, corner)) visit(k, own[corner]);
      }
    }
  };
  visit_all([&](uint32_t, uint32_t item) { ++sizes[item]; });

  Fans fans;
  uint64_t end = padded(slice_count + 1);
  fans.words.resize(end, 0);
  for (uint32_t slice = 0; slice < slice_count; ++slice) {
    fans.words[slice] = static_cast<uint32_t>(end);
    const auto first = sizes.begin() + static_cast<std::ptrdiff_t>(size_t{slice} * lane_padding);
    const uint32_t width = *std::max_element(first, first + lane_padding);
    fans.widest = std::max(fans.widest, width);
    end += uint64_t{width} * lane_padding;
    // Kernels use int for offsets.
    if (end > std::numeric_limits<int32_t>::max()) throw std::bad_alloc();
  }
  fans.words[slice_count] = static_cast<uint32_t>(end);
  fans.words.resize(end, missing);

  std::fill(sizes.begin(), sizes.end(), 0u);
  visit_all([&](uint32_t primitive, uint32_t item) {
    const size_t element = size_t{sizes[item]++} * lane_padding + item % lane_padding;
    fans.words[fans.words[item / lane_padding] + element] = primitive;
  });
  return fans;
}

}  // namespace clothc::cook
