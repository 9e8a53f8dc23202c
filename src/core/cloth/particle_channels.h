// particle_channels.h - the per-particle channels that hold state, which of them a cloth has, and where the device has
// them.
#pragma once

#include <cstdint>

namespace clothc {

// Optional channels that a cloth has together or not at all.
enum ChannelGroup : uint32_t {
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) group_##group,
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL_GROUP
  channel_group_count
};
// Stands for the group of a channel that every cloth has.
constexpr ChannelGroup no_group = channel_group_count;

// channels.def describes these.
enum class Lifetime : uint8_t { kept, moving, consumed };

// A cloth has a word of bits about its groups, which snapshots contain.
struct ChannelGroupInfo {
  uint32_t input;
  Lifetime lifetime;
  // Whether the cloth has the group.
  constexpr uint32_t present() const { return 1u << input; }
  // Of a moving group: whether it was set since the last update, and whether the last update moved it.
  constexpr uint32_t set() const { return lifetime == Lifetime::moving ? 2u << input : 0; }
  constexpr uint32_t moving() const { return lifetime == Lifetime::moving ? 4u << input : 0; }
  constexpr uint32_t all() const { return present() | set() | moving(); }
  // The bits that tell of values which a single update uses up.
  constexpr uint32_t pending() const { return lifetime == Lifetime::consumed ? present() : set(); }
  // The bits that an update changes.
  constexpr uint32_t passing() const { return lifetime == Lifetime::consumed ? present() : set() | moving(); }
};
constexpr ChannelGroupInfo channel_groups[] = {
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) {input, Lifetime::lifetime},
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL_GROUP
};

constexpr uint32_t inputs_of_all_groups(uint32_t (ChannelGroupInfo::*bits)() const) {
  uint32_t inputs = 0;
  for (const ChannelGroupInfo& group : channel_groups) inputs |= (group.*bits)();
  return inputs;
}
constexpr uint32_t all_inputs = inputs_of_all_groups(&ChannelGroupInfo::all);
// Returns whether inputs tell of a channel that was set or moves only where they tell that the cloth has the channel.
constexpr bool are_consistent_inputs(uint32_t inputs) {
  for (const ChannelGroupInfo& group : channel_groups) {
    if ((inputs & (group.set() | group.moving())) != 0 && (inputs & group.present()) == 0) return false;
  }
  return true;
}
constexpr uint32_t pending_inputs = inputs_of_all_groups(&ChannelGroupInfo::pending);
constexpr uint32_t passing_inputs = inputs_of_all_groups(&ChannelGroupInfo::passing);

// The channels of channels.def, in the order of snapshots.
enum StateChannel : uint32_t {
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) state_##block,
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
  state_channel_count
};

// The element of a particle that was never set: zeros, or for motion and separation constraints a sphere of radius -1.
constexpr uint32_t zeros[4] = {0, 0, 0, 0};
constexpr uint32_t unconstrained[4] = {0, 0, 0, 0xbf800000u};

struct StateChannelInfo {
  const char* name;
  // The name in clothc.h.
  const char* constant;
  ChannelGroup group;
  // The element of an optional channel that was never set.
  const uint32_t* unset;
  constexpr bool is_optional() const { return group != no_group; }
};
constexpr StateChannelInfo state_channels[] = {
#define CLOTHC_GROUP_always(group) no_group
#define CLOTHC_GROUP_optional(group) group_##group
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) \
  {#name, "CLOTHC_CHANNEL_" #channel, CLOTHC_GROUP_##presence(group), unset},
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_GROUP_always
#undef CLOTHC_GROUP_optional
};

// The first and the last channel of a group. Its channels lie next to each other.
constexpr StateChannel first_of(ChannelGroup group) {
  uint32_t channel = 0;
  while (state_channels[channel].group != group) ++channel;
  return StateChannel{channel};
}
constexpr StateChannel last_of(ChannelGroup group) {
  uint32_t channel = first_of(group);
  while (channel + 1 < state_channel_count && state_channels[channel + 1].group == group) ++channel;
  return StateChannel{channel};
}

// The blocks at the beginning of the particles arena, which have an element for every particle that the solver can
// hold. Behind them are the elements of optional channels, for the particles of those cloths that have them.
enum ParticleBlock : uint32_t { block_position, block_previous, block_exchange, block_count };
static_assert(uint32_t{block_position} == state_position && uint32_t{block_previous} == state_previous,
              "the channels that every cloth has are the first blocks");

}  // namespace clothc
