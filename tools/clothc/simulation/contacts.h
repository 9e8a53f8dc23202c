// contacts.h - measures how close particles come to each other that should keep a distance.
#pragma once

#include <cstdint>

#include "scene/simulation.h"

namespace clothc_tool {

// Pairs of particles of cloths that collide with themselves or with each other. Every pair has a distance to keep.
struct ContactSummary {
  // Whether any cloth collides with cloth at all.
  bool any_cloth = false;

  // Pairs closer than 0.999 of their distance.
  uint64_t contact_count = 0;

  // Pairs closer than half of their distance.
  uint64_t close = 0;

  // Smallest separation of all pairs as a part of their distance; 1 if no pair is closer than its distance.
  double nearest = 1;
};

// Measures the current state; waits for everything queued.
ContactSummary contacts_of(const SceneSimulation& simulation);

}  // namespace clothc_tool
