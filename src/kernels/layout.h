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
  topology,
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
  access_topology = mask_of(AccessBit::topology),
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

// kernels.def describes these.
enum class Scope : uint8_t { group, solver };
enum class KernelClass : uint8_t { lanes, lanes_wide, scalar, one_per_group };

// What a group needs programs to hold. There is a variant of programs for each set of features beside the plain one.
enum class ProgramFeature : uint8_t { plain, none };

enum class Kernel : uint32_t {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, reads, writes) name,
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
  count
};

struct KernelInfo {
  const char* name;
  Scope scope;
  KernelClass class_of_items;
  ProgramFeature program;
  uint32_t reads;
  uint32_t writes;
};

constexpr KernelInfo kernel_infos[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, reads, writes) \
  {#name, Scope::scope, KernelClass::class_of_items, ProgramFeature::program, reads, writes},
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
};

constexpr const KernelInfo& info_of(Kernel kernel) { return kernel_infos[static_cast<uint32_t>(kernel)]; }

// Whether kernels of this class are scalar code, which a SIMD backend runs one item at a time.
constexpr bool is_scalar(KernelClass of) { return of == KernelClass::scalar || of == KernelClass::one_per_group; }

// Whether jobs of this kernel are skipped where the predicate of their group is 0.
constexpr bool is_predicated(const KernelInfo& kernel) {
  return kernel.scope == Scope::group && kernel.class_of_items != KernelClass::one_per_group;
}

// All members are 4 bytes wide, so no language pads them and the layout is the same in C++, CUDA and GLSL.
static_assert(alignof(FrameConstants) == 4 && alignof(GroupSettings) == 4 && alignof(GroupState) == 4 &&
                  alignof(GroupStep) == 4 && alignof(GroupFrame) == 4 && alignof(Job) == 4,
              "a member is wider than 4 bytes");

}  // namespace clothc
