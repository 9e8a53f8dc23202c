// layout.h - the C++ view of what kernels share: types.h in namespace clothc, the list of kernels, and the data that
// each kernel reads and writes.
#pragma once

#include <cstdint>

namespace clothc {

using uint = uint32_t;
#include "kernels/types.h"

// Data that kernels access, as bits.
enum Access : uint32_t {
  access_settings = 1u << 0,
  access_state = 1u << 1,
  access_step = 1u << 2,
  access_tables = 1u << 3,
  access_fabric = 1u << 4,
  access_position = 1u << 5,
  access_previous = 1u << 6,
  access_velocity = 1u << 7,
  access_acceleration = 1u << 8,
  access_motion = 1u << 9,
  access_exchange = 1u << 10,
  access_separation = 1u << 11,
  access_rest = 1u << 12,
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
