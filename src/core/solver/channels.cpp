// channels.cpp - the table of channels, and the checks of formats, views and regions.
#include "core/solver/channels.h"

#include <algorithm>

#include "core/base/formats.h"
#include "core/base/structs.h"

namespace clothc {
namespace {

using ull = unsigned long long;

using Owner = ChannelOwner;

// What channels.def says of the format: the native format, its size, and whether FLOAT3 is accepted too.
#define CLOTHC_FORMAT_vector CLOTHC_FORMAT_FLOAT4, 16, true
#define CLOTHC_FORMAT_sphere CLOTHC_FORMAT_FLOAT4, 16, false
#define CLOTHC_FORMAT_word CLOTHC_FORMAT_UINT, 4, false

constexpr ChannelInfo all_channels[] = {
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) \
  {CLOTHC_CHANNEL_##channel,                                                              \
   #name,                                                                                 \
   CLOTHC_FORMAT_##format,                                                                \
   true,                                                                                  \
   Owner::particle,                                                                       \
   0,                                                                                     \
   Kernel::read_channel_##block,                                                          \
   Kernel::write_channel_##block,                                                         \
   state_##block},
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_FORMAT_vector
#undef CLOTHC_FORMAT_sphere
#undef CLOTHC_FORMAT_word
    {CLOTHC_CHANNEL_NORMAL, "normal", CLOTHC_FORMAT_FLOAT4, 16, true, false, Owner::particle, 0,
     Kernel::read_channel_normal},
    {CLOTHC_CHANNEL_TANGENT, "tangent", CLOTHC_FORMAT_FLOAT4, 16, true, false, Owner::particle, 0,
     Kernel::read_channel_tangent},
    {CLOTHC_CHANNEL_INTERSECTION_COUNT, "intersection_count", CLOTHC_FORMAT_UINT, 4, false, false, Owner::particle, 0,
     Kernel::read_channel_intersections},
    {CLOTHC_CHANNEL_START_POSITION, "start_position", CLOTHC_FORMAT_FLOAT4, 16, true, false, Owner::particle, 0,
     Kernel::read_channel_position},
    {CLOTHC_CHANNEL_CLOTH_PARAMETERS, "cloth_parameters", CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_parameters), false,
     true, Owner::cloth, CLOTHC_STRUCT_CLOTH_PARAMETERS},
    {CLOTHC_CHANNEL_CLOTH_STATUS, "cloth_status", CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_status), false, false,
     Owner::cloth, CLOTHC_STRUCT_CLOTH_STATUS},
    {CLOTHC_CHANNEL_CLOTH_FRAME, "cloth_frame", CLOTHC_FORMAT_RECORD, sizeof(clothc_cloth_frame), false, true,
     Owner::cloth, CLOTHC_STRUCT_CLOTH_FRAME},
    {CLOTHC_CHANNEL_CONTACT, "contact", CLOTHC_FORMAT_RECORD, sizeof(clothc_contact), false, false, Owner::solver,
     CLOTHC_STRUCT_CONTACT},
    {CLOTHC_CHANNEL_CONTACT_COUNT, "contact_count", CLOTHC_FORMAT_UINT, 4, false, false, Owner::solver},
};

const char* name_of_format(clothc_format format) {
  constexpr const char* names[] = {"?", "FLOAT", "FLOAT3", "FLOAT4", "UINT", "RECORD"};
  return format <= CLOTHC_FORMAT_RECORD ? names[format] : "unknown";
}

void check_format(const ChannelInfo& channel, const Transfer& transfer, bool has_view) {
  const bool fits =
      transfer.format == channel.format || (channel.accepts_float3 && transfer.format == CLOTHC_FORMAT_FLOAT3);
  CLOTHC_REQUIRE(fits, "channel %s wants format %s%s; the %s has %s%s", channel.name, name_of_format(channel.format),
                 channel.accepts_float3 ? " or FLOAT3" : "", has_view ? "view" : "buffer",
                 name_of_format(transfer.format),
                 transfer.format == CLOTHC_FORMAT_RECORD && !has_view ? "; pass a view to pick a part of it" : "");
  if (channel.format != CLOTHC_FORMAT_RECORD) return;
  CLOTHC_REQUIRE(released_size(channel.record, transfer.stride) != 0,
                 "channel %s has records of %u bytes; the buffer's stride is %u", channel.name, channel.element_size,
                 transfer.stride);
}

void check_view(const clothc_view& view, const Buffer& buffer) {
  CLOTHC_REQUIRE(view.format >= CLOTHC_FORMAT_FLOAT && view.format <= CLOTHC_FORMAT_RECORD,
                 "view.format is %u; want one of CLOTHC_FORMAT_...", view.format);
  CLOTHC_REQUIRE(view.byte_offset % 4 == 0 && view.byte_offset < buffer.size(),
                 "view.byte_offset is %llu; want a multiple of 4 below the buffer's size %llu",
                 static_cast<ull>(view.byte_offset), static_cast<ull>(buffer.size()));
  CLOTHC_REQUIRE(view.stride % 4 == 0 && view.stride <= 4096, "view.stride is %u; want a multiple of 4, at most 4096",
                 view.stride);
}

}  // namespace

const ChannelInfo* find_channel(clothc_channel channel) {
  const auto found = std::find_if(std::begin(all_channels), std::end(all_channels),
                                  [&](const ChannelInfo& c) { return c.channel == channel; });
  return found != std::end(all_channels) ? found : nullptr;
}

bool is_clearable(StateChannel channel) {
  if (channel == state_channel_count || !state_channels[channel].is_optional()) return false;
  const ChannelGroup group = state_channels[channel].group;
  return channel == last_of(group) && channel_groups[group].lifetime != Lifetime::consumed;
}

std::string clearable_channels() {
  std::string names;
  for (uint32_t k = 0; k < state_channel_count; ++k) {
    if (is_clearable(StateChannel{k})) names += (names.empty() ? "" : ", ") + std::string(state_channels[k].constant);
  }
  return names;
}

bool is_gettable(const ChannelInfo& channel) { return channel.channel != CLOTHC_CHANNEL_START_POSITION; }

Transfer check_layout(bool is_set, clothc_channel channel, std::shared_ptr<Buffer> buffer, const clothc_view* view,
                      uint32_t flags, bool is_binding) {
  const uint32_t allowed_view_flags = is_binding ? uint32_t{CLOTHC_VIEW_WORLD} : 0u;
  Transfer transfer{};
  transfer.channel = find_channel(channel);
  CLOTHC_REQUIRE(transfer.channel != nullptr, "channel %u is unknown; want one of CLOTHC_CHANNEL_...", channel);
  const ChannelInfo& info = *transfer.channel;
  CLOTHC_REQUIRE(is_gettable(info) || is_binding, "channel %s can neither be set nor got; clothc_cloth_bind binds it",
                 info.name);
  CLOTHC_REQUIRE(!is_set || info.settable, "channel %s can be got, not set", info.name);
  const uint32_t allowed = is_set && channel == CLOTHC_CHANNEL_POSITION ? uint32_t{CLOTHC_SET_AT_REST} : 0u;
  CLOTHC_REQUIRE((flags & ~allowed) == 0, "flags are 0x%x; a %s of channel %s takes 0x%x at most", flags,
                 is_set ? "set" : "get", info.name, allowed);
  transfer.format = buffer->desc().format;
  transfer.stride = buffer->desc().stride;
  if (view != nullptr) {
    const clothc_view v = adopt(view);
    check_view(v, *buffer);
    CLOTHC_REQUIRE((v.flags & ~allowed_view_flags) == 0, "view.flags is 0x%x; want 0x%x at most here", v.flags,
                   allowed_view_flags);
    transfer.view_flags = v.flags;
    transfer.format = v.format;
    transfer.byte_offset = v.byte_offset;
    if (v.stride != 0) transfer.stride = v.stride;
  }
  check_format(info, transfer, view != nullptr);

  const uint32_t size = info.format == CLOTHC_FORMAT_RECORD
                            ? static_cast<uint32_t>(released_size(info.record, transfer.stride))
                            : size_of_format(transfer.format);
  transfer.element_size = size;
  const uint64_t available = buffer->size() - transfer.byte_offset;
  CLOTHC_REQUIRE(transfer.stride >= size || view != nullptr, "stride %u is below the element's %u bytes",
                 transfer.stride, size);
  CLOTHC_REQUIRE(transfer.stride >= size, "view.stride is %u; an element of %s has %u bytes", transfer.stride,
                 name_of_format(transfer.format), size);
  transfer.buffer_count = available < size ? 0 : (available - size) / transfer.stride + 1;
  transfer.buffer = std::move(buffer);
  transfer.flags = flags;
  return transfer;
}

Transfer check_transfer(bool is_set, clothc_channel channel, uint64_t channel_count, std::shared_ptr<Buffer> buffer,
                        const clothc_view* view, const clothc_region* regions, uint32_t region_count, uint32_t flags) {
  Transfer transfer = check_layout(is_set, channel, std::move(buffer), view, flags);
  const ChannelInfo& info = *transfer.channel;
  const uint64_t buffer_count = transfer.buffer_count;
  CLOTHC_REQUIRE(region_count == 0 || regions != nullptr, "regions is null, but region_count is %u", region_count);
  if (region_count == 0) {
    CLOTHC_REQUIRE(buffer_count <= channel_count,
                   "the buffer has %llu elements, channel %s only %llu; pass regions to copy a part",
                   static_cast<ull>(buffer_count), info.name, static_cast<ull>(channel_count));
    transfer.regions.push_back({0, 0, static_cast<uint32_t>(buffer_count)});
  } else {
    transfer.regions.assign(regions, regions + region_count);
  }
  for (size_t k = 0; k < transfer.regions.size(); ++k) {
    const clothc_region& region = transfer.regions[k];
    const uint64_t buffer_end = uint64_t{is_set ? region.source_offset : region.target_offset} + region.count;
    const uint64_t channel_end = uint64_t{is_set ? region.target_offset : region.source_offset} + region.count;
    CLOTHC_REQUIRE(buffer_end <= buffer_count, "region %zu ends at element %llu of the buffer, which has %llu", k,
                   static_cast<ull>(buffer_end), static_cast<ull>(buffer_count));
    CLOTHC_REQUIRE(channel_end <= channel_count, "region %zu ends at element %llu of channel %s, which has %llu", k,
                   static_cast<ull>(channel_end), info.name, static_cast<ull>(channel_count));
  }
  return transfer;
}

}  // namespace clothc
