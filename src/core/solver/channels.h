// channels.h - what the channels are, and the checks of a set or get.
#pragma once

#include <memory>
#include <vector>

#include "core/objects/buffer.h"
#include "kernels/layout.h"

namespace clothc {

// What a channel has elements of.
enum class ChannelOwner : uint8_t { particle, cloth, solver };

struct ChannelInfo {
  clothc_channel channel;
  const char* name;
  clothc_format format;  // native
  uint32_t element_size;
  bool accepts_float3;
  bool settable;
  ChannelOwner owner;
  clothc_struct_kind record = 0;  // of RECORD channels
};

// The kernel by which programs read a per-particle channel.
Kernel read_channel_kernel(clothc_channel channel);  // transfer.cpp

// Null if unknown.
const ChannelInfo* find_channel(clothc_channel channel);

// A checked set or get.
struct Transfer {
  const ChannelInfo* channel;
  std::shared_ptr<Buffer> buffer;
  clothc_format format;                // of the buffer's elements
  uint64_t byte_offset;                // of element 0 in the buffer
  uint32_t stride;                     // in the buffer
  std::vector<clothc_region> regions;  // buffer and channel offsets as source and target of the direction
  uint32_t flags;
  uint32_t element_size;  // bytes of each element that are copied: of a record, the largest released size that fits
  uint64_t buffer_count;  // elements that the buffer has
};

// Checks all but the regions.
Transfer check_layout(bool is_set, clothc_channel channel, std::shared_ptr<Buffer> buffer, const clothc_view* view,
                      uint32_t flags);

// Checks a set (or get) as a caller gave it. channel_count: elements of the channel.
Transfer check_transfer(bool is_set, clothc_channel channel, uint64_t channel_count, std::shared_ptr<Buffer> buffer,
                        const clothc_view* view, const clothc_region* regions, uint32_t region_count, uint32_t flags);

}  // namespace clothc
