// layout.h - the C++ view of what kernels share: types.h in namespace clothc, the list of kernels, and the data that
// each kernel reads and writes.
#pragma once

#include <cstdint>

namespace clothc {

using uint = uint32_t;
#include "kernels/types.h"

// Data that kernels access, as bits.
enum class AccessBit : uint32_t {
  settings,
  state,
  step,
  tables,
  fabric,
  position,
  previous,
  exchange,
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) group,
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL_GROUP
  count
};
constexpr uint32_t mask_of(AccessBit bit) { return 1u << static_cast<uint32_t>(bit); }
enum Access : uint32_t {
  access_settings = mask_of(AccessBit::settings),
  access_state = mask_of(AccessBit::state),
  access_step = mask_of(AccessBit::step),
  access_tables = mask_of(AccessBit::tables),
  access_fabric = mask_of(AccessBit::fabric),
  access_position = mask_of(AccessBit::position),
  access_previous = mask_of(AccessBit::previous),
  access_exchange = mask_of(AccessBit::exchange),
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) access_##group = mask_of(AccessBit::group),
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL_GROUP
  // All optional channels.
  access_optional = 0
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) | access_##group
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL_GROUP
};

// The kind of items that a kernel runs over; kernels.def describes each domain.
enum class Domain : uint8_t {
  particle,
  constraint,
  tether,
  triangle,
  triplet,
  vertex,
  triangle_bvh,
  collision_particle,
  box,
  lane,
  shape,
  cloth,
  collision_cloth
};

// Whether jobs of this domain run even for cloths whose iterations have ended.
constexpr bool runs_always(Domain domain) { return domain == Domain::cloth || domain == Domain::collision_cloth; }

// Whether kernels of this domain are scalar code, which a SIMD backend runs one item at a time.
constexpr bool is_scalar(Domain domain) { return domain == Domain::shape || runs_always(domain); }

enum class Kernel : uint32_t {
#define CLOTHC_KERNEL(name, domain, reads, writes) name,
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
  count
};

struct KernelInfo {
  const char* name;
  Domain domain;
  uint32_t reads;
  uint32_t writes;
};

constexpr KernelInfo kernel_infos[] = {
#define CLOTHC_KERNEL(name, domain, reads, writes) {#name, Domain::domain, reads, writes},
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
};

constexpr const KernelInfo& info_of(Kernel kernel) { return kernel_infos[static_cast<uint32_t>(kernel)]; }

// All members are 4 bytes wide, so no language pads them and the layout is the same in C++, CUDA and GLSL.
static_assert(alignof(FrameConstants) == 4 && alignof(ClothSettings) == 4 && alignof(ClothState) == 4 &&
                  alignof(ClothStep) == 4 && alignof(ClothFrame) == 4 && alignof(Job) == 4,
              "a member is wider than 4 bytes");

}  // namespace clothc
