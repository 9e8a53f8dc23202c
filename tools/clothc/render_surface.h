// render_surface.h - what the camera sees in every sample: distance, normal and material, before any light.
#pragma once

#include <cstdint>
#include <vector>

#include "render.h"
#include "render_projection.h"

namespace clothc_tool {

// Triangles with a normal and, for cloth, a colour per mesh; every collider that is no plane becomes one.
struct SurfaceMesh {
  std::vector<Vector3> positions, normals;
  std::vector<uint32_t> triangles;
  uint16_t material = 0;
};

// Materials 0 .. : sky, ground, solid, then one per cloth.
enum : uint16_t { MATERIAL_SKY = 0, MATERIAL_GROUND = 1, MATERIAL_SOLID = 2, MATERIAL_FIRST_CLOTH = 3 };

struct SurfaceSample {
  float depth = INFINITY;  // along the view axis
  Vector3 normal;          // towards the viewer
  uint16_t material = MATERIAL_SKY;
  uint16_t is_back = 0;  // the back of a cloth
};

// Cloths with smooth normals, then spheres and convexes.
std::vector<SurfaceMesh> surface_meshes(const RenderScene& scene);

// [height][width] samples.
std::vector<SurfaceSample> visible_surface(const RenderScene& scene, const std::vector<SurfaceMesh>& meshes,
                                           const PerspectiveProjection& projection, uint32_t width, uint32_t height);

}  // namespace clothc_tool
