// colliders.h - what fuzzed programs do with collider sets and assets: shapes of every kind with mostly valid values
// and occasionally arbitrary bits.
#pragma once

#include <clothc.h>
#include <cmath>
#include <cstring>
#include <vector>

#include "fuzz/program.h"

namespace clothc_fuzz {

// Makes elements with arbitrary numbers.
inline std::vector<float> make_numbers(Program& program, uint32_t count) {
  std::vector<float> values(count);
  for (float& value : values) value = program.number();
  return values;
}

// Makes elements of a centre, a rotation about one of the axes, and sizes.
inline std::vector<float> make_posed(Program& program, uint32_t count) {
  std::vector<float> values = make_numbers(program, 10 * count);
  for (uint32_t k = 0; k < count; ++k) {
    if (program.byte() > 240) continue;
    float* rotation = &values[10 * k + 3];
    const float angle = static_cast<float>(program.byte()) / 40;
    for (int axis = 0; axis < 3; ++axis) rotation[axis] = 0;
    rotation[program.below(3)] = std::sin(angle);
    rotation[3] = std::cos(angle);
  }
  return values;
}

inline std::vector<float> make_planes(Program& program, uint32_t count) {
  std::vector<float> values(4 * count);
  for (uint32_t k = 0; k < count; ++k) {
    values[4 * k + program.below(3)] = program.byte() < 240 ? 1.0f : program.number();
    values[4 * k + 3] = program.number();
  }
  return values;
}

// Makes indices of which most are below the limit.
inline std::vector<uint32_t> make_indices(Program& program, uint32_t count, uint32_t limit) {
  std::vector<uint32_t> values(count);
  for (uint32_t& value : values)
    value = program.byte() < 250 ? program.below(limit + (limit == 0 ? 1 : 0)) : program.word();
  return values;
}

// Makes start values in the same way and number as the targets, or none.
template <class Make>
std::vector<float> make_starts(Program& program, uint32_t count, Make make_values) {
  return program.byte() < 128 ? std::vector<float>() : make_values(program, count);
}

inline const float* given(const std::vector<float>& values) { return values.empty() ? nullptr : values.data(); }

// Makes elements of a translation, a rotation about one of the axes, and a scale.
inline std::vector<float> make_instances(Program& program, uint32_t count) {
  const std::vector<float> posed = make_posed(program, count);
  std::vector<float> values;
  for (uint32_t k = 0; k < count; ++k) {
    values.insert(values.end(), &posed[10 * k], &posed[10 * k] + 8);
    if (program.byte() < 230) values.back() = 0.5f + static_cast<float>(program.byte()) / 64;
  }
  return values;
}

inline void create_asset(World& world, clothc_solver solver, Program& program) {
  clothc_collider_asset_id created = 0;
  if (program.byte() < 128) {
    auto mesh = make<clothc_collider_mesh_desc>(program);
    mesh.vertex_count = program.below(16);
    mesh.triangle_count = program.below(40);
    const std::vector<float> vertices = make_numbers(program, 3 * mesh.vertex_count);
    const std::vector<uint32_t> triangles = make_indices(program, 3 * mesh.triangle_count, mesh.vertex_count);
    mesh.vertices = given(vertices);
    mesh.triangles = triangles.empty() || program.byte() < 32 ? nullptr : triangles.data();
    if (check(clothc_collider_mesh_create(solver, &mesh, &created)) == CLOTHC_SUCCESS) world.assets.add(created);
    return;
  }
  auto sdf = make<clothc_sdf_desc>(program);
  uint32_t nodes = 1;
  for (uint32_t& count : sdf.counts) nodes *= count = program.byte() < 250 ? 2 + program.below(4) : program.below(8);
  for (float& origin : sdf.origin) origin = program.byte() < 200 ? -1.0f : program.number();
  sdf.spacing = program.byte() < 230 ? 0.5f : program.number();
  std::vector<float> values = make_numbers(program, nodes);
  sdf.values = given(values);
  if (check(clothc_collider_sdf_create(solver, &sdf, &created)) == CLOTHC_SUCCESS) world.assets.add(created);
}

inline void cook_sdf(Program& program) {
  auto desc = make<clothc_sdf_cook_desc>(program);
  desc.vertex_count = program.below(12);
  desc.triangle_count = program.below(20);
  desc.resolution = program.below(10);
  if (program.byte() < 64) desc.padding = program.number();
  const std::vector<float> vertices = make_numbers(program, 3 * desc.vertex_count);
  const std::vector<uint32_t> triangles = make_indices(program, 3 * desc.triangle_count, desc.vertex_count);
  desc.vertices = given(vertices);
  desc.triangles = triangles.empty() || program.byte() < 32 ? nullptr : triangles.data();
  auto sdf = make<clothc_sdf_desc>(program);
  uint64_t size = 0;
  if (check(clothc_sdf_cook(&desc, &sdf, nullptr, &size)) != CLOTHC_SUCCESS || size > 65536) return;
  std::vector<float> values(size / 4);
  check(clothc_sdf_cook(&desc, &sdf, values.data(), &size));
}

inline void write_shapes(World& world, clothc_solver solver, clothc_collider_set_id set, Program& program) {
  auto shapes = make<clothc_collider_shapes>(program);
  const auto make_spheres = [](Program& p, uint32_t count) { return make_numbers(p, 4 * count); };
  const auto make_vertices = [](Program& p, uint32_t count) { return make_numbers(p, 3 * count); };
  shapes.sphere_count = program.below(5);
  shapes.plane_count = program.below(5);
  shapes.capsule_count = program.byte() < 128 ? 0 : program.below(4);
  shapes.ellipsoid_count = program.byte() < 128 ? 0 : program.below(3);
  shapes.box_count = program.byte() < 128 ? 0 : program.below(3);
  shapes.vertex_count = program.byte() < 128 ? 0 : program.below(16);
  shapes.triangle_count = shapes.vertex_count < 3 && program.byte() < 250 ? 0 : program.below(60);
  const std::vector<float> spheres = make_spheres(program, shapes.sphere_count);
  const std::vector<float> sphere_starts = make_starts(program, shapes.sphere_count, make_spheres);
  const std::vector<float> planes = make_planes(program, shapes.plane_count);
  const std::vector<float> plane_starts = make_starts(program, shapes.plane_count, make_planes);
  const std::vector<float> ellipsoids = make_posed(program, shapes.ellipsoid_count);
  const std::vector<float> ellipsoid_starts = make_starts(program, shapes.ellipsoid_count, make_posed);
  const std::vector<float> boxes = make_posed(program, shapes.box_count);
  const std::vector<float> box_starts = make_starts(program, shapes.box_count, make_posed);
  const std::vector<float> vertices = make_vertices(program, shapes.vertex_count);
  const std::vector<float> vertex_starts = make_starts(program, shapes.vertex_count, make_vertices);
  shapes.instance_count = program.byte() < 100 ? 0 : program.below(3);
  const std::vector<float> instances = make_instances(program, shapes.instance_count);
  const std::vector<float> instance_starts = make_starts(program, shapes.instance_count, make_instances);
  const clothc_collider_asset_id assets[2] = {world.assets.pick(program), world.assets.pick(program)};
  const std::vector<uint32_t> capsules = make_indices(program, 2 * shapes.capsule_count, shapes.sphere_count);
  const std::vector<uint32_t> triangles = make_indices(program, 3 * shapes.triangle_count, shapes.vertex_count);
  const uint32_t ends[2] = {1 + program.below(2), 1 + program.below(4)};
  const uint32_t members[4] = {program.below(5), program.below(4), program.below(4), program.below(4)};
  shapes.spheres = given(spheres);
  shapes.sphere_starts = given(sphere_starts);
  shapes.planes = given(planes);
  shapes.plane_starts = given(plane_starts);
  shapes.ellipsoids = given(ellipsoids);
  shapes.ellipsoid_starts = given(ellipsoid_starts);
  shapes.boxes = given(boxes);
  shapes.box_starts = given(box_starts);
  shapes.vertices = given(vertices);
  shapes.vertex_starts = given(vertex_starts);
  shapes.capsules = capsules.empty() ? nullptr : capsules.data();
  shapes.triangles = triangles.empty() || program.byte() < 32 ? nullptr : triangles.data();
  shapes.instances = given(instances);
  shapes.instance_starts = given(instance_starts);
  shapes.instance_assets = assets;
  shapes.convex_count = program.below(3);
  shapes.convex_ends = ends;
  shapes.convex_planes = members;
  shapes.space = program.byte() < 250 ? program.below(2) : program.word();
  if (program.byte() > 200) shapes.triangle_reach = program.byte() < 64 ? HUGE_VALF : program.number();
  shapes.reserved = program.byte() < 252 ? 0 : program.byte();
  check(clothc_collider_set_write(solver, set, &shapes));
}

inline void use_colliders(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_collider_set_id set = world.sets.pick(program);
  if (program.byte() < 64) {
    clothc_collider_set_id created = 0;
    if (check(clothc_collider_set_create(solver, &created)) == CLOTHC_SUCCESS) world.sets.add(created);
    return;
  }
  if (program.byte() > 230) {
    check(clothc_collider_set_destroy(solver, set));
    return;
  }
  if (program.byte() > 200) {
    const uint8_t what = program.byte();
    if (what < 128) return create_asset(world, solver, program);
    if (what < 200) return static_cast<void>(check(clothc_collider_asset_destroy(solver, world.assets.pick(program))));
    return cook_sdf(program);
  }
  write_shapes(world, solver, set, program);
}

}  // namespace clothc_fuzz
