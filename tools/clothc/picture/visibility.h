// visibility.h - how much of the sun and of the sky every pixel sees: shadow and ambient occlusion. Both are sampled
// with a few taps at one pixel of every 2 x 2 cell, with different tap patterns in neighbouring cells, and averaged
// over those cells around a pixel that show the same surface.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "picture/projection.h"
#include "picture/shadow.h"
#include "picture/surface.h"

namespace clothc_tool {

struct Visibility {
  // Visible parts of the sun and of the sky, 0 .. 1.
  float sun = 1, sky = 1;
};

class VisibilityMap {
 public:
  // Memory that the map uses while it exists.
  struct Memory {
    // [height][width] depths of the pixel centres, stored densely because ambient occlusion reads many of them.
    std::vector<float> depths;

    // [rows][columns]
    std::vector<Visibility> cells;
  };

  // middles: [height][width] samples at the centres of the pixels. bounds: of everything except the ground. size: size
  // of what the camera looks at.
  VisibilityMap(const std::vector<SurfaceSample>& middles, uint32_t width, uint32_t height,
                const PerspectiveProjection& projection, const ShadowMap& shadow, Vector3 towards_light,
                const Box& bounds, float size, Memory& memory);

  // Returns the visibility of a sample of the pixel (x, y).
  Visibility at(const SurfaceSample& sample, uint32_t x, uint32_t y) const;

 private:
  Visibility single(const SurfaceSample& sample, uint32_t x, uint32_t y, uint32_t pattern) const;
  void compute_offsets();
  float sky_at(Vector3 p, Vector3 normal, uint32_t pattern) const;
  float hidden(Vector3 point, float distance) const;

  static constexpr size_t RAY_COUNT = 16;

  const std::vector<SurfaceSample>& middles_;

  // Size in pixels and in cells.
  uint32_t width_, height_, columns_, rows_;

  const PerspectiveProjection& projection_;
  const ShadowMap& shadow_;
  Vector3 towards_light_;
  Vector3 centre_;

  // Radius of ambient occlusion, and radius around centre_ outside of which there is none.
  float radius_, near_;

  Memory& memory_;

  std::array<std::array<Vector3, RAY_COUNT>, PATTERN_COUNT> offsets_;
};

}  // namespace clothc_tool
