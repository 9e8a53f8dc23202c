// particle_channels.h - the per-particle channels that hold state, and where the device has them.
#pragma once

#include <cstdint>

namespace clothc {

// The channels of channels.def, in the order of snapshots. The target of constraints comes directly after their start.
enum StateChannel : uint32_t {
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, access, unset) state_##block,
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
  state_channel_count
};

// The blocks at the begin of the particles arena, which have an element for every particle that the solver can hold.
// Behind them are the elements of optional channels, for the particles of those cloths that have them.
enum ParticleBlock : uint32_t { block_position, block_previous, block_exchange, block_count };
static_assert(uint32_t{block_position} == state_position && uint32_t{block_previous} == state_previous,
              "the channels that every cloth has are the first blocks");

// The element of a particle that was never set: zeros, or for motion and separation constraints a sphere of radius -1.
constexpr uint32_t zeros[4] = {0, 0, 0, 0};
constexpr uint32_t unconstrained[4] = {0, 0, 0, 0xbf800000u};

struct StateChannelInfo {
  const char* name;
  // The element of a particle that was never set; null for channels that every cloth has.
  const uint32_t* unset;
  bool is_optional() const { return unset != nullptr; }
};

constexpr const uint32_t* unset_zeros = zeros;
constexpr const uint32_t* unset_unconstrained = unconstrained;
constexpr const uint32_t* unset_state = nullptr;
constexpr StateChannelInfo state_channels[] = {
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, access, unset) {#name, unset_##unset},
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
};

}  // namespace clothc
