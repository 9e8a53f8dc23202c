// surface.h - finds the surface that the camera sees at each sample: its distance, normal and material, without
// lighting.
#pragma once

#include <cstdint>
#include <vector>

#include "picture/render.h"
#include "picture/projection.h"
#include "picture/raster.h"

namespace clothc_tool {

// Triangles with vertex normals and one material. Every cloth becomes one, and so does every collider except planes.
struct SurfaceMesh {
  std::vector<Vector3> positions, normals;
  std::vector<uint32_t> triangles;
  uint16_t material = 0;
};

// Sky, ground, solids, and then one material per cloth.
enum : uint16_t { MATERIAL_SKY = 0, MATERIAL_GROUND = 1, MATERIAL_SOLID = 2, MATERIAL_FIRST_CLOTH = 3 };

struct SurfaceSample {
  // Distance along the view axis.
  float depth = INFINITY;

  // Points towards the viewer.
  Vector3 normal;

  uint16_t material = MATERIAL_SKY;

  // 1 if the back of a cloth is seen.
  uint16_t is_back = 0;
};

// Returns the meshes of all solids. They are drawn slightly smaller than they are, because cloth rests on them without a
// gap and its straight edges would cut through round surfaces. side: mean length of the sides of the cloths' triangles.
std::vector<SurfaceMesh> solid_meshes(const RenderScene& scene, float side);

// Returns the corners of each face of a convex solid, in order around it.
std::vector<std::vector<Vector3>> convex_faces(const std::vector<ScenePlane>& planes);

// Returns the meshes of all solids and then those of the cloths with smooth normals.
std::vector<SurfaceMesh> surface_meshes(const RenderScene& scene);

// Returns the mean length of all sides of the cloths' triangles, or 0 without cloths. Cloths cannot follow smaller
// details.
float mean_side(const std::vector<RenderCloth>& cloths);

// A cloth is drawn if it is at most this part of the mean side of the cloths' triangles behind the front of a solid.
constexpr float CLOTH_LEAD = 0.3f;

class SurfaceView {
 public:
  SurfaceView(const RenderScene& scene, const std::vector<SurfaceMesh>& meshes,
              const PerspectiveProjection& projection);

  // Finds the surface that is seen at the point (x, y) of every pixel of the rows; x and y are 0 .. 1 from the pixel's
  // top left corner. samples: [rows.end - rows.begin][rows.width].
  void draw(RasterRows rows, float x, float y, SurfaceSample* samples) const;

 private:
  struct Triangle {
    // Index of the mesh, and of the triangle's first element in the mesh's list of triangles.
    uint32_t mesh, first;

    // Range of rows that it covers.
    float top, bottom;

    bool is_back;
  };

  void draw_triangle(const Triangle& triangle, RasterRows rows, Vector3 shift, SurfaceSample* samples) const;
  void draw_plane(const ScenePlane& plane, RasterRows rows, float x, float y, SurfaceSample* samples) const;

  const RenderScene& scene_;
  const std::vector<SurfaceMesh>& meshes_;
  const PerspectiveProjection& projection_;

  // A cloth is still drawn if it is at most this far behind the front of a solid.
  float cloth_lead_;

  // Projected vertices of each mesh.
  std::vector<std::vector<Vector3>> projected_;

  // All triangles in front of the eye.
  std::vector<Triangle> triangles_;
};

}  // namespace clothc_tool
