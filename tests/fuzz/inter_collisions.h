// inter_collisions.h - what fuzzed programs do with collisions between cloths: parameters, chosen particles, stacks of
// colliding sheets that are added and removed, and solvers that must behave exactly like a copy of themselves.
#pragma once

#include <clothc.h>
#include <vector>

#include "fuzz/program.h"
#include "support/quad_sheet.h"

namespace clothc_fuzz {

// Returns a distance that is mostly of the size of the sheets' cells, 0.1 m; otherwise at the ends of the range, beyond
// them, or any number.
inline float make_distance(Program& program) {
  constexpr float ends[] = {0, -0.0f, 1e-40f, 5.421011e-20f, 1e-6f, 1e6f, 1000001, -1e-40f};
  const uint8_t kind = program.byte();
  if (kind < 200) return static_cast<float>(kind) * 0.002f;
  return kind < 240 ? ends[program.below(8)] : program.number();
}

// Varies how a cloth collides with itself (bit 0 of the first byte) and with others (bit 1).
inline void vary_collisions(clothc_cloth_parameters& parameters, Program& program) {
  const uint8_t which = program.byte();
  if (which & 1) parameters.self_collision_distance = make_distance(program);
  if (which & 2) parameters.inter_collision_distance = make_distance(program);
  if ((which & 12) != 12) return;
  float* const fields[] = {&parameters.self_collision_stiffness, &parameters.self_collision_friction,
                           &parameters.self_collision_damping,   &parameters.inter_collision_stiffness,
                           &parameters.inter_collision_friction, &parameters.inter_collision_damping};
  for (float* field : fields) {
    if (program.byte() < 64) *field = program.byte() < 200 ? program.number() * 0.5f : program.number();
  }
  if (which & 16) parameters.inter_collision_iterations = program.byte() < 240 ? program.below(3) : program.byte();
  if (which & 32) parameters.inter_collision_group = program.byte() < 240 ? program.below(4) : program.word();
  if (which & 64) parameters.inter_collision_mask = program.byte() < 240 ? program.below(4) : program.word();
}

// Chooses collision particles of a cloth: every n-th one, in ascending order or wrapping around, mostly different ones.
// Sometimes chooses none, or none with a count above 0.
inline void choose_particles(clothc_solver solver, clothc_cloth_id cloth, Program& program) {
  auto info = make<clothc_cloth_info>(program);
  if (check(clothc_cloth_get_info(solver, cloth, &info)) != CLOTHC_SUCCESS) info.particle_count = 0;
  const uint32_t limit = info.particle_count + (program.byte() < 240 && info.particle_count > 0 ? 0 : 1);
  const uint32_t first = program.byte(), stride = 1 + program.below(4);
  std::vector<uint32_t> particles(program.below(80));
  for (size_t k = 0; k < particles.size(); ++k) particles[k] = static_cast<uint32_t>(first + k * stride) % limit;
  if (!particles.empty() && program.byte() > 250) particles[program.byte() % particles.size()] = program.word();
  const uint32_t* chosen = program.byte() < 220 && !particles.empty() ? particles.data() : nullptr;
  const uint32_t count = chosen != nullptr ? static_cast<uint32_t>(particles.size()) : program.byte() / 240u;
  check(clothc_cloth_set_self_collision_particles(solver, cloth, chosen, count));
}

// Makes a solver and a sheet of six by six particles spaced 0.1 m apart, so that short programs have colliding cloths.
inline void begin_stack(World& world, clothc_device device) {
  const clothc_test::Sheet sheet(6, 6, 0.1f, 0);
  clothc_mesh_desc mesh = sheet.desc();
  mesh.inverse_masses = nullptr;
  create(world.fabrics, [&](clothc_fabric* out) { return clothc_fabric_cook(device, &mesh, out); });
  auto desc = initialised<clothc_solver_desc>();
  desc.particle_capacity = 2048;
  desc.cloth_capacity = 40;
  desc.contact_capacity = 64;
  create(world.solvers, [&](clothc_solver* out) { return clothc_solver_create(device, &desc, out); });
  require(world.solvers.size() == 1 && world.fabrics.size() == 1);
}

// Adds sheets to a stack, each slightly above the last one, rotated or enlarged. Sometimes removes cloths from the
// stack first.
inline void stack_cloths(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_fabric fabric = world.fabrics.pick(program);
  for (uint32_t k = program.below(3); k > 0; --k) {
    if (program.byte() > 192) check(clothc_cloth_remove(solver, world.cloths.pick(program)));
  }
  const float gap = static_cast<float>(40 - static_cast<int8_t>(program.byte())) * 0.0005f;
  // With many cloths the solver keeps them sorted.
  const uint32_t count = 2 + (program.byte() < 240 ? program.below(4) : program.below(40));
  for (uint32_t k = 0; k < count; ++k) {
    auto parameters = make<clothc_cloth_parameters>(program);
    parameters.self_collision_distance = 0.08f;
    parameters.inter_collision_distance = 0.05f;
    parameters.solver_frequency = 120;
    const uint8_t kind = program.byte();
    if (kind & 1) parameters.self_collision_friction = parameters.inter_collision_friction = 0.5f;
    if (kind & 2) parameters.self_collision_damping = parameters.inter_collision_damping = 0.5f;
    // The cloth soon falls asleep and sleeps until a moving cloth collides with it.
    if (kind > 192) parameters.sleep_threshold = 5, parameters.sleep_after_count = parameters.sleep_test_interval = 1;
    vary_collisions(parameters, program);
    auto desc = make<clothc_cloth_desc>(program);
    desc.fabric = fabric;
    desc.parameters = &parameters;
    if (program.byte() > 192) desc.scale = 0.5f + static_cast<float>(program.byte()) / 128;
    clothc_cloth_id id = 0;
    if (check(clothc_cloth_add(solver, &desc, &id)) != CLOTHC_SUCCESS) continue;
    world.cloths.add(id);
    auto frame = make<clothc_cloth_frame>(program);
    frame.flags = CLOTHC_FRAME_START;
    frame.translation[1] = frame.start_translation[1] = gap * static_cast<float>(k);
    if (program.byte() > 192) frame.translation[program.below(3)] = program.number();
    if (program.byte() > 192) frame.rotation[1] = 0.6f, frame.rotation[3] = 0.8f;
    check(clothc_cloth_set_frame(solver, id, &frame));
  }
}

// Copies a solver into another one with other capacities and another schedule on any device, and checks that both
// continue with the same bits.
inline void compare_copy(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_fabric fabrics[2] = {world.fabrics.pick(program), world.fabrics.pick(program)};
  uint64_t size = 0;
  if (check(clothc_solver_snapshot(solver, nullptr, &size)) != CLOTHC_SUCCESS) return;
  std::vector<uint8_t> bytes(size);
  require(check(clothc_solver_snapshot(solver, bytes.data(), &size)) == CLOTHC_SUCCESS);
  auto desc = make<clothc_solver_desc>(program);
  desc.particle_capacity = 4096;
  desc.schedule = program.below(3);
  clothc_solver copy = nullptr;
  if (check(clothc_solver_create(world.devices.pick(program), &desc, &copy)) != CLOTHC_SUCCESS) return;
  if (check(clothc_solver_restore(copy, bytes.data(), bytes.size(), fabrics, 1 + program.below(2))) == CLOTHC_SUCCESS) {
    const auto update = make<clothc_update>(program);
    for (uint32_t k = program.below(4);; --k) {
      uint64_t hash = 0, copied = 0;
      require(check(clothc_solver_state_hash(solver, &hash)) == CLOTHC_SUCCESS);
      require(check(clothc_solver_state_hash(copy, &copied)) == CLOTHC_SUCCESS);
      require(hash == copied);
      // A bound buffer that is mapped stops the original but not the copy.
      if (k == 0 || ++world.updates > 200 || check(clothc_solver_update(solver, &update, nullptr)) != CLOTHC_SUCCESS)
        break;
      require(check(clothc_solver_update(copy, &update, nullptr)) == CLOTHC_SUCCESS);
    }
  }
  require(check(clothc_solver_destroy(copy)) == CLOTHC_SUCCESS);
}

}  // namespace clothc_fuzz
