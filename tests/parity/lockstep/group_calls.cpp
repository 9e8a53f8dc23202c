// group_calls.cpp - groups of particles, their springs, and which of their particles are active.
#include "parity/lockstep/calls.h"
#include "support/groups.h"

namespace lockstep {
namespace {

void add_group(World& world, Random& random, Log& log) {
  const uint32_t count = random.between(1, random.one_in(4) ? 300 : 60);
  const std::vector<float> positions = draw_positions(random, count);
  clothc_group_desc desc = clothc_test::group_desc(positions, random.one_in(2) ? random.real(0, 0.1f) : 0);
  const clothc_cloth_parameters parameters = draw_parameters(random, initialised<clothc_cloth_parameters>());
  if (random.one_in(2)) desc.parameters = &parameters;
  const std::vector<clothc_collider_set_id> sets = world.pick_sets(random);
  desc.collider_set_count = static_cast<uint32_t>(sets.size());
  desc.collider_sets = sets.data();
  spoil_size(random, desc);
  log.note("%u particles, radius %g", count, static_cast<double>(desc.radius));
  clothc_group_id group = 0;
  if (log.result("clothc_group_add", clothc_group_add(world.solver, &desc, &group))) {
    world.cloths.push_back(group);
    world.groups.push_back(group);
  }
  log.value("id of the group", group);
}

void remove_group(World& world, Random& random, Log& log) {
  const clothc_group_id group = world.pick_group(random);
  log.note("group %x", group);
  if (log.result("clothc_group_remove", clothc_group_remove(world.solver, group))) world.forget_cloth(group);
}

void set_springs(World& world, Random& random, Log& log) {
  const clothc_group_id group = world.pick_group(random);
  const uint32_t particle_count = world.info_of(group).particle_count;
  std::vector<uint32_t> indices;
  std::vector<float> rest_lengths, stiffness;
  // The same ends are likely to come again, with other lengths.
  Random ends(random.below(2), 1);
  for (uint32_t k = ends.below(2 * particle_count + 1); k > 0 && particle_count > 1; --k) {
    const uint32_t first = ends.below(particle_count);
    indices.insert(indices.end(), {first, (first + 1 + ends.below(particle_count - 1)) % particle_count});
    rest_lengths.push_back(random.one_in(10) ? 0 : random.real(0.01f, 0.5f));
    stiffness.push_back(random.one_in(3) ? 1 : random.real(0, 1));
  }
  if (random.one_in(40) && !rest_lengths.empty()) rest_lengths[0] = random.odd();
  if (random.one_in(40) && !indices.empty()) indices[0] = indices[1];
  const clothc_buffer index_buffer = clothc_test::filled_buffer(world.place.device, indices);
  const clothc_buffer length_buffer = clothc_test::filled_buffer(world.place.device, rest_lengths);
  const clothc_buffer stiffness_buffer = clothc_test::filled_buffer(world.place.device, stiffness);
  const bool is_stiff = random.one_in(3);
  log.note("group %x %zu springs", group, rest_lengths.size());
  log.result("clothc_group_set_springs", clothc_group_set_springs(world.solver, group, index_buffer, length_buffer,
                                                                  is_stiff ? nullptr : stiffness_buffer,
                                                                  static_cast<uint32_t>(rest_lengths.size())));
  for (const clothc_buffer buffer : {index_buffer, length_buffer, stiffness_buffer})
    require(clothc_buffer_destroy(buffer));
}

void set_active(World& world, Random& random, Log& log) {
  const clothc_group_id group = world.pick_group(random);
  const uint32_t particle_count = world.info_of(group).particle_count;
  std::vector<uint32_t> particles;
  for (uint32_t k = 0; k < particle_count; ++k) {
    if (!random.one_in(3)) particles.push_back(random.one_in(400) ? random.below(particle_count + 1) : k);
  }
  const clothc_buffer buffer = clothc_test::filled_buffer(world.place.device, particles);
  const bool takes_first = random.one_in(3);
  log.note("group %x %zu active", group, particles.size());
  log.result("clothc_group_set_active",
             clothc_group_set_active(world.solver, group, takes_first ? nullptr : buffer,
                                     static_cast<uint32_t>(particles.size()) + (random.one_in(40) ? 1 : 0)));
  require(clothc_buffer_destroy(buffer));
}

}  // namespace

std::vector<Call> group_calls() {
  return {{"group_add", 5, Nature::queues, add_group},
          {"group_remove", 1, Nature::queues, remove_group},
          {"group_set_springs", 6, Nature::queues, set_springs},
          {"group_set_active", 5, Nature::queues, set_active}};
}

}  // namespace lockstep
