// cloth_view.cpp - see cloth_view.h.
#include "core/debug/cloth_view.h"

#include <algorithm>

namespace clothc {

Ball ball_around(const ClothView& view) {
  bool is_empty = true;
  Vector least{0, 0, 0}, most{0, 0, 0};
  view.for_each_particle([&](uint32_t, uint32_t stored) {
    const Vector x = view.position(stored);
    if (is_empty) least = most = x;
    is_empty = false;
    least = {std::min(least.x, x.x), std::min(least.y, x.y), std::min(least.z, x.z)};
    most = {std::max(most.x, x.x), std::max(most.y, x.y), std::max(most.z, x.z)};
  });
  return {0.5 * (least + most), std::max(view.size, length(most - least) / 2)};
}

}  // namespace clothc
