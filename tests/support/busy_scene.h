// busy_scene.h - a scene that makes a backend perform every operation at least once: sets and gets with strides,
// velocities, motion constraints, colliders, snapshots, growing arenas, fences, clones, removal and compaction.
#pragma once

#include "support/scene.h"

namespace clothc_test {

// Runs the scene on a device and returns the final state hash. given: the device, or null for one of that backend.
uint64_t play_busy_scene(clothc_backend backend, clothc_schedule schedule, clothc_device given = nullptr);

}  // namespace clothc_test
