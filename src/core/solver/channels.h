// channels.h - the table of channels, and the checks of the arguments of a set or get.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/cloth/particle_channels.h"
#include "core/objects/buffer.h"
#include "kernels/layout.h"

namespace clothc {

// Whether a channel has one element per particle, one per cloth, or elements of the solver as a whole.
enum class ChannelOwner : uint8_t { particle, cloth, solver };

struct ChannelInfo {
  clothc_channel channel;
  const char* name;
  // The native format, and the size of an element in it, in bytes.
  clothc_format format;
  uint32_t element_size;
  bool accepts_float3;
  bool settable;
  ChannelOwner owner;
  // The struct that a channel of format RECORD holds.
  clothc_struct_kind record = 0;
  // Of per-particle channels: the kernels that read the channel into the exchange block, and that write it from there.
  Kernel read = Kernel::count;
  Kernel write = Kernel::count;
  // The channel's number among those that hold state, or state_channel_count.
  StateChannel state = state_channel_count;
};

// Returns null if there is no such channel.
const ChannelInfo* find_channel(clothc_channel channel);

// Whether clothc_cloth_clear takes this channel, with which its whole group ends.
bool is_clearable(StateChannel channel);
// Returns the names of all these channels for messages.
std::string clearable_channels();

// The checked arguments of a set or get.
struct Transfer {
  const ChannelInfo* channel;
  std::shared_ptr<Buffer> buffer;

  // Format of the buffer's elements, position of element 0 in the buffer, and distance between elements, in bytes.
  clothc_format format;
  uint64_t byte_offset;
  uint32_t stride;

  // For a set, source offsets count elements of the buffer and target offsets elements of the channel. For a get it is
  // the other way round.
  std::vector<clothc_region> regions;
  uint32_t flags;
  // CLOTHC_VIEW_...
  uint32_t view_flags;

  // Number of bytes that are copied of each element. For a record, this is the largest size of any release that fits
  // into the stride.
  uint32_t element_size;
  // Number of elements in the buffer.
  uint64_t buffer_count;
};

// Whether clothc_solver_get accepts the channel.
bool is_gettable(const ChannelInfo& channel);

// Checks all arguments of a set, a get or a binding except the regions. Throws Failure if one is invalid.
Transfer check_layout(bool is_set, clothc_channel channel, std::shared_ptr<Buffer> buffer, const clothc_view* view,
                      uint32_t flags, bool is_binding = false);

// Checks all arguments of a set or get as a caller passed them. Throws Failure if one is invalid.
// channel_count: the number of elements of the channel.
Transfer check_transfer(bool is_set, clothc_channel channel, uint64_t channel_count, std::shared_ptr<Buffer> buffer,
                        const clothc_view* view, const clothc_region* regions, uint32_t region_count, uint32_t flags);

}  // namespace clothc
