// groups.h - how fuzzed programs make groups of particles and what they do with them. Groups are among the cloths of the
// world, so that everything that is done with cloths is done with them too.
#pragma once

#include <clothc.h>
#include <vector>

#include "fuzz/cloths.h"
#include "fuzz/program.h"

namespace clothc_fuzz {

// Makes a buffer of 32-bit values, or picks any buffer.
template <class Value, class Next>
clothc_buffer make_list(World& world, Program& program, clothc_format format, uint32_t count, Next next) {
  if (program.byte() > 240) return world.buffers.pick(program);
  auto desc = initialised<clothc_buffer_desc>();
  desc.count = count + program.below(3);
  desc.format = program.byte() < 250 ? format : program.below(6);
  desc.stride = program.byte() < 200 ? 4 : 12;
  clothc_buffer buffer = nullptr;
  if (check(clothc_buffer_create(world.devices.pick(program), &desc, &buffer)) != CLOTHC_SUCCESS) return nullptr;
  for (uint32_t k = 0; k < count; ++k) {
    const Value value = next(k);
    check(clothc_buffer_write(buffer, uint64_t{k} * desc.stride, sizeof(value), &value));
  }
  world.buffers.add(buffer);
  return buffer;
}

inline void add_group(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  auto desc = make<clothc_group_desc>(program);
  const clothc_cloth_parameters parameters = make_parameters(program);
  desc.particle_count = program.byte() < 240 ? 1 + program.below(40) : program.word();
  std::vector<float> positions(160);
  for (size_t k = 0; k < positions.size(); ++k)
    positions[k] = k % 4 == 3 ? 1.0f : 0.02f * static_cast<float>(k % 7) + 0.01f * static_cast<float>(k / 16);
  for (uint32_t k = program.below(4); k > 0; --k) positions[program.below(160)] = program.number();
  // Counts that are too large must be refused before any position is read.
  const bool may_read = desc.particle_count <= 40 || desc.particle_count > 1u << 24;
  desc.positions = may_read ? positions.data() : nullptr;
  desc.radius = program.byte() < 200 ? 0.02f : program.number();
  desc.parameters = program.byte() < 128 ? &parameters : nullptr;
  const clothc_collider_set_id sets[2] = {world.sets.pick(program), world.sets.pick(program)};
  desc.collider_sets = sets;
  desc.collider_set_count = program.below(3);
  clothc_group_id id = 0;
  require((check(clothc_group_add(solver, &desc, &id)) == CLOTHC_SUCCESS) == (id != 0));
  if (id != 0) world.cloths.add(id);
}

inline void set_springs(World& world, Program& program, clothc_solver solver, clothc_group_id group) {
  const uint32_t count = program.below(30);
  const clothc_buffer indices = make_list<uint32_t>(world, program, CLOTHC_FORMAT_UINT, 2 * count, [&](uint32_t k) {
    return program.byte() < 200 ? k / 2 + k % 2 : program.below(44);
  });
  const clothc_buffer lengths = make_list<float>(world, program, CLOTHC_FORMAT_FLOAT, count, [&](uint32_t) {
    return program.byte() < 200 ? 0.02f : program.number();
  });
  const clothc_buffer stiffness =
      program.byte() < 128 ? nullptr : make_list<float>(world, program, CLOTHC_FORMAT_FLOAT, count, [&](uint32_t) {
        return program.byte() < 200 ? 0.5f : program.number();
      });
  const uint32_t wanted = program.byte() < 240 ? count : program.word();
  check(clothc_group_set_springs(solver, group, indices, lengths, stiffness, wanted));
}

inline void set_active(World& world, Program& program, clothc_solver solver, clothc_group_id group) {
  const uint32_t count = program.below(40);
  if (program.byte() < 64) {
    check(clothc_group_set_active(solver, group, nullptr, count));
    return;
  }
  const uint32_t step = 1 + program.below(3);
  const clothc_buffer list = make_list<uint32_t>(world, program, CLOTHC_FORMAT_UINT, count, [&](uint32_t k) {
    return program.byte() < 250 ? k * step : program.word();
  });
  check(clothc_group_set_active(solver, group, list, count));
}

inline void set_phases(World& world, Program& program, clothc_solver solver, clothc_group_id group) {
  auto info = initialised<clothc_cloth_info>();
  if (check(clothc_cloth_get_info(solver, group, &info)) != CLOTHC_SUCCESS) return;
  const clothc_buffer list = make_list<uint32_t>(world, program, CLOTHC_FORMAT_UINT, 20, [&](uint32_t k) {
    return program.byte() < 200 ? k % 3 + (program.byte() < 128 ? uint32_t{CLOTHC_PARTICLE_PHASE_SELF_COLLIDE} : 0u)
                                : program.word();
  });
  const clothc_region region = {0, info.first_particle, program.below(22)};
  check(clothc_solver_set(solver, CLOTHC_CHANNEL_PARTICLE_PHASE, list, nullptr, &region, 1, 0));
}

inline void use_group(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_group_id group = world.cloths.pick(program);
  switch (program.below(6)) {
    case 0:
      set_springs(world, program, solver, group);
      break;
    case 1:
      set_active(world, program, solver, group);
      break;
    case 2:
      set_phases(world, program, solver, group);
      break;
    case 3: {
      uint32_t particles[8];
      uint32_t count = program.below(9);
      check(clothc_group_get_active(solver, group, program.byte() < 128 ? nullptr : particles, &count));
      break;
    }
    case 4: {
      auto info = make<clothc_group_info>(program);
      if (check(clothc_group_get_info(solver, group, &info)) == CLOTHC_SUCCESS)
        require(info.active_count <= info.particle_count);
      break;
    }
    default:
      if (program.byte() > 200) check(clothc_group_remove(solver, group));
  }
}

}  // namespace clothc_fuzz
