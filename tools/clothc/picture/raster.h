// raster.h - rasterises triangles that have been projected to pixels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mesh/vector3.h"

namespace clothc_tool {

// All columns of the rows begin .. end of a pixel grid.
struct RasterRows {
  uint32_t width, begin, end;
};

// Calls visit(x, y, w0, w1, w2) for every pixel of the rows whose centre is in the triangle a b c (x and y in pixels).
// The weights interpolate linearly on the screen. Triangles without area are skipped. Pixels on an edge belong to both
// adjacent triangles, so that rounding leaves no gaps.
template <typename Visit>
void fill_triangle(Vector3 a, Vector3 b, Vector3 c, RasterRows rows, Visit visit) {
  constexpr float OUTSIDE = -1e-5f;
  const auto width = static_cast<float>(rows.width), first = static_cast<float>(rows.begin),
             last = static_cast<float>(rows.end);
  const float top = std::min({a.y, b.y, c.y}), bottom = std::max({a.y, b.y, c.y});
  if (bottom < first || top >= last) return;
  const float left = std::min({a.x, b.x, c.x}), right = std::max({a.x, b.x, c.x});
  const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (right < 0 || left >= width || !(area != 0) || !std::isfinite(area)) return;
  const auto begin_x = static_cast<uint32_t>(std::max(left - 0.5f, 0.0f));
  const auto begin_y = static_cast<uint32_t>(std::max(top - 0.5f, first));
  const auto end_x = static_cast<uint32_t>(std::min(right + 1, width));
  const auto end_y = static_cast<uint32_t>(std::min(bottom + 1, last));
  const float inverse_area = 1 / area;
  for (uint32_t y = begin_y; y < end_y; ++y) {
    const float py = static_cast<float>(y) + 0.5f;
    bool entered = false;
    for (uint32_t x = begin_x; x < end_x; ++x) {
      const float px = static_cast<float>(x) + 0.5f;
      const float w0 = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) * inverse_area;
      const float w1 = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) * inverse_area;
      const float w2 = 1 - w0 - w1;
      if (w0 >= OUTSIDE && w1 >= OUTSIDE && w2 >= OUTSIDE) {
        visit(x, y, w0, w1, w2);
        entered = true;
      } else if (entered) {
        break;
      }
    }
  }
}

}  // namespace clothc_tool
