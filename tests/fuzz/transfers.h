// transfers.h - what fuzzed programs send to channels and get from them: any regions of any buffer, records, and the
// values of one cloth's particles.
#pragma once

#include <clothc.h>
#include <vector>

#include "fuzz/cloths.h"
#include "fuzz/program.h"

namespace clothc_fuzz {

inline void transfer(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_buffer buffer = world.buffers.pick(program);
  auto view = make<clothc_view>(program);
  view.format = program.below(7);
  view.byte_offset = program.byte() < 128 ? 0 : program.byte();
  view.stride = program.byte() < 128 ? 0 : program.byte();
  clothc_region regions[3];
  for (clothc_region& region : regions) region = {program.below(64), program.below(64), program.below(40)};
  const clothc_view* chosen = program.byte() < 128 ? nullptr : &view;
  const uint32_t count = program.below(4);
  const clothc_channel channel = program.below(18);
  const uint32_t flags = program.byte() < 200 ? 0 : program.below(3);
  const bool is_set = program.byte() < 128;
  check(is_set ? clothc_solver_set(solver, channel, buffer, chosen, regions, count, flags)
               : clothc_solver_get(solver, channel, buffer, chosen, regions, count, flags));
  auto info = make<clothc_channel_info>(program);
  check(clothc_channel_describe(solver, channel, &info));
}

// Transfers records of one cloth through a buffer of its own. The records have today's size, that of an earlier
// release, or any size.
inline void transfer_record(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_channel channels[3] = {CLOTHC_CHANNEL_CLOTH_FRAME, CLOTHC_CHANNEL_CLOTH_PARAMETERS,
                                      CLOTHC_CHANNEL_CLOTH_STATUS};
  const uint32_t which = program.below(3);
  const clothc_cloth_frame frame = make_frame(program);
  const clothc_cloth_parameters parameters = make_parameters(program);
  auto desc = make<clothc_buffer_desc>(program);
  desc.count = 1 + program.below(2);
  desc.format = CLOTHC_FORMAT_RECORD;
  desc.stride = program.byte() < 200 ? 256 : program.byte();
  clothc_buffer buffer = nullptr;
  if (check(clothc_buffer_create(world.devices.pick(program), &desc, &buffer)) != CLOTHC_SUCCESS) return;
  if (which < 2) {
    const void* record = which == 0 ? static_cast<const void*>(&frame) : &parameters;
    const size_t size = which == 0 ? sizeof(frame) : sizeof(parameters);
    check(clothc_buffer_write(buffer, 0, size < desc.stride ? size : desc.stride, record));
    const clothc_region region = {0, program.below(4), 1};
    check(clothc_solver_set(solver, channels[which], buffer, nullptr, &region, 1, 0));
  }
  const clothc_region region = {program.below(4), 0, 1};
  check(clothc_solver_get(solver, channels[which], buffer, nullptr, &region, 1, 0));
  check(clothc_buffer_destroy(buffer));
}

// Counts the intersections of some cloths, which lays out their edges if it is the first time.
inline void count_intersections(World& world, Program& program) {
  auto desc = make<clothc_buffer_desc>(program);
  desc.count = 64;
  desc.format = CLOTHC_FORMAT_UINT;
  clothc_buffer buffer = nullptr;
  if (check(clothc_buffer_create(world.devices.pick(program), &desc, &buffer)) != CLOTHC_SUCCESS) return;
  const clothc_region region = {program.below(200), program.below(4), program.below(62)};
  check(clothc_solver_get(world.solvers.pick(program), CLOTHC_CHANNEL_INTERSECTION_COUNT, buffer, nullptr, &region, 1,
                          0));
  check(clothc_buffer_destroy(buffer));
}

// Copies a channel's values for one cloth's particles, with a few numbers replaced, to another channel: for example
// rest positions at the cloth's current positions, or particles that coincide or lie far away. Occasionally the channel
// is cleared immediately afterwards.
inline void transfer_particles(World& world, Program& program) {
  constexpr clothc_channel channels[] = {CLOTHC_CHANNEL_REST_POSITION,     CLOTHC_CHANNEL_POSITION,
                                         CLOTHC_CHANNEL_PREVIOUS_POSITION, CLOTHC_CHANNEL_VELOCITY,
                                         CLOTHC_CHANNEL_ACCELERATION,      CLOTHC_CHANNEL_MOTION_CONSTRAINT};
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_cloth_id cloth = world.cloths.pick(program);
  const clothc_channel from = channels[program.below(3)];
  const clothc_channel to = channels[program.below(6)];
  auto info = make<clothc_cloth_info>(program);
  if (check(clothc_cloth_get_info(solver, cloth, &info)) != CLOTHC_SUCCESS) return;
  auto desc = make<clothc_buffer_desc>(program);
  desc.count = info.particle_count;
  if (program.byte() > 200) desc.format = CLOTHC_FORMAT_FLOAT3;
  const uint32_t element = desc.format == CLOTHC_FORMAT_FLOAT3 ? 12 : 16;
  clothc_buffer buffer = nullptr;
  if (check(clothc_buffer_create(world.devices.pick(program), &desc, &buffer)) != CLOTHC_SUCCESS) return;
  const clothc_region got = {info.first_particle, 0, info.particle_count};
  check(clothc_solver_get(solver, from, buffer, nullptr, &got, 1, 0));
  for (uint32_t k = program.below(8); k > 0; --k) {
    const uint32_t offset = 4 * (((program.byte() << 8) | program.byte()) % (info.particle_count * element / 4));
    const float value = program.number();
    check(clothc_buffer_write(buffer, offset, sizeof(value), &value));
  }
  const clothc_region set = {0, info.first_particle, info.particle_count};
  const uint32_t flags = to == CLOTHC_CHANNEL_POSITION && program.byte() < 128 ? CLOTHC_SET_AT_REST : 0;
  check(clothc_solver_set(solver, to, buffer, nullptr, &set, 1, flags));
  if (program.byte() > 230) check(clothc_cloth_clear(solver, cloth, to));
  if (program.byte() > 200) count_intersections(world, program);
  check(clothc_buffer_destroy(buffer));
}

}  // namespace clothc_fuzz
