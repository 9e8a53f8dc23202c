// visibility.h - how much of the sun and of the sky every pixel sees: shadow and ambient occlusion. Both are found
// by some taps in one pixel of every cell of 2 x 2, placed differently in cells side by side, and averaged over the
// cells around a pixel that show the same surface.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "picture/projection.h"
#include "picture/shadow.h"
#include "picture/surface.h"

namespace clothc_tool {

struct Visibility {
  float sun = 1, sky = 1;  // 0 .. 1
};

class VisibilityMap {
 public:
  // middles: [height][width] what the middles of the pixels see. bounds: of everything but the ground. size: of what
  // the camera looks at.
  VisibilityMap(const std::vector<SurfaceSample>& middles, uint32_t width, uint32_t height,
                const PerspectiveProjection& projection, const ShadowMap& shadow, Vector3 towards_light,
                const Box& bounds, float size);

  // At a sample of the pixel (x, y).
  Visibility at(const SurfaceSample& sample, uint32_t x, uint32_t y) const;

 private:
  Visibility single(const SurfaceSample& sample, uint32_t x, uint32_t y, uint32_t pattern) const;
  void place_offsets();
  float sky_at(Vector3 p, Vector3 normal, uint32_t pattern) const;
  float hidden(Vector3 point, float reach) const;

  static constexpr size_t RAY_COUNT = 16;

  const std::vector<SurfaceSample>& middles_;
  uint32_t width_, height_, columns_, rows_;  // in pixels, in cells
  const PerspectiveProjection& projection_;
  const ShadowMap& shadow_;
  Vector3 towards_light_;
  Vector3 centre_;
  float radius_, near_;          // of occlusion; of the part of the world that has any
  std::vector<float> depths_;    // of the middles, close together because occlusion reads many
  std::vector<Visibility> map_;  // [rows_][columns_]
  std::array<std::array<Vector3, RAY_COUNT>, PATTERN_COUNT> offsets_;
};

}  // namespace clothc_tool
