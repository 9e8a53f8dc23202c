// contacts.h - how near particles of cloth come to each other that are to keep a distance.
#pragma once

#include <cstdint>

#include "scene/simulation.h"

namespace clothc_tool {

// Pairs of particles of cloths that collide with themselves or with each other, each with its distance.
struct ContactSummary {
  bool any_cloth = false;  // collides with cloth at all
  uint64_t touching = 0;   // pairs nearer than their distance, to a thousandth
  uint64_t close = 0;      // pairs nearer than half of it
  double nearest = 1;      // of all pairs, as a part of their distance; 1 = none touches
};

// Waits for everything queued.
ContactSummary contacts_of(const SceneSimulation& simulation);

}  // namespace clothc_tool
