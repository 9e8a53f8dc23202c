// cloths.h - how fuzzed programs make cloths and what they do with them.
#pragma once

#include <clothc.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "fuzz/inter_collisions.h"
#include "fuzz/program.h"

namespace clothc_fuzz {

inline clothc_cloth_parameters make_parameters(Program& program) {
  auto parameters = make<clothc_cloth_parameters>(program);
  float* const fields[] = {&parameters.gravity[0],
                           &parameters.damping[1],
                           &parameters.stiffness_frequency,
                           &parameters.friction,
                           &parameters.friction_smoothing,
                           &parameters.tether_stiffness,
                           &parameters.tether_scale,
                           &parameters.motion_constraint_stiffness,
                           &parameters.motion_constraint_scale,
                           &parameters.motion_constraint_bias,
                           &parameters.linear_drag[0],
                           &parameters.angular_drag[1],
                           &parameters.linear_inertia[2],
                           &parameters.angular_inertia[0],
                           &parameters.centrifugal_inertia[1],
                           &parameters.wind_velocity[0],
                           &parameters.wind_velocity[2],
                           &parameters.drag_coefficient,
                           &parameters.lift_coefficient,
                           &parameters.fluid_density,
                           &parameters.sleep_threshold,
                           &parameters.contact_margin,
                           &parameters.collision_mass_scale};
  for (float* field : fields) {
    if (program.byte() < 32) *field = program.number();
  }
  parameters.solver_frequency =
      program.byte() < 250 ? 60.0f * static_cast<float>(1 + program.below(8)) : -program.number();
  parameters.acceleration_filter_width = program.byte() < 200 ? 30 : program.below(255) * 2;
  parameters.sleep_test_interval = program.byte() < 128 ? 200 : program.byte();
  parameters.sleep_after_count = program.byte() < 128 ? 10 : program.below(4);
  parameters.sleep_policy = program.byte() < 250 ? program.below(2) : program.word();
  parameters.statistics = program.byte() < 250 ? program.below(4) : program.word();
  parameters.collision_flags = program.byte() < 250 ? program.below(8) : program.word();
  vary_collisions(parameters, program);
  return parameters;
}

// Makes a frame at any position, rotated about one of the three axes or by any four numbers, with any flags.
inline clothc_cloth_frame make_frame(Program& program) {
  auto frame = make<clothc_cloth_frame>(program);
  frame.flags = program.byte() < 250 ? program.below(32) : program.word();
  for (float* translation : {frame.translation, frame.start_translation})
    translation[program.below(3)] = program.number();
  for (float* rotation : {frame.rotation, frame.start_rotation}) {
    const float angle = static_cast<float>(program.byte()) / 40;
    rotation[program.below(3)] = std::sin(angle);
    rotation[3] = std::cos(angle);
    if (program.byte() > 250) rotation[program.below(4)] = program.number();
  }
  return frame;
}

inline std::vector<clothc_phase_config> make_configs(Program& program) {
  std::vector<clothc_phase_config> configs(program.below(5));
  for (clothc_phase_config& config : configs) {
    config = make<clothc_phase_config>(program);
    config.phase = program.below(4);
    config.stiffness = program.byte() < 250 ? 0.7f : program.number();
    config.stiffness_multiplier = program.byte() < 128 ? 1.0f : program.number();
    config.compression_limit = program.byte() < 128 ? 0.9f : program.number();
    config.stretch_limit = program.byte() < 128 ? 1.1f : program.number();
  }
  return configs;
}

inline void add_cloth(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  auto desc = make<clothc_cloth_desc>(program);
  const clothc_cloth_parameters parameters = make_parameters(program);
  const std::vector<clothc_phase_config> configs = make_configs(program);
  const clothc_collider_set_id sets[2] = {world.sets.pick(program), world.sets.pick(program)};
  desc.fabric = world.fabrics.pick(program);
  desc.parameters = program.byte() < 128 ? &parameters : nullptr;
  desc.phase_configs = configs.data();
  desc.phase_config_count = static_cast<uint32_t>(configs.size());
  desc.collider_sets = sets;
  desc.collider_set_count = program.below(3);
  desc.flags = program.byte() < 240 ? 0 : program.below(4);
  desc.scale = program.byte() < 200 ? 1.0f : program.number();
  desc.spare_particle_count = program.byte() < 200 ? 0 : program.below(200);
  clothc_cloth_id id = 0;
  const bool clone = program.byte() > 200;
  const clothc_result result =
      clone ? clothc_cloth_clone(solver, world.cloths.pick(program), &id) : clothc_cloth_add(solver, &desc, &id);
  require((check(result) == CLOTHC_SUCCESS) == (id != 0));
  if (id != 0) world.cloths.add(id);
}

inline void use_cloth(World& world, Program& program) {
  const clothc_solver solver = world.solvers.pick(program);
  const clothc_cloth_id cloth = world.cloths.pick(program);
  switch (program.below(15)) {
    case 0: {
      const clothc_cloth_parameters parameters = make_parameters(program);
      check(clothc_cloth_set_parameters(solver, cloth, &parameters));
      break;
    }
    case 1: {
      auto parameters = make<clothc_cloth_parameters>(program);
      check(clothc_cloth_get_parameters(solver, cloth, &parameters));
      break;
    }
    case 2: {
      const std::vector<clothc_phase_config> configs = make_configs(program);
      check(clothc_cloth_set_phases(solver, cloth, configs.data(), static_cast<uint32_t>(configs.size())));
      break;
    }
    case 3: {
      clothc_phase_config configs[3];
      for (clothc_phase_config& config : configs) config = make<clothc_phase_config>(program);
      uint32_t count = program.below(4);
      check(clothc_cloth_get_phases(solver, cloth, configs, &count));
      break;
    }
    case 4: {
      const clothc_collider_set_id sets[2] = {world.sets.pick(program), world.sets.pick(program)};
      check(clothc_cloth_set_collider_sets(solver, cloth, sets, program.below(3)));
      break;
    }
    case 5:
      check(clothc_cloth_clear(solver, cloth, program.below(18)));
      break;
    case 6: {
      auto status = make<clothc_cloth_status>(program);
      check(clothc_cloth_get_status(solver, cloth, &status));
      break;
    }
    case 7: {
      auto info = make<clothc_cloth_info>(program);
      check(clothc_cloth_get_info(solver, cloth, &info));
      break;
    }
    case 8: {
      clothc_cloth_id ids[4];
      uint32_t count = program.below(5);
      check(clothc_cloth_list(solver, ids, &count));
      break;
    }
    case 9: {
      const clothc_buffer buffer = program.byte() < 32 ? nullptr : world.buffers.pick(program);
      check(clothc_cloth_bind(solver, cloth, program.below(18), buffer, nullptr));
      break;
    }
    case 10: {
      const clothc_cloth_frame frame = make_frame(program);
      check(clothc_cloth_set_frame(solver, cloth, &frame));
      break;
    }
    case 11: {
      auto frame = make<clothc_cloth_frame>(program);
      check(clothc_cloth_get_frame(solver, cloth, &frame));
      break;
    }
    case 12: {
      // As many as the largest fabric here has particles.
      std::vector<float> positions(4 * 300, 0.5f);
      for (int k = 0; k < 8; ++k) positions[program.word() % positions.size()] = program.number();
      check(clothc_cloth_reset(solver, cloth, program.byte() < 128 ? nullptr : positions.data()));
      break;
    }
    case 13:
      choose_particles(solver, cloth, program);
      break;
    default:
      if (program.byte() > 128) check(clothc_cloth_remove(solver, cloth));
  }
}

}  // namespace clothc_fuzz
