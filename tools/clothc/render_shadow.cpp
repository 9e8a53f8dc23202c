// render_shadow.cpp - draws the shadow map and reads it with percentage-closer filtering.
// Source: Reeves, Salesin and Cook 1987, "Rendering antialiased shadows with depth maps".
#include "render_shadow.h"

#include <algorithm>

#include "render_raster.h"

namespace clothc_tool {
namespace {

constexpr uint32_t SIZE = 1536;
constexpr int TAPS = 2;              // to each side
constexpr float TAP_SPACING = 2.2f;  // pixels of the map
constexpr float BIAS = 2.0f;         // pixels of the map

ParallelProjection projection_for(Vector3 towards_light, const std::vector<SurfaceMesh>& meshes) {
  Box box;
  for (const SurfaceMesh& mesh : meshes) {
    for (const Vector3& p : mesh.positions) box.add(p);
  }
  const float radius = box.is_empty() ? 1 : std::max(length(box.size()) * 0.52f, 1e-3f);
  return ParallelProjection(-towards_light, box.is_empty() ? Vector3{} : box.centre(), radius, SIZE);
}

}  // namespace

ShadowMap::ShadowMap(Vector3 towards_light, const std::vector<SurfaceMesh>& meshes)
    : projection_(projection_for(towards_light, meshes)), depths_(size_t{SIZE} * SIZE, INFINITY) {
  for (const SurfaceMesh& mesh : meshes) {
    for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
      const Vector3 a = projection_.project(mesh.positions[mesh.triangles[i]]);
      const Vector3 b = projection_.project(mesh.positions[mesh.triangles[i + 1]]);
      const Vector3 c = projection_.project(mesh.positions[mesh.triangles[i + 2]]);
      fill_triangle(a, b, c, SIZE, SIZE, [&](size_t pixel, float w0, float w1, float w2) {
        depths_[pixel] = std::min(depths_[pixel], w0 * a.z + w1 * b.z + w2 * c.z);
      });
    }
  }
}

float ShadowMap::light_at(Vector3 p, Vector3 normal) const {
  const float pixel = projection_.unit_per_pixel();
  const Vector3 at = projection_.project(p + normal * (BIAS * (1 + TAPS) * pixel));
  int lit = 0;
  for (int j = -TAPS; j <= TAPS; ++j) {
    for (int i = -TAPS; i <= TAPS; ++i) {
      const float x = at.x + static_cast<float>(i) * TAP_SPACING, y = at.y + static_cast<float>(j) * TAP_SPACING;
      const bool inside = x >= 0 && y >= 0 && x < float{SIZE} && y < float{SIZE};
      lit += !inside || depths_[static_cast<size_t>(y) * SIZE + static_cast<size_t>(x)] > at.z - BIAS * pixel;
    }
  }
  return static_cast<float>(lit) / ((2 * TAPS + 1) * (2 * TAPS + 1));
}

}  // namespace clothc_tool
