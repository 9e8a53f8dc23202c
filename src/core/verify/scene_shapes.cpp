// scene_shapes.cpp - see scene_shapes.h. The shapes are where the cloths are, from the first update on: a verification
// wants contacts, not a beautiful motion.
#include "core/verify/scene_shapes.h"

#include <cmath>
#include <vector>

#include "core/base/structs.h"

namespace clothc {
namespace {

// Processors work on whole batches, and write the padding behind the last triangle too. So numbers of triangles are
// multiples of the largest batch. With twice as many, a BVH has nodes that are neither leaves nor roots.
constexpr uint32_t triangles_of_mesh = 16, triangles_of_set = 32;
static_assert(triangles_of_mesh % lane_padding == 0 && triangles_of_set % lane_padding == 0, "as batches need it");

// Two pyramids on an octagon.
clothc_collider_asset_id make_mesh(Solver& solver) {
  constexpr float octagon[] = {0.1f,  0, 0.07f,  0.07f,  0, 0.1f,  -0.07f, 0.07f,
                               -0.1f, 0, -0.07f, -0.07f, 0, -0.1f, 0.07f,  -0.07f};
  std::vector<float> vertices;
  std::vector<uint32_t> triangles;
  for (uint32_t k = 0; k < 8; ++k) {
    vertices.insert(vertices.end(), {octagon[size_t{2} * k], 0, octagon[size_t{2} * k + 1]});
    const uint32_t next = (k + 1) % 8;
    triangles.insert(triangles.end(), {next, k, 8, k, next, 9});
  }
  vertices.insert(vertices.end(), {0, 0.12f, 0, 0, -0.12f, 0});
  clothc_collider_mesh_desc desc = make_default<clothc_collider_mesh_desc>();
  desc.vertex_count = 10;
  desc.triangle_count = triangles_of_mesh;
  desc.vertices = vertices.data();
  desc.triangles = triangles.data();
  return solver.colliders().create_asset(desc);
}

// A patch of 4 x 4 squares, wavy and as far up as the time says.
struct Patch {
  static constexpr uint32_t vertex_count = 25;
  std::vector<float> vertices;
  std::vector<uint32_t> triangles;
  explicit Patch(float time) {
    for (uint32_t k = 0; k < vertex_count; ++k) {
      const uint32_t column = k % 5, row = k / 5;
      vertices.insert(vertices.end(), {0.1f + 0.15f * static_cast<float>(column),
                                       0.06f + 0.01f * static_cast<float>(k % 3) + 0.004f * time,
                                       0.1f + 0.1f * static_cast<float>(row)});
      if (column == 4 || row == 4) continue;
      triangles.insert(triangles.end(), {k, k + 5, k + 1, k + 1, k + 5, k + 6});
    }
  }
};

// The distances from a sphere with a radius of 0.1 m.
clothc_collider_asset_id make_sdf(Solver& solver) {
  constexpr uint32_t nodes = 9;
  constexpr float spacing = 0.04f;
  std::vector<float> values;
  for (uint32_t k = 0; k < nodes * nodes * nodes; ++k) {
    const auto at = [&](uint32_t node) { return spacing * (static_cast<float>(node % nodes) - 4.0f); };
    const float x = at(k), y = at(k / nodes), z = at(k / (nodes * nodes));
    values.push_back(std::sqrt(x * x + y * y + z * z) - 0.1f);
  }
  clothc_sdf_desc desc = make_default<clothc_sdf_desc>();
  for (uint32_t axis = 0; axis < 3; ++axis) {
    desc.counts[axis] = nodes;
    desc.origin[axis] = -4 * spacing;
  }
  desc.spacing = spacing;
  desc.values = values.data();
  return solver.colliders().create_asset(desc);
}

// A chain of spheres with different radii, and the capsules between neighbours. Enough of them for several blocks.
struct Chain {
  static constexpr uint32_t sphere_count = 10;
  std::vector<float> spheres;
  std::vector<uint32_t> capsules;
  Chain(float x, float y, float time) {
    for (uint32_t k = 0; k < sphere_count; ++k) {
      const float along = 0.09f * static_cast<float>(k);
      spheres.insert(spheres.end(), {x + along, y + 0.01f * time, 0.1f + 0.3f * along - 0.004f * time,
                                     0.04f + 0.005f * static_cast<float>(k % 4)});
      // The last sphere belongs to no capsule.
      if (k + 2 < sphere_count) capsules.insert(capsules.end(), {k, k + 1});
    }
  }
  void put(clothc_collider_shapes& shapes) const {
    shapes.sphere_count = sphere_count;
    shapes.spheres = spheres.data();
    shapes.capsule_count = static_cast<uint32_t>(capsules.size() / 2);
    shapes.capsules = capsules.data();
  }
};

}  // namespace

SceneShapes::SceneShapes(Solver& solver)
    : mesh_(make_mesh(solver)),
      sdf_(make_sdf(solver)),
      all_(solver.colliders().create_set()),
      curved_(solver.colliders().create_set()) {
  move(solver, 0);
}

void SceneShapes::move(Solver& solver, uint32_t update) const {
  write_all(solver, static_cast<float>(update));
  write_curved(solver, static_cast<float>(update));
}

void SceneShapes::write_all(Solver& solver, float time) const {
  const Chain chain(0, 0.12f, time);
  const float turn = 0.05f * time, rest = std::sqrt(1 - turn * turn);
  const float ellipsoid[] = {0.5f, 0.1f + 0.005f * time, 0.4f, 0, turn, 0, rest, 0.12f, 0.06f, 0.09f};
  const float boxes[] = {0.2f, 0.08f, 0.6f, turn, 0, 0,    rest, 0.1f,  0.05f, 0.08f,
                         0.7f, 0.1f,  0.7f, 0,    0, turn, rest, 0.06f, 0.06f, 0.1f};
  // A slanted floor, and a pyramid of four planes.
  const float planes[] = {0.28f, 0.96f, 0,     0.02f, 0.6f, 0.8f,  0,    -0.5f + 0.01f * time, -0.6f, 0.8f, 0, 0.1f, 0,
                          0.8f,  0.6f,  -0.5f, 0,     0.8f, -0.6f, 0.25f};
  const uint32_t convex_ends[] = {1, 5}, convex_planes[] = {0, 1, 2, 3, 4};
  const Patch patch(time);
  const clothc_collider_asset_id assets[] = {mesh_, sdf_};
  const float instances[] = {
      0.35f, 0.1f + 0.01f * time, 0.3f, 0, turn, 0, rest, 1.2f, 0.1f, 0.12f, 0.4f, turn, 0, 0, rest, 0.9f};
  clothc_collider_shapes shapes = make_default<clothc_collider_shapes>();
  shapes.space = CLOTHC_COLLIDER_SPACE_WORLD;
  chain.put(shapes);
  shapes.ellipsoid_count = 1;
  shapes.ellipsoids = ellipsoid;
  shapes.box_count = 2;
  shapes.boxes = boxes;
  shapes.plane_count = 5;
  shapes.planes = planes;
  shapes.convex_count = 2;
  shapes.convex_ends = convex_ends;
  shapes.convex_planes = convex_planes;
  shapes.vertex_count = Patch::vertex_count;
  shapes.vertices = patch.vertices.data();
  shapes.triangle_count = triangles_of_set;
  shapes.triangles = patch.triangles.data();
  shapes.triangle_reach = 0.15f;
  shapes.instance_count = 2;
  shapes.instance_assets = assets;
  shapes.instances = instances;
  solver.colliders().write_set(solver.colliders().set(all_), shapes);
}

void SceneShapes::write_curved(Solver& solver, float time) const {
  const Chain chain(0.02f, 0.3f, -time);
  const float turn = 0.04f * time, rest = std::sqrt(1 - turn * turn);
  const float ellipsoids[] = {
      0.2f,  0.3f, 0.3f + 0.01f * time, turn, 0, 0, rest, 0.1f, 0.05f, 0.08f, 0.6f, 0.3f, 0.2f, 0, 0, turn, rest, 0.05f,
      0.08f, 0.07f};
  clothc_collider_shapes shapes = make_default<clothc_collider_shapes>();
  chain.put(shapes);
  shapes.ellipsoid_count = 2;
  shapes.ellipsoids = ellipsoids;
  solver.colliders().write_set(solver.colliders().set(curved_), shapes);
}

}  // namespace clothc
