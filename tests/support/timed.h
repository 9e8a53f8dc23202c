// timed.h - updates whose times are measured, and the names of the stages to which the times belong.
#pragma once

#include "support/scene.h"

namespace clothc_test {

inline clothc_timers timers_of(const Scene& scene) {
  clothc_timers timers = initialised<clothc_timers>();
  require(clothc_solver_get_timers(scene.solver, &timers));
  return timers;
}

inline void step_timed(const Scene& scene, float dt = 1.0f / 60) {
  clothc_update update = initialised<clothc_update>();
  update.dt = dt;
  update.flags = CLOTHC_UPDATE_TIMERS;
  require(clothc_solver_update(scene.solver, &update, nullptr));
}

// Runs a timed update and the update with which its times arrive.
inline clothc_timers timed_step(Scene& scene) {
  step_timed(scene);
  require(clothc_solver_wait(scene.solver, UINT64_MAX, CLOTHC_WAIT_FOREVER));
  scene.step();
  return timers_of(scene);
}

// The names of the constants CLOTHC_STAGE_..., by number.
constexpr const char* stage_names[] = {
#define CLOTHC_STAGE(name, constant) #constant,
#include "../src/kernels/stages.def"
#undef CLOTHC_STAGE
};

// Names the stages of a set of bits, as in "BEGIN PHASES ".
inline std::string names_of_stages(uint32_t stages) {
  std::string names;
  for (uint32_t k = 0; k < 32; ++k) {
    if ((stages >> k & 1) != 0) names += k < CLOTHC_STAGE_COUNT ? stage_names[k] + std::string(" ") : "? ";
  }
  return names;
}

}  // namespace clothc_test
