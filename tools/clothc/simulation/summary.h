// summary.h - what a simulation has come to: stretch, energy, contacts, faults and the state hash.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/simulation.h"
#include "simulation/contacts.h"

namespace clothc_tool {

struct ClothSummary {
  double max_stretch = 0;         // largest length / rest - 1 of the stretch constraints that have a free particle
  double kinetic_energy = 0;      // J, of the free particles' motion in the cloth's frame
  uint32_t iteration_count = 0;   // of the last update
  uint32_t non_finite_count = 0;  // particles that the solver had to restore, or that are not finite now
};

struct SimulationSummary {
  std::vector<ClothSummary> cloths;
  double max_stretch = 0;
  double kinetic_energy = 0;
  ContactSummary contacts;
  bool finite = true;
  uint64_t hash = 0;
};

// Waits for everything queued.
SimulationSummary summarise(const SceneSimulation& simulation);

}  // namespace clothc_tool
