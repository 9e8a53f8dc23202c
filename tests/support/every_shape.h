// every_shape.h - shapes of every kind, in arrays that tests move and spoil, and the assets for them. They lie where a
// scene's sheet falls onto them.
#pragma once

#include <cmath>

#include "support/scene.h"

namespace clothc_test {

// Ids of a solver's first two assets, which every_shape() uses.
constexpr clothc_collider_asset_id first_mesh = 1u << 20, first_sdf = first_mesh + 1;

// An octahedron of radius 1.
struct MeshAsset {
  std::vector<float> vertices = {1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1};
  std::vector<uint32_t> triangles = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
  clothc_collider_mesh_desc desc() const {
    clothc_collider_mesh_desc d = initialised<clothc_collider_mesh_desc>();
    d.vertex_count = static_cast<uint32_t>(vertices.size() / 3);
    d.vertices = vertices.data();
    d.triangle_count = static_cast<uint32_t>(triangles.size() / 3);
    d.triangles = triangles.data();
    return d;
  }
};

// The SDF of a ball of radius 1.
struct SdfAsset {
  uint32_t counts[3] = {4, 5, 4};
  float origin[3] = {-1.5f, -1.5f, -1.5f};
  float spacing = 1;
  std::vector<float> values;
  SdfAsset() {
    for (uint32_t k = 0; k < counts[0] * counts[1] * counts[2]; ++k) {
      const float x = origin[0] + static_cast<float>(k % 4), y = origin[1] + static_cast<float>(k / 4 % 5);
      const float z = origin[2] + static_cast<float>(k / 20);
      values.push_back(std::sqrt(x * x + y * y + z * z) - 1);
    }
  }
  clothc_sdf_desc desc() const {
    clothc_sdf_desc d = initialised<clothc_sdf_desc>();
    std::memcpy(d.counts, counts, sizeof(counts));
    std::memcpy(d.origin, origin, sizeof(origin));
    d.spacing = spacing;
    d.values = values.data();
    return d;
  }
};

inline clothc_collider_asset_id make_asset(const Scene& scene, const MeshAsset& mesh) {
  const clothc_collider_mesh_desc desc = mesh.desc();
  clothc_collider_asset_id id = 0;
  EXPECT_OK(clothc_collider_mesh_create(scene.solver, &desc, &id));
  return id;
}

inline clothc_collider_asset_id make_asset(const Scene& scene, const SdfAsset& sdf) {
  const clothc_sdf_desc desc = sdf.desc();
  clothc_collider_asset_id id = 0;
  EXPECT_OK(clothc_collider_sdf_create(scene.solver, &desc, &id));
  return id;
}

// Creates the assets that every_shape() uses, unless the solver already has assets.
inline void ensure_assets(const Scene& scene) {
  if (scene.info().collider_asset_count != 0) return;
  EXPECT_EQ(make_asset(scene, MeshAsset()), first_mesh);
  EXPECT_EQ(make_asset(scene, SdfAsset()), first_sdf);
}

// Shapes as flat arrays. An empty array of start values is passed as null.
struct Shapes {
  std::vector<float> spheres, sphere_starts;
  std::vector<float> planes, plane_starts;
  std::vector<float> ellipsoids, ellipsoid_starts;
  std::vector<float> boxes, box_starts;
  std::vector<float> vertices, vertex_starts;
  std::vector<float> instances, instance_starts;
  std::vector<clothc_collider_asset_id> instance_assets;
  std::vector<uint32_t> capsules, convex_ends, convex_planes, triangles;
  clothc_collider_space space = CLOTHC_COLLIDER_SPACE_LOCAL;
  float triangle_reach = 0.1f;

  clothc_collider_shapes desc() const {
    clothc_collider_shapes d = initialised<clothc_collider_shapes>();
    const auto count = [](const auto& values, size_t width) { return static_cast<uint32_t>(values.size() / width); };
    d.sphere_count = count(spheres, 4), d.spheres = given(spheres), d.sphere_starts = given(sphere_starts);
    d.plane_count = count(planes, 4), d.planes = given(planes), d.plane_starts = given(plane_starts);
    d.ellipsoid_count = count(ellipsoids, 10);
    d.ellipsoids = given(ellipsoids), d.ellipsoid_starts = given(ellipsoid_starts);
    d.box_count = count(boxes, 10), d.boxes = given(boxes), d.box_starts = given(box_starts);
    d.vertex_count = count(vertices, 3), d.vertices = given(vertices), d.vertex_starts = given(vertex_starts);
    d.capsule_count = count(capsules, 2), d.capsules = given(capsules);
    d.convex_count = count(convex_ends, 1), d.convex_ends = given(convex_ends);
    d.convex_planes = given(convex_planes);
    d.triangle_count = count(triangles, 3), d.triangles = given(triangles);
    d.instance_count = count(instances, 8), d.instance_assets = given(instance_assets);
    d.instances = given(instances), d.instance_starts = given(instance_starts);
    d.space = space;
    d.triangle_reach = triangle_reach;
    return d;
  }
  void start_here() {
    sphere_starts = spheres, plane_starts = planes, ellipsoid_starts = ellipsoids, box_starts = boxes;
    vertex_starts = vertices, instance_starts = instances;
  }
  // Lowers all shapes by the given depth.
  void sink(float depth) {
    for (size_t k = 1; k < spheres.size(); k += 4) spheres[k] -= depth;
    for (size_t k = 0; k < planes.size(); k += 4) planes[k + 3] += planes[k + 1] * depth;
    for (size_t k = 1; k < ellipsoids.size(); k += 10) ellipsoids[k] -= depth;
    for (size_t k = 1; k < boxes.size(); k += 10) boxes[k] -= depth;
    for (size_t k = 1; k < vertices.size(); k += 3) vertices[k] -= depth;
    for (size_t k = 1; k < instances.size(); k += 8) instances[k] -= depth;
  }

 private:
  template <class T>
  static const T* given(const std::vector<T>& values) {
    return values.empty() ? nullptr : values.data();
  }
};

// Returns three spheres, two of which form a capsule, a floor and a block made of planes, an ellipsoid, a box, a ground
// of 18 triangles, a mesh instance and an SDF instance.
inline Shapes every_shape() {
  Shapes s;
  s.spheres = {0.25f, 0.75f, 0.5f, 0.2f, 0.9f, 0.7f, 0.6f, 0.1f, 0.6f, 0.45f, 0.9f, 0.15f};
  s.capsules = {0, 1};
  s.planes = {0, 1, 0, -0.1f, 0, 1, 0, -0.55f, 1, 0, 0, -1.3f, -1, 0, 0, 1, 0, 0, 1, -1, 0, 0, -1, 0.7f};
  s.convex_ends = {1, 6};
  s.convex_planes = {0, 1, 2, 3, 4, 5};
  s.ellipsoids = {0.4f, 0.6f, 0.8f, 0.6f, 0, 0, 0.8f, 0.2f, 0.1f, 0.15f};
  s.boxes = {0.8f, 0.6f, 0.3f, 0, 0.6f, 0, 0.8f, 0.15f, 0.1f, 0.1f};
  s.instances = {0.45f, 0.7f, 0.55f, 0, 0, 0.6f, 0.8f, 0.125f, 0.7f, 0.65f, 0.8f, 0.8f, 0, 0, 0.6f, 0.175f};
  s.instance_assets = {first_mesh, first_sdf};
  for (uint32_t z = 0; z < 4; ++z) {
    for (uint32_t x = 0; x < 4; ++x) {
      const float height = (x + z) % 2 == 0 ? 0.4f : 0.5f;
      s.vertices.insert(s.vertices.end(), {0.4f * static_cast<float>(x), height, 0.4f * static_cast<float>(z)});
      if (x == 3 || z == 3) continue;
      const uint32_t a = 4 * z + x;
      s.triangles.insert(s.triangles.end(), {a, a + 4, a + 1, a + 1, a + 4, a + 5});
    }
  }
  return s;
}

inline void write(const Scene& scene, clothc_collider_set_id set, const Shapes& shapes) {
  if (!shapes.instances.empty()) ensure_assets(scene);
  const clothc_collider_shapes desc = shapes.desc();
  EXPECT_OK(clothc_collider_set_write(scene.solver, set, &desc));
}

inline clothc_collider_set_id make_set(const Scene& scene, const Shapes& shapes) {
  clothc_collider_set_id set = 0;
  EXPECT_OK(clothc_collider_set_create(scene.solver, &set));
  write(scene, set, shapes);
  return set;
}

inline void list(const Scene& scene, const std::vector<clothc_collider_set_id>& sets) {
  EXPECT_OK(clothc_cloth_set_collider_sets(scene.solver, scene.cloth, sets.data(), static_cast<uint32_t>(sets.size())));
}

}  // namespace clothc_test
