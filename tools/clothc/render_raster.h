// render_raster.h - fills triangles that have been projected to pixels.
#pragma once

#include <algorithm>
#include <cstdint>

#include "vector3.h"

namespace clothc_tool {

// Calls visit(pixel, w0, w1, w2) for every pixel of a width x height grid whose middle is in the triangle a b c (x and y
// in pixels), with weights that interpolate linearly on the screen. Triangles of no area are skipped.
template <typename Visit>
void fill_triangle(Vector3 a, Vector3 b, Vector3 c, uint32_t width, uint32_t height, Visit visit) {
  const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
  if (!(area != 0) || !std::isfinite(area)) return;
  const float left = std::min({a.x, b.x, c.x}), right = std::max({a.x, b.x, c.x});
  const float top = std::min({a.y, b.y, c.y}), bottom = std::max({a.y, b.y, c.y});
  if (right < 0 || bottom < 0 || left >= static_cast<float>(width) || top >= static_cast<float>(height)) return;
  const auto begin_x = static_cast<uint32_t>(std::max(left - 0.5f, 0.0f));
  const auto begin_y = static_cast<uint32_t>(std::max(top - 0.5f, 0.0f));
  const auto end_x = static_cast<uint32_t>(std::min(right + 1, static_cast<float>(width)));
  const auto end_y = static_cast<uint32_t>(std::min(bottom + 1, static_cast<float>(height)));
  const float inverse_area = 1 / area;
  for (uint32_t y = begin_y; y < end_y; ++y) {
    const float py = static_cast<float>(y) + 0.5f;
    for (uint32_t x = begin_x; x < end_x; ++x) {
      const float px = static_cast<float>(x) + 0.5f;
      const float w0 = ((b.x - px) * (c.y - py) - (b.y - py) * (c.x - px)) * inverse_area;
      const float w1 = ((c.x - px) * (a.y - py) - (c.y - py) * (a.x - px)) * inverse_area;
      const float w2 = 1 - w0 - w1;
      if (w0 >= 0 && w1 >= 0 && w2 >= 0) visit(size_t{y} * width + x, w0, w1, w2);
    }
  }
}

}  // namespace clothc_tool
