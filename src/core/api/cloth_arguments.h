// cloth_arguments.h - reads and checks arrays that callers pass with cloths and groups. Throws Failure where a value is
// invalid.
#pragma once

#include "core/solver/solver.h"

namespace clothc {

std::vector<clothc_phase_config> read_configs(const clothc_phase_config* configs, uint32_t count,
                                              const FabricLayout& fabric);
// Returns one config with default values for every phase of the fabric, in order.
std::vector<clothc_phase_config> default_configs(const FabricLayout& fabric);
std::vector<clothc_collider_set_id> read_collider_sets(const Solver& solver, const clothc_collider_set_id* sets,
                                                       uint32_t count);
// Returns the particles sorted, after checking that they exist and differ. owner: what has the particles, for messages.
std::vector<uint32_t> sorted_particles(std::vector<uint32_t> particles, uint32_t particle_count, const char* owner);
// positions: [count][4] coordinates and inverse mass.
void check_particles(const float* positions, uint32_t count);
// Returns the caller's positions or, if there are none, those of the fabric. Scaled positions of the fabric are stored
// in own, to which the result then points. what: the argument, for messages.
const float* checked_positions(const FabricLayout& layout, const float* positions, const char* what, float scale,
                               std::vector<float>& own);

}  // namespace clothc
