// collider_calls.cpp - collider sets with shapes of all kinds, and the meshes and fields that sets have instances of.
#include <algorithm>
#include <cmath>

#include "parity/lockstep/calls.h"

namespace lockstep {
namespace {

// Arrays of a set's shapes. Those of one layout have equal counts, so that writing it again moves shapes.
struct Shapes {
  std::vector<float> spheres, planes, ellipsoids, boxes, vertices, instances;
  std::vector<uint32_t> capsules, convex_ends, convex_planes, triangles;
  std::vector<clothc_collider_asset_id> instance_assets;
};

void add_point(Random& random, const float* offset, std::vector<float>& values) {
  for (int axis = 0; axis < 3; ++axis) values.push_back(random.real(-0.7f, 0.7f) + offset[axis]);
}

// A point, a rotation, and three lengths: an ellipsoid or a box.
void add_body(Random& random, const float* offset, std::vector<float>& values) {
  add_point(random, offset, values);
  float rotation[4];
  random.rotation(rotation);
  values.insert(values.end(), rotation, rotation + 4);
  for (int axis = 0; axis < 3; ++axis) values.push_back(random.one_in(30) ? 0 : random.real(0.05f, 0.4f));
}

void add_plane(Random& random, const float* offset, std::vector<float>& values) {
  const float y = random.real(-1, 1), rest = std::sqrt(1 - y * y);
  values.insert(values.end(), {random.one_in(2) ? rest : -rest, y, 0, random.real(0.1f, 0.6f) + offset[0]});
  if (random.one_in(2)) std::swap(values[values.size() - 4], values[values.size() - 2]);
}

void add_convexes(Random& random, uint32_t plane_count, Shapes& shapes) {
  for (uint32_t convex = random.below(3); convex > 0 && plane_count > 0; --convex) {
    for (uint32_t plane = 0; plane < plane_count; ++plane) {
      if (plane == 0 || random.one_in(2)) shapes.convex_planes.push_back(plane);
    }
    shapes.convex_ends.push_back(static_cast<uint32_t>(shapes.convex_planes.size()));
  }
}

void add_triangles(Random& random, const float* offset, Shapes& shapes) {
  const uint32_t vertex_count = random.between(3, 40);
  for (uint32_t k = 0; k < vertex_count; ++k) add_point(random, offset, shapes.vertices);
  for (uint32_t k = random.between(1, 40); k > 0; --k) {
    for (int corner = 0; corner < 3; ++corner) shapes.triangles.push_back(random.below(vertex_count));
  }
}

void add_instance(const World& world, Random& random, const float* offset, Shapes& shapes) {
  const uint32_t asset = static_cast<uint32_t>(random.next());
  if (world.assets.empty()) return;
  shapes.instance_assets.push_back(world.assets[asset % world.assets.size()]);
  add_point(random, offset, shapes.instances);
  float rotation[4];
  random.rotation(rotation);
  shapes.instances.insert(shapes.instances.end(), rotation, rotation + 4);
  shapes.instances.push_back(random.real(0.1f, 0.6f));
}

Shapes draw_shapes(const World& world, Random& layout, const float* offset) {
  Shapes shapes;
  const uint32_t kinds = static_cast<uint32_t>(layout.next());
  const uint32_t sphere_count = (kinds & 1) != 0 ? layout.between(1, 6) : 0;
  for (uint32_t k = 0; k < sphere_count; ++k) {
    add_point(layout, offset, shapes.spheres);
    shapes.spheres.push_back(layout.one_in(20) ? 0 : layout.real(0.05f, 0.4f));
  }
  for (uint32_t k = layout.below(4); k > 0 && sphere_count > 1; --k) {
    const uint32_t first = layout.below(sphere_count);
    shapes.capsules.insert(shapes.capsules.end(), {first, (first + 1) % sphere_count});
  }
  const uint32_t plane_count = (kinds & 2) != 0 ? layout.between(1, 6) : 0;
  for (uint32_t k = 0; k < plane_count; ++k) add_plane(layout, offset, shapes.planes);
  add_convexes(layout, plane_count, shapes);
  for (uint32_t k = (kinds & 12) == 4 ? layout.between(1, 3) : 0; k > 0; --k)
    add_body(layout, offset, shapes.ellipsoids);
  for (uint32_t k = (kinds & 48) == 16 ? layout.between(1, 3) : 0; k > 0; --k) add_body(layout, offset, shapes.boxes);
  if ((kinds & 192) == 64) add_triangles(layout, offset, shapes);
  for (uint32_t k = (kinds & 256) != 0 ? layout.between(1, 3) : 0; k > 0; --k)
    add_instance(world, layout, offset, shapes);
  return shapes;
}

void create_set(World& world, Random&, Log& log) {
  clothc_collider_set_id set = 0;
  if (log.result("clothc_collider_set_create", clothc_collider_set_create(world.solver, &set)))
    world.sets.push_back(set);
  log.value("id of the set", set);
}

void destroy_set(World& world, Random& random, Log& log) {
  const clothc_collider_set_id set = world.pick_set(random);
  log.note("set %x", set);
  if (!log.result("clothc_collider_set_destroy", clothc_collider_set_destroy(world.solver, set))) return;
  world.sets.erase(std::remove(world.sets.begin(), world.sets.end(), set), world.sets.end());
  world.removed_sets.push_back(set);
}

void write_set(World& world, Random& random, Log& log) {
  const clothc_collider_set_id set = world.pick_set(random);
  const uint64_t layout = set * 4 + random.below(2);
  float offset[3], start_offset[3];
  for (float& x : offset) x = random.real(-0.3f, 0.3f);
  for (float& x : start_offset) x = random.real(-0.3f, 0.3f);
  Random numbers(layout, 7), same_numbers(layout, 7);
  Shapes s = draw_shapes(world, numbers, offset);
  const Shapes starts = draw_shapes(world, same_numbers, start_offset);
  if (random.one_in(40) && !s.spheres.empty()) s.spheres[random.below(4)] = random.odd();
  const uint32_t given = random.one_in(2) ? 0 : random.below(64);
  const auto count = [](const auto& values, size_t width) { return static_cast<uint32_t>(values.size() / width); };
  auto desc = initialised<clothc_collider_shapes>();
  desc.sphere_count = count(s.spheres, 4), desc.spheres = s.spheres.data();
  desc.capsule_count = count(s.capsules, 2), desc.capsules = s.capsules.data();
  desc.plane_count = count(s.planes, 4), desc.planes = s.planes.data();
  desc.convex_count = count(s.convex_ends, 1), desc.convex_ends = s.convex_ends.data();
  desc.convex_planes = s.convex_planes.data();
  desc.ellipsoid_count = count(s.ellipsoids, 10), desc.ellipsoids = s.ellipsoids.data();
  desc.box_count = count(s.boxes, 10), desc.boxes = s.boxes.data();
  desc.vertex_count = count(s.vertices, 3), desc.vertices = s.vertices.data();
  desc.triangle_count = count(s.triangles, 3), desc.triangles = s.triangles.data();
  desc.instance_count = count(s.instances, 8), desc.instances = s.instances.data();
  desc.instance_assets = s.instance_assets.data();
  if ((given & 1) != 0) desc.sphere_starts = starts.spheres.data();
  if ((given & 2) != 0) desc.plane_starts = starts.planes.data();
  if ((given & 4) != 0) desc.ellipsoid_starts = starts.ellipsoids.data();
  if ((given & 8) != 0) desc.box_starts = starts.boxes.data();
  if ((given & 16) != 0) desc.vertex_starts = starts.vertices.data();
  if ((given & 32) != 0) desc.instance_starts = starts.instances.data();
  desc.space = random.below(2);
  if (random.one_in(3)) desc.triangle_reach = random.real(0.01f, 1);
  if (random.one_in(20)) desc.triangle_reach = random.odd();
  spoil_size(random, desc);
  log.note("set %x: %u spheres, %u capsules, %u planes, %u ellipsoids, %u boxes, %u triangles, %u instances", set,
           desc.sphere_count, desc.capsule_count, desc.plane_count, desc.ellipsoid_count, desc.box_count,
           desc.triangle_count, desc.instance_count);
  log.result("clothc_collider_set_write", clothc_collider_set_write(world.solver, set, &desc));
}

void set_collider_sets(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  const std::vector<clothc_collider_set_id> sets = world.pick_sets(random);
  log.note("cloth %x %zu sets", cloth, sets.size());
  log.result("clothc_cloth_set_collider_sets",
             clothc_cloth_set_collider_sets(world.solver, cloth, sets.data(), static_cast<uint32_t>(sets.size())));
}

void keep_asset(World& world, const char* function, clothc_result result, clothc_collider_asset_id asset, Log& log) {
  if (log.result(function, result)) world.assets.push_back(asset);
  log.value("id of the asset", asset);
}

void create_mesh(World& world, Random& random, Log& log) {
  Shapes shapes;
  const float centre[3] = {};
  add_triangles(random, centre, shapes);
  if (random.one_in(40)) shapes.vertices[0] = random.odd();
  auto desc = initialised<clothc_collider_mesh_desc>();
  desc.vertex_count = static_cast<uint32_t>(shapes.vertices.size() / 3);
  desc.vertices = shapes.vertices.data();
  desc.triangle_count = static_cast<uint32_t>(shapes.triangles.size() / 3);
  desc.triangles = shapes.triangles.data();
  spoil_size(random, desc);
  clothc_collider_asset_id asset = 0;
  const clothc_result result = clothc_collider_mesh_create(world.solver, &desc, &asset);
  keep_asset(world, "clothc_collider_mesh_create", result, asset, log);
}

void create_sdf(World& world, Random& random, Log& log) {
  Shapes shapes;
  const float centre[3] = {};
  add_triangles(random, centre, shapes);
  auto mesh = initialised<clothc_sdf_cook_desc>();
  mesh.vertex_count = static_cast<uint32_t>(shapes.vertices.size() / 3);
  mesh.vertices = shapes.vertices.data();
  mesh.triangle_count = static_cast<uint32_t>(shapes.triangles.size() / 3);
  mesh.triangles = shapes.triangles.data();
  mesh.resolution = random.between(2, 10);
  if (random.one_in(3)) mesh.padding = random.real(0, 0.5f);
  auto desc = initialised<clothc_sdf_desc>();
  uint64_t size = 0;
  clothc_result result = clothc_sdf_cook(&mesh, &desc, nullptr, &size);
  std::vector<float> values(size / sizeof(float));
  if (result == CLOTHC_SUCCESS) result = clothc_sdf_cook(&mesh, &desc, values.data(), &size);
  log.values("clothc_sdf_cook", values);
  if (random.one_in(40) && !values.empty()) values[0] = random.odd();
  desc.values = values.data();
  clothc_collider_asset_id asset = 0;
  result = clothc_collider_sdf_create(world.solver, &desc, &asset);
  keep_asset(world, "clothc_collider_sdf_create", result, asset, log);
}

void destroy_asset(World& world, Random& random, Log& log) {
  const clothc_collider_asset_id asset = world.assets.empty() || random.one_in(20)
                                             ? (world.removed_assets.empty() ? 0 : random.pick(world.removed_assets))
                                             : random.pick(world.assets);
  log.note("asset %x", asset);
  if (!log.result("clothc_collider_asset_destroy", clothc_collider_asset_destroy(world.solver, asset))) return;
  world.assets.erase(std::remove(world.assets.begin(), world.assets.end(), asset), world.assets.end());
  world.removed_assets.push_back(asset);
}

}  // namespace

std::vector<Call> collider_calls() {
  return {{"collider_set_create", 3, Nature::queues, create_set},
          {"collider_set_destroy", 1, Nature::queues, destroy_set},
          {"collider_set_write", 12, Nature::queues, write_set},
          {"cloth_set_collider_sets", 5, Nature::queues, set_collider_sets},
          {"collider_mesh_create", 2, Nature::queues, create_mesh},
          {"collider_sdf_create", 2, Nature::queues, create_sdf},
          {"collider_asset_destroy", 1, Nature::queues, destroy_asset}};
}

}  // namespace lockstep
