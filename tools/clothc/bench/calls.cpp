// calls.cpp - the calls of the cases that time calls.
#include "bench/calls.h"

#include <clothc.hpp>
#include <memory>
#include <vector>

namespace clothc_tool {
namespace {

void update_without_time(const clothc::Solver& solver) {
  auto update = clothc::initialised<clothc_update>();
  update.dt = 0;
  solver.update(update).check();
}

}  // namespace

std::function<void()> set_one_cloth(const SceneSimulation& simulation) {
  const SimulatedCloth& simulated = simulation.cloths()[simulation.cloths().size() / 2];
  const clothc_region region = {0, simulated.info.first_particle, simulated.info.particle_count};
  const std::vector<float> velocities(4 * size_t{region.count}, 0.25f);
  // Shared, because a std::function must be able to copy what it calls.
  const auto buffer = std::make_shared<const clothc::Buffer>(
      simulation.device().create_buffer(CLOTHC_FORMAT_FLOAT4, region.count).value());
  buffer->write<float>(velocities).check();
  return [&solver = simulation.solver(), cloth = simulated.cloth, parameters = simulated.cloth.parameters().value(),
          frame = clothc::initialised<clothc_cloth_frame>(), buffer, region, turn = 0]() mutable {
    turn = 1 - turn;
    parameters.gravity[0] = 0.5f * static_cast<float>(turn);
    frame.translation[0] = 0.125f * static_cast<float>(turn);
    cloth.set_parameters(parameters).check();
    cloth.set_frame(frame).check();
    solver.set(CLOTHC_CHANNEL_VELOCITY, *buffer, {&region, 1}).check();
    update_without_time(solver);
  };
}

std::function<void()> remove_and_add_cloth(const SceneSimulation& simulation) {
  const std::vector<SimulatedCloth>& cloths = simulation.cloths();
  clothc::Cloth first = cloths.front().cloth, other = cloths[cloths.size() / 2].cloth;
  return [&solver = simulation.solver(), first, other]() mutable {
    other.remove().check();
    update_without_time(solver);
    other = first.clone().value();
    update_without_time(solver);
  };
}

}  // namespace clothc_tool
