// observation.h - everything that can be read of a world, for comparison with other worlds.
#pragma once

#include "parity/lockstep/world.h"

namespace lockstep {

// All channels that the library has.
std::vector<clothc_channel_info> list_channels(clothc_solver solver);

// Records all that the world tells of itself: hash, snapshot, what the solver and its cloths are, all channels, contacts,
// debug lines and bound buffers.
void observe(const World& world, Log& log);

// Sets the members of a struct to 0 that may differ between worlds in the same state.
void mask(clothc_solver_info& info);

}  // namespace lockstep
