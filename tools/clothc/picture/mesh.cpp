// mesh.cpp - converts cloths, spheres, tapered capsules, ellipsoids, boxes, convex solids and collider meshes into
// triangles with normals.
#include <algorithm>

#include "picture/surface.h"

namespace clothc_tool {
namespace {

// Resolution of one half of a capsule.
constexpr uint32_t RINGS = 18, SECTORS = 72;
constexpr float PI = 3.14159265f;

// Half the side of a convex's faces before they are clipped.
constexpr float LARGEST_CONVEX = 1e4f;

// How much smaller solids are drawn than they are, relative to their size and to how far the cloths' straight edges cut
// into them.
constexpr float SHRINK = 0.003f, MOST_SHRINK = 0.12f;
constexpr float FACE_SHRINK = 0.12f, MOST_FACE_SHRINK = 0.05f;

// A straight edge of length s whose ends lie on a sphere of radius r cuts up to s^2 / (8 r) into the sphere.
SphereState drawn(const SphereState& sphere, float side) {
  if (!(sphere.radius > 0)) return {sphere.center, 0};
  const float shrink = SHRINK * sphere.radius + side * side / (4 * sphere.radius);
  return {sphere.center, sphere.radius - std::min(shrink, MOST_SHRINK * sphere.radius)};
}

// Returns the two spheres whose hull is drawn; if one contains the other, the larger one twice.
CapsuleState drawn(const CapsuleState& capsule, float side) {
  const SphereState from = drawn(capsule.from, side), to = drawn(capsule.to, side);
  if (length(to.center - from.center) > std::fabs(from.radius - to.radius)) return {from, to};
  return from.radius > to.radius ? CapsuleState{from, from} : CapsuleState{to, to};
}

// The hull of two spheres, parametrised by its normals. Normals that lean towards `to` by more than the sine of the
// cone's slope belong to the sphere `to`, the others to the sphere `from`. Between these two parts lies the cone
// tangent to both.
SurfaceMesh capsule_mesh(const CapsuleState& capsule) {
  const SphereState &from = capsule.from, &to = capsule.to;
  const Vector3 axis = to.center - from.center;
  const float distance = length(axis);
  const float seam = std::acos(distance > 0 ? (from.radius - to.radius) / distance : 0);
  const Axes axes = axes_along(distance > 0 ? axis : Vector3{0, 1, 0});
  SurfaceMesh mesh;
  mesh.material = MATERIAL_SOLID;
  // The ring at the seam belongs to both parts.
  for (uint32_t ring = 0; ring <= 2 * RINGS + 1; ++ring) {
    const SphereState& sphere = ring <= RINGS ? to : from;
    const float polar = ring <= RINGS ? seam * static_cast<float>(ring) / RINGS
                                      : seam + (PI - seam) * static_cast<float>(ring - RINGS - 1) / RINGS;
    for (uint32_t sector = 0; sector <= SECTORS; ++sector) {
      const float angle = 2 * PI * static_cast<float>(sector) / SECTORS;
      const Vector3 normal =
          axes.forward * std::cos(polar) + (axes.right * std::cos(angle) + axes.up * std::sin(angle)) * std::sin(polar);
      mesh.normals.push_back(normal);
      mesh.positions.push_back(sphere.center + normal * sphere.radius);
    }
  }
  for (uint32_t ring = 0; ring <= 2 * RINGS; ++ring) {
    for (uint32_t sector = 0; sector < SECTORS; ++sector) {
      const uint32_t a = ring * (SECTORS + 1) + sector, b = a + SECTORS + 1;
      for (uint32_t vertex : {a, b, b + 1, a, b + 1, a + 1}) mesh.triangles.push_back(vertex);
    }
  }
  return mesh;
}

// The unit sphere, scaled and rotated. Where the sphere's normal is n, the ellipsoid's normal has the direction (n.x /
// radii.x, n.y / radii.y, n.z / radii.z).
SurfaceMesh ellipsoid_mesh(const SolidState& ellipsoid, float side) {
  const auto drawn_radius = [side](float radius) { return drawn(SphereState{{}, radius}, side).radius; };
  const Vector3 size = ellipsoid.half_size;
  const Vector3 radii = {drawn_radius(size.x), drawn_radius(size.y), drawn_radius(size.z)};
  if (!(radii.x > 0 && radii.y > 0 && radii.z > 0)) return {};
  SurfaceMesh mesh = capsule_mesh({{{}, 1}, {{}, 1}});
  for (size_t i = 0; i < mesh.positions.size(); ++i) {
    const Vector3 n = mesh.normals[i];
    mesh.positions[i] = rotated(ellipsoid.rotation, radii * mesh.positions[i]) + ellipsoid.center;
    mesh.normals[i] = normalised(rotated(ellipsoid.rotation, {n.x / radii.x, n.y / radii.y, n.z / radii.z}));
  }
  return mesh;
}

std::vector<ScenePlane> planes_of(const SolidState& box) {
  std::vector<ScenePlane> planes;
  const Vector3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const Vector3& axis : axes) {
    for (float sign : {-1.0f, 1.0f}) {
      const Vector3 normal = rotated(box.rotation, axis * sign);
      planes.push_back({normal, -dot(normal, box.center) - dot(axis, box.half_size)});
    }
  }
  return planes;
}

// Returns the mesh with its surface moved inwards.
SurfaceMesh shrunk_mesh(const RenderMesh& source, float side) {
  SurfaceMesh mesh = {source.positions, smooth_normals(source.positions, source.triangles), source.triangles,
                      MATERIAL_SOLID};
  const Vector3 size = bounds_of(source.positions).size();
  const float depth = std::min(FACE_SHRINK * side, MOST_FACE_SHRINK * std::min({size.x, size.y, size.z}));
  for (size_t i = 0; i < mesh.positions.size(); ++i) mesh.positions[i] += mesh.normals[i] * -depth;
  return mesh;
}

// Returns the part of a polygon below a plane. Source: Sutherland and Hodgman 1974, "Reentrant polygon clipping".
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
  const std::vector<std::vector<Vector3>> faces = convex_faces(planes);
  for (size_t i = 0; i < faces.size(); ++i) {
    const auto first = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.insert(mesh.positions.end(), faces[i].begin(), faces[i].end());
    mesh.normals.resize(mesh.positions.size(), planes[i].normal);
    for (uint32_t k = 2; k < faces[i].size(); ++k) {
      for (uint32_t vertex : {first, first + k - 1, first + k}) mesh.triangles.push_back(vertex);
    }
  }
  return mesh;
}

// Returns the same solid with its faces moved inwards.
std::vector<ScenePlane> drawn(std::vector<ScenePlane> planes, float side) {
  const SurfaceMesh mesh = convex_mesh(planes);
  // Smallest extent along a face's normal.
  float thickness = INFINITY;
  for (const ScenePlane& plane : planes) {
    float depth = 0;
    for (const Vector3& p : mesh.positions) depth = std::max(depth, -dot(plane.normal, p) - plane.offset);
    thickness = std::min(thickness, depth);
  }
  for (ScenePlane& plane : planes) plane.offset += std::min(FACE_SHRINK * side, MOST_FACE_SHRINK * thickness);
  return planes;
}

}  // namespace

float mean_side(const std::vector<RenderCloth>& cloths) {
  double sum = 0;
  size_t count = 0;
  for (const RenderCloth& cloth : cloths) {
    for (size_t i = 0; i + 2 < cloth.triangles.size(); i += 3) {
      const uint32_t* v = &cloth.triangles[i];
      for (int k = 0; k < 3; ++k) {
        sum += double{length(cloth.positions[v[k]] - cloth.positions[v[(k + 1) % 3]])};
        ++count;
      }
    }
  }
  return count ? static_cast<float>(sum / static_cast<double>(count)) : 0;
}

std::vector<std::vector<Vector3>> convex_faces(const std::vector<ScenePlane>& planes) {
  std::vector<std::vector<Vector3>> faces;
  for (size_t i = 0; i < planes.size(); ++i) {
    const Axes axes = axes_along(planes[i].normal);
    const Vector3 foot = planes[i].normal * -planes[i].offset;
    const Vector3 u = axes.right * LARGEST_CONVEX, v = axes.up * LARGEST_CONVEX;
    std::vector<Vector3> face = {foot + u + v, foot - u + v, foot - u - v, foot + u - v};
    for (size_t j = 0; j < planes.size(); ++j) {
      if (j != i) face = clipped(face, planes[j]);
    }
    faces.push_back(std::move(face));
  }
  return faces;
}

std::vector<SurfaceMesh> solid_meshes(const RenderScene& scene, float side) {
  std::vector<SurfaceMesh> meshes;
  for (const SphereState& sphere : scene.spheres)
    meshes.push_back(capsule_mesh(drawn(CapsuleState{sphere, sphere}, side)));
  for (const CapsuleState& capsule : scene.capsules) meshes.push_back(capsule_mesh(drawn(capsule, side)));
  for (const SolidState& ellipsoid : scene.ellipsoids) meshes.push_back(ellipsoid_mesh(ellipsoid, side));
  for (const SolidState& box : scene.boxes) meshes.push_back(convex_mesh(drawn(planes_of(box), side)));
  for (const RenderMesh& mesh : scene.meshes) meshes.push_back(shrunk_mesh(mesh, side));
  for (const auto& convex : scene.convexes) meshes.push_back(convex_mesh(drawn(convex, side)));
  return meshes;
}

std::vector<SurfaceMesh> surface_meshes(const RenderScene& scene) {
  std::vector<SurfaceMesh> meshes = solid_meshes(scene, mean_side(scene.cloths));
  uint16_t material = MATERIAL_FIRST_CLOTH;
  for (const RenderCloth& cloth : scene.cloths) {
    meshes.push_back({cloth.positions, smooth_normals(cloth.positions, cloth.triangles), cloth.triangles, material++});
  }
  return meshes;
}

}  // namespace clothc_tool
