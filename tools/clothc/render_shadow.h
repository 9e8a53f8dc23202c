// render_shadow.h - a shadow map: the distance from the light to what it reaches first.
#pragma once

#include <cstdint>
#include <vector>

#include "render_projection.h"
#include "render_surface.h"

namespace clothc_tool {

class ShadowMap {
 public:
  // towards_light: a unit vector; meshes cast shadows.
  ShadowMap(Vector3 towards_light, const std::vector<SurfaceMesh>& meshes);

  // Part of the light that reaches p, 0 .. 1, with a soft edge. normal: the surface's, on the light's side.
  float light_at(Vector3 p, Vector3 normal) const;

 private:
  ParallelProjection projection_;
  std::vector<float> depths_;
};

}  // namespace clothc_tool
