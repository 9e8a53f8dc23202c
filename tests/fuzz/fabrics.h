// fabrics.h - what fuzzed programs do with fabrics: cooked and raw, valid and invalid.
#pragma once

#include <clothc.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz/program.h"

namespace clothc_fuzz {

inline void create_fabric(World& world, Program& program) {
  const clothc_device device = world.devices.pick(program);
  const uint32_t columns = 1 + program.below(8);
  const uint32_t rows = 1 + program.below(8);
  const uint32_t count = columns * rows;
  std::vector<float> positions;
  std::vector<float> masses;
  for (uint32_t k = 0; k < count; ++k) {
    for (int axis = 0; axis < 3; ++axis)
      positions.push_back(program.byte() < 8 ? program.number()
                                             : static_cast<float>(axis == 0   ? k % columns
                                                                  : axis == 1 ? 0
                                                                              : k / columns) *
                                                   0.1f);
    masses.push_back(program.byte() < 16 ? program.number() : 1.0f);
  }
  std::vector<uint32_t> quads;
  for (uint32_t r = 0; r + 1 < rows; ++r) {
    for (uint32_t c = 0; c + 1 < columns; ++c) {
      const uint32_t first = r * columns + c;
      for (const uint32_t corner : {first, first + 1, first + columns + 1, first + columns})
        quads.push_back(program.byte() == 0 ? program.byte() : corner);
    }
  }
  auto mesh = make<clothc_mesh_desc>(program);
  mesh.vertex_count = count;
  mesh.positions = positions.data();
  mesh.inverse_masses = program.byte() < 200 ? masses.data() : nullptr;
  mesh.quads = quads.data();
  mesh.quad_count = quads.size() / 4;
  mesh.flags = program.byte() < 128 ? 0 : program.below(34);
  mesh.gravity_hint[1] = program.byte() < 200 ? 0.0f : program.number();
  mesh.tethers_per_particle = program.byte() < 128 ? 1 : program.below(6);
  mesh.weld_distance = program.byte() < 200 ? 0.0f : program.number();
  mesh.areal_density = program.byte() < 200 ? 0.0f : program.number();
  // 9 is one more than the limit.
  const uint32_t parts = program.below(10);
  mesh.long_range_edges[0] = program.byte() < 128 ? 0 : program.below(9);
  mesh.virtual_particles_per_triangle = program.byte() < 240 ? parts * parts : program.byte();
  create(world.fabrics, [&](clothc_fabric* out) { return clothc_fabric_cook(device, &mesh, out); });
}

struct VirtualParticles {
  std::vector<uint32_t> entries;
  std::vector<float> weights;
};

// Returns no virtual particles, or a few that are mostly valid.
inline VirtualParticles decode_virtual_particles(Program& program, uint32_t particle_count) {
  VirtualParticles points;
  if (particle_count < 3 || program.byte() < 128) return points;
  const uint32_t rows = 1 + program.below(3);
  for (uint32_t row = 0; row < rows; ++row) points.weights.insert(points.weights.end(), {0.25f, 0.25f, 0.5f});
  if (program.byte() > 240) points.weights[program.below(3)] = program.number();
  for (uint32_t count = program.below(20); count > 0; --count) {
    const uint32_t first = program.byte();
    for (uint32_t k = 0; k < 3; ++k) points.entries.push_back((first + k) % particle_count);
    points.entries.push_back(program.below(rows));
  }
  if (!points.entries.empty() && program.byte() > 240)
    points.entries[program.byte() % points.entries.size()] = program.byte();
  return points;
}

// Sets of constraints of any type, mostly valid, and the arrays to which they point.
struct ConstraintSets {
  std::vector<std::vector<uint32_t>> particles;
  std::vector<std::vector<float>> parameters;
  std::vector<clothc_constraint_set> sets;
};

inline ConstraintSets decode_constraint_sets(Program& program, uint32_t particle_count) {
  // No type has more particles or parameters than this.
  constexpr uint32_t most_entries = 4;
  ConstraintSets decoded;
  const uint32_t set_count = program.byte() < 128 ? 0 : program.below(4);
  for (uint32_t s = 0; s < set_count; ++s) {
    auto set = make<clothc_constraint_set>(program);
    set.type = program.byte() < 250 ? 1 + program.below(7) : program.byte();
    set.constraint_count = program.below(30);
    std::vector<uint32_t> particles;
    std::vector<float> parameters;
    // Any consecutive particles differ if there are enough of them.
    uint32_t next = program.byte();
    for (uint64_t k = 0; k < set.constraint_count * most_entries; ++k) {
      next += program.byte() < 250 ? 1 : program.byte();
      particles.push_back(next % (particle_count + (program.byte() == 0 || particle_count == 0 ? 1 : 0)));
      parameters.push_back(program.byte() < 250 ? (set.type == 5 ? 1.0f / 3 : 0.5f) : program.number());
    }
    decoded.particles.push_back(std::move(particles));
    decoded.parameters.push_back(std::move(parameters));
    set.particles = program.byte() < 250 ? decoded.particles.back().data() : nullptr;
    set.parameters = program.byte() < 250 ? decoded.parameters.back().data() : nullptr;
    decoded.sets.push_back(set);
  }
  return decoded;
}

inline void create_raw_fabric(World& world, Program& program) {
  const clothc_device device = world.devices.pick(program);
  auto desc = make<clothc_fabric_desc>(program);
  const uint32_t count = program.below(40);
  const uint32_t constraints = program.below(60);
  std::vector<float> positions(size_t{count} * 4);
  for (float& value : positions)
    value = program.byte() < 4 ? program.number() : 0.1f * static_cast<float>(&value - positions.data());
  std::vector<uint32_t> indices;
  std::vector<float> rests;
  std::vector<float> stiffness;
  for (uint32_t k = 0; k < constraints; ++k) {
    indices.push_back(program.byte() % (count + 1));
    indices.push_back(program.byte() % (count + 1));
    rests.push_back(program.number());
    stiffness.push_back(program.byte() < 250 ? 0.5f : program.number());
  }
  const uint32_t ends[2] = {constraints / 2, program.byte() < 240 ? constraints : program.byte()};
  const uint32_t sets[2] = {program.below(5), 1};
  const uint32_t tethers = program.below(3);
  std::vector<uint32_t> anchors;
  std::vector<float> lengths;
  for (uint32_t k = 0; k < tethers * count; ++k) {
    anchors.push_back(program.byte() % (count + (program.byte() == 0 ? 1 : 0)));
    lengths.push_back(program.number());
  }
  desc.particle_count = count;
  desc.phase_count = desc.set_count = 2;
  desc.phase_sets = sets;
  desc.set_ends = ends;
  desc.constraint_count = constraints;
  desc.indices = indices.data();
  desc.rest_lengths = rests.data();
  desc.stiffness_values = program.byte() < 128 ? stiffness.data() : nullptr;
  desc.tethers_per_particle = tethers;
  desc.tether_anchors = anchors.data();
  desc.tether_lengths = lengths.data();
  desc.positions = positions.data();
  std::vector<uint32_t> triangles(program.byte() < 128 ? 0 : 3 * program.below(20));
  for (uint32_t& corner : triangles) corner = program.byte() % (count + 1);
  std::vector<float> texture_coordinates(size_t{count} * 2);
  for (float& value : texture_coordinates) value = program.number();
  desc.triangles = triangles.data();
  desc.triangle_count = static_cast<uint32_t>(triangles.size() / 3);
  desc.texture_coordinates = program.byte() < 128 ? nullptr : texture_coordinates.data();
  const VirtualParticles points = decode_virtual_particles(program, count);
  desc.virtual_weights = points.weights.data();
  desc.virtual_weight_count = static_cast<uint32_t>(points.weights.size() / 3);
  desc.virtual_particles = points.entries.data();
  desc.virtual_particle_count = static_cast<uint32_t>(points.entries.size() / 4);
  const ConstraintSets typed = decode_constraint_sets(program, count);
  desc.constraint_sets = typed.sets.data();
  desc.constraint_set_count = static_cast<uint32_t>(typed.sets.size());
  create(world.fabrics, [&](clothc_fabric* out) { return clothc_fabric_create(device, &desc, out); });
}

inline void use_fabric(World& world, Program& program) {
  const clothc_fabric fabric = world.fabrics.pick(program);
  auto info = make<clothc_fabric_info>(program);
  check(clothc_fabric_get_info(fabric, &info));
  uint64_t size = 0;
  const uint32_t array = program.below(21);
  if (check(clothc_fabric_read(fabric, array, nullptr, &size)) == CLOTHC_SUCCESS) {
    std::vector<uint8_t> data(size + 1);
    check(clothc_fabric_read(fabric, array, data.data(), &size));
  }
  auto diagnostic = make<clothc_diagnostic>(program);
  check(clothc_fabric_get_diagnostic(fabric, program.below(4), &diagnostic));
  if (program.byte() > 200 && check(clothc_fabric_save(fabric, nullptr, &size)) == CLOTHC_SUCCESS) {
    std::vector<uint8_t> blob(size);
    require(clothc_fabric_save(fabric, blob.data(), &size) == CLOTHC_SUCCESS);
    if (program.byte() > 128) blob[program.byte() * blob.size() / 256] ^= 1;
    const clothc_device device = world.devices.pick(program);
    create(world.fabrics,
           [&](clothc_fabric* out) { return clothc_fabric_load(device, blob.data(), blob.size(), out); });
  }
  if (program.byte() > 230) check(clothc_fabric_destroy(fabric));
}

}  // namespace clothc_fuzz
