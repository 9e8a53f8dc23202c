// render_surface.cpp - finds what every sample sees: triangles by rasterising, planes by their equation.
#include "render_surface.h"

#include <algorithm>

#include "render_raster.h"

namespace clothc_tool {
namespace {

constexpr float NEAREST = 1e-3f;
constexpr float CLOTH_WINS = 0.998f;  // where cloth lies on a plane, it is what one sees

void draw_mesh(const SurfaceMesh& mesh, const PerspectiveProjection& projection, uint32_t width, uint32_t height,
               std::vector<SurfaceSample>& samples) {
  std::vector<Vector3> projected(mesh.positions.size());
  std::transform(mesh.positions.begin(), mesh.positions.end(), projected.begin(),
                 [&](Vector3 p) { return projection.project(p); });
  for (size_t i = 0; i + 2 < mesh.triangles.size(); i += 3) {
    const uint32_t *v = &mesh.triangles[i], v0 = v[0], v1 = v[1], v2 = v[2];
    const Vector3 a = projected[v0], b = projected[v1], c = projected[v2];
    if (!(a.z > NEAREST && b.z > NEAREST && c.z > NEAREST)) continue;
    const Vector3 face = cross(mesh.positions[v1] - mesh.positions[v0], mesh.positions[v2] - mesh.positions[v0]);
    const bool is_solid = mesh.material == MATERIAL_SOLID;  // has no back, and its normals point outwards
    const bool is_back = !is_solid && dot(face, mesh.positions[v0] - projection.eye()) > 0;
    fill_triangle(a, b, c, width, height, [&](size_t pixel, float w0, float w1, float w2) {
      const float i0 = w0 / a.z, i1 = w1 / b.z, i2 = w2 / c.z;  // 1 / z is what is linear on the screen
      const float depth = 1 / (i0 + i1 + i2);
      SurfaceSample& sample = samples[pixel];
      if (depth >= sample.depth) return;
      const Vector3 normal = normalised(mesh.normals[v0] * i0 + mesh.normals[v1] * i1 + mesh.normals[v2] * i2);
      sample = {depth, is_back ? -normal : normal, mesh.material, is_back};
    });
  }
}

void draw_plane(const ScenePlane& plane, const PerspectiveProjection& projection, uint32_t width, uint32_t height,
                std::vector<SurfaceSample>& samples) {
  const float above = dot(plane.normal, projection.eye()) + plane.offset;
  if (above <= 0) return;  // planes are drawn from the side where cloth may be
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      const float descent =
          -dot(plane.normal, projection.ray(static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f));
      SurfaceSample& sample = samples[size_t{y} * width + x];
      if (descent > 0 && above < descent * sample.depth * CLOTH_WINS)
        sample = {above / descent, plane.normal, MATERIAL_GROUND, 0};
    }
  }
}

}  // namespace

std::vector<SurfaceSample> visible_surface(const RenderScene& scene, const std::vector<SurfaceMesh>& meshes,
                                           const PerspectiveProjection& projection, uint32_t width, uint32_t height) {
  std::vector<SurfaceSample> samples(size_t{width} * height);
  for (const SurfaceMesh& mesh : meshes) draw_mesh(mesh, projection, width, height, samples);
  for (const ScenePlane& plane : scene.planes) draw_plane(plane, projection, width, height, samples);
  return samples;
}

}  // namespace clothc_tool
