// calls.cpp - the calls of the cases that time calls.
#include "bench/calls.h"

#include <memory>
#include <vector>

#include "cli/api.h"

namespace clothc_tool {
namespace {

void update_without_time(clothc_solver solver) {
  auto update = initialised<clothc_update>();
  update.dt = 0;
  check(clothc_solver_update(solver, &update, nullptr));
}

}  // namespace

std::function<void()> set_one_cloth(const SceneSimulation& simulation) {
  const clothc_solver solver = simulation.solver();
  const SimulatedCloth& cloth = simulation.cloths()[simulation.cloths().size() / 2];
  auto parameters = initialised<clothc_cloth_parameters>();
  check(clothc_cloth_get_parameters(solver, cloth.id, &parameters));
  auto frame = initialised<clothc_cloth_frame>();
  auto desc = initialised<clothc_buffer_desc>();
  desc.count = cloth.info.particle_count;
  const std::vector<float> velocities(4 * size_t{cloth.info.particle_count}, 0.25f);
  clothc_buffer buffer = nullptr;
  check(clothc_buffer_create(simulation.device(), &desc, &buffer));
  check(clothc_buffer_write(buffer, 0, velocities.size() * sizeof(float), velocities.data()));
  // The device owns the buffer and destroys it.
  const clothc_region region = {0, cloth.info.first_particle, cloth.info.particle_count};
  return [=, id = cloth.id, turn = 0]() mutable {
    turn = 1 - turn;
    parameters.gravity[0] = 0.5f * static_cast<float>(turn);
    frame.translation[0] = 0.125f * static_cast<float>(turn);
    check(clothc_cloth_set_parameters(solver, id, &parameters));
    check(clothc_cloth_set_frame(solver, id, &frame));
    check(clothc_solver_set(solver, CLOTHC_CHANNEL_VELOCITY, buffer, nullptr, &region, 1, 0));
    update_without_time(solver);
  };
}

std::function<void()> remove_and_add_cloth(const SceneSimulation& simulation) {
  const std::vector<SimulatedCloth>& cloths = simulation.cloths();
  return [solver = simulation.solver(), first = cloths.front().id, other = cloths[cloths.size() / 2].id]() mutable {
    check(clothc_cloth_remove(solver, other));
    update_without_time(solver);
    check(clothc_cloth_clone(solver, first, &other));
    update_without_time(solver);
  };
}

}  // namespace clothc_tool
