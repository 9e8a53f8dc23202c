// surface.h - what the camera sees: distance, normal and material, before any light.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/render.h"
#include "picture/projection.h"
#include "picture/raster.h"

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

// Solids, then cloths with smooth normals. Solids are drawn a little smaller than they are: cloth rests on them without
// any gap, and between its vertices it runs straight through what is round.
std::vector<SurfaceMesh> surface_meshes(const RenderScene& scene);

// Mean length of the cloths' triangle sides, 0 without cloth: the scale of what the cloths cannot follow.
float mean_side(const std::vector<RenderCloth>& cloths);

class SurfaceView {
 public:
  SurfaceView(const RenderScene& scene, const std::vector<SurfaceMesh>& meshes,
              const PerspectiveProjection& projection);

  // What is seen through the point (x, y), 0 .. 1 from the pixel's top left corner, of every pixel of the rows.
  // samples: [rows.end - rows.begin][rows.width].
  void draw(RasterRows rows, float x, float y, SurfaceSample* samples) const;

 private:
  struct Triangle {
    uint32_t mesh, first;  // where its vertices are named
    float top, bottom;     // rows
    bool is_back;
  };

  void draw_triangle(const Triangle& triangle, RasterRows rows, Vector3 shift, SurfaceSample* samples) const;
  void draw_plane(const ScenePlane& plane, RasterRows rows, float x, float y, SurfaceSample* samples) const;

  const RenderScene& scene_;
  const std::vector<SurfaceMesh>& meshes_;
  const PerspectiveProjection& projection_;
  float cloth_lead_;                             // how far a cloth may be behind the front of a solid and be seen
  std::vector<std::vector<Vector3>> projected_;  // per mesh
  std::vector<Triangle> triangles_;              // those before the eye
};

}  // namespace clothc_tool
