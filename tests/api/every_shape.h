// every_shape.h - shapes of every kind, in arrays that tests move and spoil; they lie where a scene's sheet falls on them.
#pragma once

#include "scene.h"

namespace clothc_test {

// Starts that are empty are not given.
struct Shapes {
  std::vector<float> spheres, sphere_starts;
  std::vector<float> planes, plane_starts;
  std::vector<float> ellipsoids, ellipsoid_starts;
  std::vector<float> boxes, box_starts;
  std::vector<float> vertices, vertex_starts;
  std::vector<uint32_t> capsules, convex_ends, convex_planes, triangles;
  clothc_collider_space space = CLOTHC_COLLIDER_SPACE_LOCAL;
  float triangle_reach = 0.1f;

  clothc_collider_shapes desc() const {
    clothc_collider_shapes d = init<clothc_collider_shapes>();
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
    d.space = space;
    d.triangle_reach = triangle_reach;
    return d;
  }
  void start_here() {
    sphere_starts = spheres, plane_starts = planes, ellipsoid_starts = ellipsoids, box_starts = boxes;
    vertex_starts = vertices;
  }
  // Everything lower by so much.
  void sink(float depth) {
    for (size_t k = 1; k < spheres.size(); k += 4) spheres[k] -= depth;
    for (size_t k = 0; k < planes.size(); k += 4) planes[k + 3] += planes[k + 1] * depth;
    for (size_t k = 1; k < ellipsoids.size(); k += 10) ellipsoids[k] -= depth;
    for (size_t k = 1; k < boxes.size(); k += 10) boxes[k] -= depth;
    for (size_t k = 1; k < vertices.size(); k += 3) vertices[k] -= depth;
  }

 private:
  template <class T>
  static const T* given(const std::vector<T>& values) {
    return values.empty() ? nullptr : values.data();
  }
};

// Three spheres, two of them a capsule, a floor and a block of planes, an ellipsoid, a box and a ground of 18 triangles.
inline Shapes every_shape() {
  Shapes s;
  s.spheres = {0.25f, 0.75f, 0.5f, 0.2f, 0.9f, 0.7f, 0.6f, 0.1f, 0.6f, 0.45f, 0.9f, 0.15f};
  s.capsules = {0, 1};
  s.planes = {0, 1, 0, -0.1f, 0, 1, 0, -0.55f, 1, 0, 0, -1.3f, -1, 0, 0, 1, 0, 0, 1, -1, 0, 0, -1, 0.7f};
  s.convex_ends = {1, 6};
  s.convex_planes = {0, 1, 2, 3, 4, 5};
  s.ellipsoids = {0.4f, 0.6f, 0.8f, 0.6f, 0, 0, 0.8f, 0.2f, 0.1f, 0.15f};
  s.boxes = {0.8f, 0.6f, 0.3f, 0, 0.6f, 0, 0.8f, 0.15f, 0.1f, 0.1f};
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
