// api_fuzz.cpp - decodes bytes into programs that call every export of clothc.h with living, destroyed and invalid
// handles and with good and bad values. In every program each call returns a known result, an error leaves outputs
// unchanged, and positions stay finite.
#include <clothc.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz/cloths.h"
#include "fuzz/colliders.h"
#include "fuzz/fabrics.h"
#include "fuzz/groups.h"
#include "fuzz/inter_collisions.h"
#include "fuzz/program.h"
#include "fuzz/transfers.h"

using namespace clothc_fuzz;

namespace {

void create_device(World& world, Program& program) {
  if (world.devices.size() >= 6) return;
  auto desc = make<clothc_device_desc>(program);
  desc.backend = program.below(5);
  desc.isa = program.below(7);
  desc.worker_count = 1 + program.below(3);
  desc.device_index = program.byte() == 255 ? 1 : 0;
  desc.flags = program.below(3);
  create(world.devices, [&](clothc_device* out) { return clothc_device_create(&desc, out); });
}

void create_buffer(World& world, Program& program) {
  auto desc = make<clothc_buffer_desc>(program);
  desc.kind = program.byte() < 200 ? CLOTHC_BUFFER_HOST : program.below(8);
  desc.flags = program.byte() < 200 ? 0 : program.below(3);
  desc.format = program.byte() < 200 ? CLOTHC_FORMAT_FLOAT4 : program.below(8);
  desc.count = program.below(64) * program.below(8);
  desc.stride = program.byte() < 200 ? 0 : program.below(128);
  const bool fits = desc.count * (desc.stride == 0 ? 16 : desc.stride) <= world.wrapped.size() * sizeof(float);
  const bool wraps = desc.kind == CLOTHC_BUFFER_WRAPPED_HOST || desc.kind == CLOTHC_BUFFER_WRAPPED_DEVICE;
  if (wraps && fits) desc.memory = world.wrapped.data();
  const clothc_device device = world.devices.pick(program);
  create(world.buffers, [&](clothc_buffer* out) { return clothc_buffer_create(device, &desc, out); });
}

void use_buffer(World& world, Program& program) {
  const clothc_buffer buffer = world.buffers.pick(program);
  uint8_t data[64];
  void* pointer = nullptr;
  clothc_buffer_info info = make<clothc_buffer_info>(program);
  switch (program.below(6)) {
    case 0:
      check(clothc_buffer_map(buffer, program.below(16) | CLOTHC_MAP_NO_WAIT, &pointer));
      break;
    case 1:
      check(clothc_buffer_unmap(buffer));
      break;
    case 2:
      check(clothc_buffer_get_info(buffer, &info));
      break;
    case 3: {
      std::memset(data, static_cast<int>(program.byte()), sizeof(data));
      check(clothc_buffer_write(buffer, program.byte() * 4u, program.below(65), data));
      break;
    }
    case 4:
      check(clothc_buffer_read(buffer, program.byte() * 4u, program.below(65), data));
      break;
    default:
      if (program.byte() > 200) check(clothc_buffer_destroy(buffer));
  }
}

void create_solver(World& world, Program& program) {
  if (world.solvers.size() >= 12) return;
  auto desc = make<clothc_solver_desc>(program);
  desc.particle_capacity = program.byte() < 240 ? 64u * (1 + program.below(32)) : program.below(3) - 1;
  desc.cloth_capacity = program.below(12);
  desc.collider_set_capacity = program.below(6);
  desc.schedule = program.below(4);
  desc.updates_in_flight = program.below(5);
  const clothc_device device = world.devices.pick(program);
  create(world.solvers, [&](clothc_solver* out) { return clothc_solver_create(device, &desc, out); });
}

// Checks that the positions of all particles of all cloths are finite.
void check_finite(clothc_solver solver) {
  uint32_t count = 0;
  if (clothc_cloth_list(solver, nullptr, &count) != CLOTHC_SUCCESS) return;
  std::vector<clothc_cloth_id> ids(count);
  clothc_cloth_list(solver, ids.data(), &count);
  for (const clothc_cloth_id id : ids) {
    auto status = initialised<clothc_cloth_status>();
    require(clothc_cloth_get_status(solver, id, &status) == CLOTHC_SUCCESS);
    for (int axis = 0; axis < 3; ++axis)
      require(std::isfinite(status.bounds_minimum[axis]) && std::isfinite(status.bounds_maximum[axis]));
  }
}

void update(World& world, Program& program) {
  if (++world.updates > 200) return;
  const clothc_solver solver = world.solvers.pick(program);
  auto desc = make<clothc_update>(program);
  if (program.byte() > 200) desc.dt = program.byte() < 128 ? 0.0f : program.number() * 0.02f;
  if (program.byte() > 250) desc.dt = -1.0f;
  if (desc.dt > 0.05f) desc.dt = 0.05f;
  desc.flags = program.byte() < 200 ? 0 : program.below(5);
  if (program.byte() > 220) {
    desc.signal_fence = world.fences.pick(program);
    desc.signal_value = program.byte();
  }
  uint64_t value = 0;
  check(clothc_solver_update(solver, &desc, &value));
  uint64_t completed = 0;
  check(clothc_solver_poll(solver, program.byte() < 128 ? value : program.byte(), &completed));
  check(clothc_solver_wait(solver, program.byte() < 200 ? UINT64_MAX : program.byte(), CLOTHC_WAIT_FOREVER));
  check_finite(solver);
}

void use_solver(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  switch (program.below(6)) {
    case 0: {
      auto info = make<clothc_solver_info>(program);
      check(clothc_solver_get_info(solver, &info));
      auto timers = make<clothc_timers>(program);
      check(clothc_solver_get_timers(solver, &timers));
      auto drawing = make<clothc_debug_desc>(program);
      if (program.byte() > 128) drawing.flags = program.word();
      if (program.byte() > 128) drawing.cloth = world.cloths.pick(program);
      clothc_debug_line lines[8];
      uint32_t count = program.below(9);
      check(clothc_solver_get_debug_lines(solver, &drawing, program.byte() < 128 ? nullptr : lines, &count));
      break;
    }
    case 1: {
      uint64_t hash = 0;
      check(clothc_solver_state_hash(solver, &hash));
      break;
    }
    case 2: {
      uint64_t size = 0;
      if (check(clothc_solver_snapshot(solver, nullptr, &size)) != CLOTHC_SUCCESS) break;
      world.snapshot.resize(size);
      require(check(clothc_solver_snapshot(solver, world.snapshot.data(), &size)) == CLOTHC_SUCCESS);
      break;
    }
    case 3: {
      std::vector<uint8_t> bytes = world.snapshot;
      if (!bytes.empty() && program.byte() > 200) bytes[program.word() % bytes.size()] ^= program.byte();
      const clothc_fabric fabrics[3] = {world.fabrics.pick(program), world.fabrics.pick(program),
                                        world.fabrics.pick(program)};
      check(clothc_solver_restore(solver, bytes.data(), bytes.size(), fabrics, program.below(4)));
      break;
    }
    case 4: {
      clothc_move moves[3];
      uint32_t count = program.below(4);
      check(clothc_solver_compact(solver, moves, &count));
      break;
    }
    default:
      if (program.byte() > 200) check(clothc_solver_destroy(solver));
  }
}

void use_fence(World& world, Program& program) {
  const clothc_device device = world.devices.pick(program);
  const clothc_fence fence = world.fences.pick(program);
  uint64_t value = 0;
  switch (program.below(5)) {
    case 0:
      create(world.fences, [&](clothc_fence* out) { return clothc_fence_create(device, program.byte(), out); });
      break;
    case 1:
      check(clothc_fence_signal(fence, program.byte()));
      break;
    case 2:
      check(clothc_fence_wait(fence, program.byte(), program.below(2) * 1000));
      break;
    case 3:
      check(clothc_fence_get_value(fence, &value));
      break;
    default:
      if (program.byte() > 200) check(clothc_fence_destroy(fence));
  }
}

void use_device(World& world, Program& program) {
  const clothc_device device = world.devices.pick(program);
  auto info = make<clothc_device_info>(program);
  check(clothc_device_get_info(device, &info));
  uint32_t count = program.below(4);
  clothc_device_info infos[3];
  for (clothc_device_info& entry : infos) entry = make<clothc_device_info>(program);
  check(clothc_device_enumerate(program.byte() < 32 ? nullptr : infos, &count));
  require((clothc_version() >> 16) == CLOTHC_VERSION_MAJOR);
  if (program.byte() > 240) check(clothc_device_destroy(device));
}

// Makes the initial objects, so that short programs reach interesting states: a device with one of the instruction sets
// and, in most cases, cloths that collide with each other.
void begin(World& world, Program& program) {
  auto desc = initialised<clothc_device_desc>();
  desc.backend = CLOTHC_BACKEND_CPU;
  desc.worker_count = 2;
  desc.isa = program.below(6);
  clothc_device device;
  if (check(clothc_device_create(&desc, &device)) != CLOTHC_SUCCESS) {
    desc.isa = CLOTHC_ISA_AUTO;
    require(clothc_device_create(&desc, &device) == CLOTHC_SUCCESS);
  }
  world.devices.add(device);
  if (program.byte() >= 192) return;
  begin_stack(world, device);
  stack_cloths(world, program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Program program(bytes, size);
  World world;
  begin(world, program);
  while (!program.is_over()) {
    switch (program.below(24)) {
      case 0:
        create_device(world, program);
        break;
      case 1:
        create_buffer(world, program);
        break;
      case 2:
        use_buffer(world, program);
        break;
      case 3:
        create_fabric(world, program);
        break;
      case 4:
        create_raw_fabric(world, program);
        break;
      case 5:
        use_fabric(world, program);
        break;
      case 6:
        create_solver(world, program);
        break;
      case 7:
        use_solver(world, program);
        break;
      case 8:
        add_cloth(world, program);
        break;
      case 9:
        use_cloth(world, program);
        break;
      case 10:
        use_colliders(world, program);
        break;
      case 11:
        transfer(world, program);
        break;
      case 12:
        update(world, program);
        break;
      case 13:
        use_fence(world, program);
        break;
      case 14:
        use_device(world, program);
        break;
      case 15:
        transfer_record(world, program);
        break;
      case 16:
        transfer_particles(world, program);
        break;
      case 17:
        stack_cloths(world, program);
        break;
      case 18:
        compare_copy(world, program);
        break;
      case 19:
        add_group(world, program);
        break;
      case 20:
      case 21:
        use_group(world, program);
        break;
      default:
        update(world, program);
    }
  }
  // Three updates make the cloths collide even if the program is short.
  for (int k = 0; k < 3; ++k) update(world, program);
  for (size_t k = 0; k < 8; ++k) {
    // Destroys all remaining devices. Calls for those that are already destroyed return an error.
    const uint8_t index[1] = {static_cast<uint8_t>(k)};
    Program picker(index, 1);
    clothc_device_destroy(world.devices.pick(picker));
  }
  return 0;
}
