// shadow.h - a shadow map: the distance from the light to the first surface along each of its rays.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/projection.h"
#include "picture/surface.h"

namespace clothc_tool {

// Number of different tap patterns, one for each of 2 x 2 neighbouring cells.
constexpr uint32_t PATTERN_COUNT = 4;

class ShadowMap {
 public:
  // towards_light: a unit vector. meshes: the surfaces that cast shadows. depths: memory for the map.
  ShadowMap(Vector3 towards_light, const std::vector<SurfaceMesh>& meshes, std::vector<float>& depths);

  // Returns the part of the light that reaches p, 0 .. 1. Shadows are sharp near the surface that casts them and softer
  // away from it. normal: the surface normal on the side of the light. The mean over all patterns is smooth.
  float light_at(Vector3 p, Vector3 normal, uint32_t pattern) const;

 private:
  // Tangent plane of a surface: its depth at (x, y) of the map is at.z + ((x, y) - at.xy) . slope.
  struct Plane {
    Vector3 at;
    float slope_x, slope_y;
  };

  // Calls visit(depth, depth of the plane) for each tap of a disc of the given radius in pixels of the map.
  template <typename Visit>
  void visit_disc(const Plane& plane, float radius, uint32_t pattern, Visit visit) const;

  ParallelProjection projection_;

  // [SIZE][SIZE]
  std::vector<float>& depths_;

  // [PATTERN_COUNT][TAP_COUNT] points of the unit disc
  std::vector<Vector3> taps_;
};

}  // namespace clothc_tool
