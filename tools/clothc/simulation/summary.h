// summary.h - measures the final state of a simulation: stretch, energy, contacts, faults, the state hash, and
// intersections.
#pragma once

#include <cstdint>
#include <vector>

#include "scene/simulation.h"
#include "simulation/contacts.h"

namespace clothc_tool {

struct ClothSummary {
  // Largest length / rest length - 1 of all stretch constraints that have at least one free particle.
  double max_stretch = 0;

  // In J, of the free particles' motion within the cloth's frame.
  double kinetic_energy = 0;

  // Number of iterations of the last update.
  uint32_t iteration_count = 0;

  // Number of particles that the solver had to restore, plus those that are not finite now.
  uint32_t non_finite_count = 0;
};

struct SimulationSummary {
  std::vector<ClothSummary> cloths;
  double max_stretch = 0;
  double kinetic_energy = 0;
  ContactSummary contacts;
  bool finite = true;
  uint64_t hash = 0;
};

// Measures the current state; waits for everything queued.
SimulationSummary summarise(const SceneSimulation& simulation);
// Returns for each cloth the number of places where one of its edges goes through one of its triangles. Counting takes
// memory on the device, so benchmarks leave it out.
std::vector<uint64_t> count_intersections(const SceneSimulation& simulation);

}  // namespace clothc_tool
