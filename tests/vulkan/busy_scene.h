// busy_scene.h - a scene that makes a backend do everything once: sets and gets with strides, velocities, motion
// constraints, colliders, snapshots, growing arenas, fences, clones, removal and compaction.
#pragma once

#include "vulkan/fixture.h"

namespace clothc_test {

// Plays it on a device; the hash of its end.
uint64_t play_busy_scene(clothc_backend backend, clothc_schedule schedule);

}  // namespace clothc_test
