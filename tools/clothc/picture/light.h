// light.h - colours and light: what a sample of the surface looks like once it is known what it sees.
#pragma once

#include "picture/projection.h"
#include "picture/surface.h"
#include "picture/visibility.h"

namespace clothc_tool {

class Lighting {
 public:
  Lighting(const RenderScene& scene, const PerspectiveProjection& projection);

  Vector3 towards_light() const { return towards_light_; }

  // Linear colour of what the pixel (x, y) shows of the sample.
  Vector3 colour(const SurfaceSample& sample, const Visibility& visibility, uint32_t x, uint32_t y) const;

 private:
  Vector3 cloth_colour(const SurfaceSample& sample) const;
  Vector3 ground_colour(const SurfaceSample& sample, Vector3 p, uint32_t x, uint32_t y) const;
  Vector3 light(const SurfaceSample& sample, const Visibility& visibility, Vector3 view) const;

  const RenderScene& scene_;
  const PerspectiveProjection& projection_;
  Vector3 towards_light_, towards_fill_;
  float size_, tile_;  // of what the camera looks at, of the ground's tiles
};

// Linear light to an sRGB byte, highlights rolled off.
uint8_t encoded(float linear);

}  // namespace clothc_tool
