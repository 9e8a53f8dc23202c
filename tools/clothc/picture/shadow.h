// shadow.h - a shadow map: the distance from the light to what it reaches first.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/projection.h"
#include "picture/surface.h"

namespace clothc_tool {

constexpr uint32_t PATTERN_COUNT = 4;  // ways to place a cell's taps, for 2 x 2 cells

class ShadowMap {
 public:
  // towards_light: a unit vector; meshes cast shadows.
  ShadowMap(Vector3 towards_light, const std::vector<SurfaceMesh>& meshes);

  // Part of the light that reaches p, 0 .. 1: sharp near what casts the shadow and softer away from it. normal: the
  // surface's, on the light's side. The mean over all patterns is smooth.
  float light_at(Vector3 p, Vector3 normal, uint32_t pattern) const;

 private:
  struct Plane {  // of a surface: its depth at (x, y) of the map is depth + (x, y) . slope
    Vector3 at;
    float slope_x, slope_y;
  };

  // Calls visit(depth, depth of the plane) for the taps of a disc.
  template <typename Visit>
  void visit_disc(const Plane& plane, float radius, uint32_t pattern, Visit visit) const;

  ParallelProjection projection_;
  std::vector<float> depths_;
  std::vector<Vector3> taps_;  // [PATTERN_COUNT][TAP_COUNT] in the unit disc
};

}  // namespace clothc_tool
