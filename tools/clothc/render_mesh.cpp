// render_mesh.cpp - turns cloths, spheres and convex solids into triangles with normals.
#include <algorithm>

#include "render_surface.h"

namespace clothc_tool {
namespace {

constexpr uint32_t SPHERE_RINGS = 48, SPHERE_SECTORS = 96;
constexpr float SPHERE_DRAWN = 0.996f;  // of the radius, so that a sphere does not show through cloth that lies on it
constexpr float LARGEST_CONVEX = 1e4f;  // half the side of a solid's faces before they are cut

SurfaceMesh sphere_mesh(const SphereState& sphere) {
  SurfaceMesh mesh;
  mesh.material = MATERIAL_SOLID;
  for (uint32_t ring = 0; ring <= SPHERE_RINGS; ++ring) {
    const float polar = 3.14159265f * static_cast<float>(ring) / SPHERE_RINGS;
    for (uint32_t sector = 0; sector <= SPHERE_SECTORS; ++sector) {
      const float angle = 6.2831853f * static_cast<float>(sector) / SPHERE_SECTORS;
      const Vector3 normal = {std::sin(polar) * std::cos(angle), std::cos(polar), std::sin(polar) * std::sin(angle)};
      mesh.normals.push_back(normal);
      mesh.positions.push_back(sphere.center + normal * (sphere.radius * SPHERE_DRAWN));
    }
  }
  for (uint32_t ring = 0; ring < SPHERE_RINGS; ++ring) {
    for (uint32_t sector = 0; sector < SPHERE_SECTORS; ++sector) {
      const uint32_t a = ring * (SPHERE_SECTORS + 1) + sector, b = a + SPHERE_SECTORS + 1;
      for (uint32_t vertex : {a, b, b + 1, a, b + 1, a + 1}) mesh.triangles.push_back(vertex);
    }
  }
  return mesh;
}

// The part of a polygon below a plane. Source: Sutherland and Hodgman 1974, "Reentrant polygon clipping".
std::vector<Vector3> clipped(const std::vector<Vector3>& polygon, const ScenePlane& plane) {
  std::vector<Vector3> result;
  for (size_t i = 0; i < polygon.size(); ++i) {
    const Vector3 a = polygon[i], b = polygon[(i + 1) % polygon.size()];
    const float height_a = dot(plane.normal, a) + plane.offset, height_b = dot(plane.normal, b) + plane.offset;
    if (height_a <= 0) result.push_back(a);
    if ((height_a < 0 && height_b > 0) || (height_a > 0 && height_b < 0)) {
      result.push_back(interpolate(a, b, height_a / (height_a - height_b)));
    }
  }
  return result;
}

SurfaceMesh convex_mesh(const std::vector<ScenePlane>& planes) {
  SurfaceMesh mesh;
  mesh.material = MATERIAL_SOLID;
  for (size_t i = 0; i < planes.size(); ++i) {
    const Axes axes = axes_along(planes[i].normal);
    const Vector3 foot = planes[i].normal * -planes[i].offset;
    const Vector3 u = axes.right * LARGEST_CONVEX, v = axes.up * LARGEST_CONVEX;
    std::vector<Vector3> face = {foot + u + v, foot - u + v, foot - u - v, foot + u - v};
    for (size_t j = 0; j < planes.size(); ++j) {
      if (j != i) face = clipped(face, planes[j]);
    }
    const auto first = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), face.begin(), face.end());
    mesh.normals.resize(mesh.positions.size(), planes[i].normal);
    for (uint32_t k = 2; k < face.size(); ++k) {
      for (uint32_t vertex : {first, first + k - 1, first + k}) mesh.triangles.push_back(vertex);
    }
  }
  return mesh;
}

}  // namespace

std::vector<SurfaceMesh> surface_meshes(const RenderScene& scene) {
  std::vector<SurfaceMesh> meshes;
  for (const RenderCloth& cloth : scene.cloths) {
    const auto material = static_cast<uint16_t>(MATERIAL_FIRST_CLOTH + meshes.size());
    meshes.push_back({cloth.positions, smooth_normals(cloth.positions, cloth.triangles), cloth.triangles, material});
  }
  for (const SphereState& sphere : scene.spheres) meshes.push_back(sphere_mesh(sphere));
  for (const auto& convex : scene.convexes) meshes.push_back(convex_mesh(convex));
  return meshes;
}

}  // namespace clothc_tool
