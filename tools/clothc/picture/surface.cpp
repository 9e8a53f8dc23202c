// surface.cpp - finds what every sample sees: rasterises triangles and intersects planes by their equation.
#include "picture/surface.h"

#include <algorithm>

namespace clothc_tool {
namespace {

constexpr float NEAREST = 1e-3f;

// Where cloth lies on a plane, the cloth is visible although their depths are almost equal.
constexpr float CLOTH_WINS = 0.998f;

}  // namespace

SurfaceView::SurfaceView(const RenderScene& scene, const std::vector<SurfaceMesh>& meshes,
                         const PerspectiveProjection& projection)
    : scene_(scene), meshes_(meshes), projection_(projection), cloth_lead_(CLOTH_LEAD * mean_side(scene.cloths)) {
  for (uint32_t i = 0; i < meshes.size(); ++i) {
    const SurfaceMesh& mesh = meshes[i];
    std::vector<Vector3>& projected = projected_.emplace_back(mesh.positions.size());
    std::transform(mesh.positions.begin(), mesh.positions.end(), projected.begin(),
                   [&](Vector3 p) { return projection.project(p); });
    for (uint32_t first = 0; first + 2 < mesh.triangles.size(); first += 3) {
      const uint32_t *v = &mesh.triangles[first], v0 = v[0], v1 = v[1], v2 = v[2];
      const Vector3 a = projected[v0], b = projected[v1], c = projected[v2];
      if (!(a.z > NEAREST && b.z > NEAREST && c.z > NEAREST)) continue;
      const Vector3 face = cross(mesh.positions[v1] - mesh.positions[v0], mesh.positions[v2] - mesh.positions[v0]);
      // Solids have no back, and their normals point outwards.
      const bool is_solid = mesh.material == MATERIAL_SOLID;
      const bool is_back = !is_solid && dot(face, mesh.positions[v0] - projection.eye()) > 0;
      triangles_.push_back({i, first, std::min({a.y, b.y, c.y}), std::max({a.y, b.y, c.y}), is_back});
    }
  }
}

void SurfaceView::draw(RasterRows rows, float x, float y, SurfaceSample* samples) const {
  std::fill_n(samples, size_t{rows.end - rows.begin} * rows.width, SurfaceSample{});
  const Vector3 shift = {0.5f - x, 0.5f - y, 0};
  for (const Triangle& triangle : triangles_) {
    if (triangle.bottom < static_cast<float>(rows.begin) - 1 || triangle.top > static_cast<float>(rows.end) + 1)
      continue;
    draw_triangle(triangle, rows, shift, samples);
  }
  for (const ScenePlane& plane : scene_.planes) draw_plane(plane, rows, x, y, samples);
}

void SurfaceView::draw_triangle(const Triangle& triangle, RasterRows rows, Vector3 shift,
                                SurfaceSample* samples) const {
  const SurfaceMesh& mesh = meshes_[triangle.mesh];
  const std::vector<Vector3>& projected = projected_[triangle.mesh];
  const uint32_t *v = &mesh.triangles[triangle.first], v0 = v[0], v1 = v[1], v2 = v[2];
  const Vector3 a = projected[v0] + shift, b = projected[v1] + shift, c = projected[v2] + shift;
  const float lead = mesh.material == MATERIAL_SOLID ? 0 : cloth_lead_;
  // 1 / z is linear on the screen, z is not.
  const float ia = 1 / a.z, ib = 1 / b.z, ic = 1 / c.z;
  fill_triangle(a, b, c, rows, [&](uint32_t x, uint32_t y, float w0, float w1, float w2) {
    const float i0 = w0 * ia, i1 = w1 * ib, i2 = w2 * ic;
    const float depth = 1 / (i0 + i1 + i2);
    SurfaceSample& sample = samples[size_t{y - rows.begin} * rows.width + x];
    if (depth >= sample.depth + (sample.material == MATERIAL_SOLID ? lead : 0)) return;
    const Vector3 normal = normalised(mesh.normals[v0] * i0 + mesh.normals[v1] * i1 + mesh.normals[v2] * i2);
    sample = {depth, triangle.is_back ? -normal : normal, mesh.material, triangle.is_back};
  });
}

void SurfaceView::draw_plane(const ScenePlane& plane, RasterRows rows, float x, float y, SurfaceSample* samples) const {
  const float above = dot(plane.normal, projection_.eye()) + plane.offset;
  // Planes are drawn only from the side on which cloth can be.
  if (above <= 0) return;
  for (uint32_t row = rows.begin; row < rows.end; ++row) {
    const float row_y = static_cast<float>(row) + y;
    const float first = -dot(plane.normal, projection_.ray(x, row_y));
    const float slope = -dot(plane.normal, projection_.ray(x + 1, row_y)) - first;
    SurfaceSample* sample = samples + size_t{row - rows.begin} * rows.width;
    for (uint32_t column = 0; column < rows.width; ++column, ++sample) {
      const float descent = first + slope * static_cast<float>(column);
      if (descent > 0 && above < descent * sample->depth * CLOTH_WINS) {
        *sample = {above / descent, plane.normal, MATERIAL_GROUND, 0};
      }
    }
  }
}

}  // namespace clothc_tool
