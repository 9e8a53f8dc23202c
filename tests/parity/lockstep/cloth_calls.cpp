// cloth_calls.cpp - cloths come, go, and change how they behave.
#include "parity/lockstep/calls.h"

namespace lockstep {
namespace {

std::vector<clothc_phase_config> draw_phases(Random& random, uint32_t phase_count) {
  std::vector<clothc_phase_config> configs;
  for (uint32_t k = random.below(phase_count + 2); k > 0; --k) {
    auto config = initialised<clothc_phase_config>();
    config.phase = random.below(phase_count + (random.one_in(20) ? 2 : 0) + (phase_count == 0 ? 1 : 0));
    config.stiffness = random.one_in(3) ? 1 : random.real(0, 1);
    if (random.one_in(3)) config.stiffness_multiplier = random.real(0, 1);
    if (random.one_in(3)) config.compression_limit = random.real(0.5f, 1);
    if (random.one_in(3)) config.stretch_limit = random.real(1, 1.5f);
    if (random.one_in(80)) config.stretch_limit = random.odd();
    configs.push_back(config);
  }
  return configs;
}

// What a cloth_desc points to.
struct ClothArguments {
  std::vector<float> positions;
  clothc_cloth_parameters parameters = initialised<clothc_cloth_parameters>();
  std::vector<clothc_phase_config> phases;
  std::vector<clothc_collider_set_id> sets;
};

clothc_cloth_desc draw_cloth(World& world, Random& random, ClothArguments& arguments) {
  auto desc = initialised<clothc_cloth_desc>();
  desc.fabric = world.pick_fabric(random);
  auto info = initialised<clothc_fabric_info>();
  clothc_fabric_get_info(desc.fabric, &info);
  if (random.one_in(6)) {
    arguments.positions = draw_positions(random, info.particle_count);
    desc.positions = arguments.positions.data();
  }
  arguments.parameters = draw_parameters(random, arguments.parameters);
  if (!random.one_in(3)) desc.parameters = &arguments.parameters;
  if (random.one_in(4)) arguments.phases = draw_phases(random, info.phase_count);
  desc.phase_config_count = static_cast<uint32_t>(arguments.phases.size());
  desc.phase_configs = arguments.phases.data();
  if (random.one_in(2)) arguments.sets = world.pick_sets(random);
  desc.collider_set_count = static_cast<uint32_t>(arguments.sets.size());
  desc.collider_sets = arguments.sets.data();
  desc.flags = random.one_in(20) ? CLOTHC_CLOTH_NO_PHASES : 0;
  if (random.one_in(8)) desc.scale = random.real(0.3f, 2);
  if (random.one_in(8)) desc.spare_particle_count = random.below(40);
  spoil_size(random, desc);
  return desc;
}

void add_one(World& world, const clothc_cloth_desc& desc, Log& log) {
  clothc_cloth_id cloth = 0;
  if (log.result("clothc_cloth_add", clothc_cloth_add(world.solver, &desc, &cloth))) world.cloths.push_back(cloth);
  log.value("id of the cloth", cloth);
}

void add_cloth(World& world, Random& random, Log& log) {
  ClothArguments arguments;
  add_one(world, draw_cloth(world, random, arguments), log);
}

// Equal small cloths are updated together.
void add_crowd(World& world, Random& random, Log& log) {
  ClothArguments arguments;
  const clothc_cloth_desc desc = draw_cloth(world, random, arguments);
  auto info = initialised<clothc_fabric_info>();
  if (clothc_fabric_get_info(desc.fabric, &info) != CLOTHC_SUCCESS || info.particle_count > 60) return;
  for (uint32_t k = random.between(2, 12); k > 0; --k) add_one(world, desc, log);
}

void clone(World& world, Random& random, Log& log) {
  const clothc_cloth_id source = world.pick_cloth(random);
  clothc_cloth_id cloth = 0;
  auto info = initialised<clothc_group_info>();
  const bool is_group = clothc_group_get_info(world.solver, source, &info) == CLOTHC_SUCCESS;
  log.note("cloth %x", source);
  if (log.result("clothc_cloth_clone", clothc_cloth_clone(world.solver, source, &cloth))) {
    world.cloths.push_back(cloth);
    if (is_group) world.groups.push_back(cloth);
  }
  log.value("id of the clone", cloth);
}

void remove_cloth(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  log.note("cloth %x", cloth);
  if (log.result("clothc_cloth_remove", clothc_cloth_remove(world.solver, cloth))) world.forget_cloth(cloth);
}

void reset(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  const std::vector<float> positions = draw_positions(random, world.info_of(cloth).particle_count);
  const bool has_positions = random.one_in(2);
  log.note("cloth %x positions %d", cloth, has_positions);
  log.result("clothc_cloth_reset", clothc_cloth_reset(world.solver, cloth, has_positions ? positions.data() : nullptr));
}

void set_parameters(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  auto parameters = initialised<clothc_cloth_parameters>();
  if (!random.one_in(8)) clothc_cloth_get_parameters(world.solver, cloth, &parameters);
  parameters = draw_parameters(random, parameters);
  spoil_size(random, parameters);
  log.note("cloth %x inter %g self %g", cloth, static_cast<double>(parameters.inter_collision_distance),
           static_cast<double>(parameters.self_collision_distance));
  log.result("clothc_cloth_set_parameters", clothc_cloth_set_parameters(world.solver, cloth, &parameters));
}

void set_phases(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  const std::vector<clothc_phase_config> configs = draw_phases(random, world.phase_count_of(cloth));
  log.note("cloth %x %zu phases", cloth, configs.size());
  log.result("clothc_cloth_set_phases",
             clothc_cloth_set_phases(world.solver, cloth, configs.data(), static_cast<uint32_t>(configs.size())));
}

void set_frame(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  const clothc_cloth_frame frame = draw_frame(random);
  log.note("cloth %x flags %u", cloth, frame.flags);
  log.result("clothc_cloth_set_frame", clothc_cloth_set_frame(world.solver, cloth, &frame));
}

void set_self_collision_particles(World& world, Random& random, Log& log) {
  const clothc_cloth_id cloth = world.pick_cloth(random);
  std::vector<uint32_t> particles;
  const uint32_t count = world.info_of(cloth).particle_count, one_in = random.between(1, 6);
  for (uint32_t k = count; k > 0; --k) {
    if (random.one_in(one_in)) particles.push_back(k - 1);
  }
  if (random.one_in(4)) particles.clear();
  if (random.one_in(20)) particles.push_back(random.below(count + 1));
  log.note("cloth %x %zu particles", cloth, particles.size());
  log.result("clothc_cloth_set_self_collision_particles",
             clothc_cloth_set_self_collision_particles(world.solver, cloth, particles.data(),
                                                       static_cast<uint32_t>(particles.size())));
}

}  // namespace

std::vector<Call> cloth_calls() {
  return {{"cloth_add", 8, Nature::queues, add_cloth},
          {"cloth_add (crowd)", 1, Nature::queues, add_crowd},
          {"cloth_clone", 2, Nature::queues, clone},
          {"cloth_remove", 4, Nature::queues, remove_cloth},
          {"cloth_reset", 3, Nature::queues, reset},
          {"cloth_set_parameters", 14, Nature::queues, set_parameters},
          {"cloth_set_phases", 4, Nature::queues, set_phases},
          {"cloth_set_frame", 8, Nature::queues, set_frame},
          {"cloth_set_self_collision_particles", 3, Nature::queues, set_self_collision_particles}};
}

}  // namespace lockstep
