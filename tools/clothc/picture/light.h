// light.h - computes the colour of a surface sample from its material and from how much of the sun and sky it sees.
#pragma once

#include "picture/projection.h"
#include "picture/surface.h"
#include "picture/visibility.h"

namespace clothc_tool {

class Lighting {
 public:
  Lighting(const RenderScene& scene, const PerspectiveProjection& projection);

  Vector3 towards_light() const { return towards_light_; }

  // Returns the linear colour that the sample contributes to the pixel (x, y).
  Vector3 colour(const SurfaceSample& sample, const Visibility& visibility, uint32_t x, uint32_t y) const;

 private:
  Vector3 cloth_colour(const SurfaceSample& sample) const;
  Vector3 ground_colour(const SurfaceSample& sample, Vector3 p, uint32_t x, uint32_t y) const;
  Vector3 light(const SurfaceSample& sample, const Visibility& visibility, Vector3 view) const;

  const RenderScene& scene_;
  const PerspectiveProjection& projection_;
  Vector3 towards_light_, towards_fill_;

  // Size of what the camera looks at, and side of the ground's tiles, both in m.
  float size_, tile_;
};

// Returns the colour of a cloth's back, which is paler than its front, like the back of printed cloth.
Vector3 back_colour(Vector3 front);

// Colour of solids.
constexpr Vector3 SOLID_COLOUR = {0.20f, 0.23f, 0.27f};

// Converts linear light to an sRGB byte and compresses highlights smoothly.
uint8_t encoded(float linear);

}  // namespace clothc_tool
