// layout.h - the C++ view of what kernels share: types.h in namespace clothc, the list of kernels, and the data that
// each kernel reads and writes.
#pragma once

#include <cstdint>

#include "platform/compiler.h"

namespace clothc {

using uint = uint32_t;
#include "kernels/types.h"

// Data that kernels access, each with a bit of its own. Tables have a bit for each kind of content:
//   constraints          constraint records
//   colliders            collider sets and assets, and the BVHs over their triangles
//   shapes               the shapes of a cloth as they are in an iteration
//   caches               caches of nearest triangles
//   impulses             wind impulses
//   levels               the nodes of coarse levels
//   lattice              positions in the slots of lattices
//   crowd                what cloths have that are solved together, and the slots of their particles
//   collision_particles  the particles that collide with cloth, and the BVHs over them
//   primitives           the edges and triangles of a cloth in BVHs, and their intersections
//   cloth_bvh            the BVH over the cloths that collide with each other
//   saved_positions      positions as they were when an update began
//   reports              what is saved for contact reports, and the contacts
//   active_flags         which particles of a group are to be active
//   scratch              parts of reductions
#define CLOTHC_ACCESS_TABLES(entry)                                                                                    \
  entry(constraints) entry(colliders) entry(shapes) entry(caches) entry(impulses) entry(levels) entry(lattice)         \
      entry(crowd) entry(collision_particles) entry(primitives) entry(cloth_bvh) entry(saved_positions) entry(reports) \
          entry(active_flags) entry(scratch)
#define CLOTHC_ACCESS_PARTICLES(entry) entry(position) entry(previous) entry(exchange)
#define CLOTHC_ACCESS_ALL(entry) \
  entry(settings) entry(state) entry(step) entry(topology) CLOTHC_ACCESS_TABLES(entry) CLOTHC_ACCESS_PARTICLES(entry)
enum class AccessBit : uint32_t {
#define CLOTHC_ACCESS_ENTRY(name) name,
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) group,
  CLOTHC_ACCESS_ALL(CLOTHC_ACCESS_ENTRY)
#include "kernels/channels.def"
#undef CLOTHC_ACCESS_ENTRY
#undef CLOTHC_CHANNEL_GROUP
      count
};
static_assert(static_cast<uint32_t>(AccessBit::count) <= 32, "a set of them is a word");
constexpr uint32_t mask_of(AccessBit bit) { return 1u << static_cast<uint32_t>(bit); }
enum Access : uint32_t {
#define CLOTHC_ACCESS_ENTRY(name) access_##name = mask_of(AccessBit::name),
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) access_##group = mask_of(AccessBit::group),
  CLOTHC_ACCESS_ALL(CLOTHC_ACCESS_ENTRY)
#include "kernels/channels.def"
#undef CLOTHC_ACCESS_ENTRY
#undef CLOTHC_CHANNEL_GROUP
  // All optional channels.
  access_optional = 0
#define CLOTHC_CHANNEL_GROUP(group, input, lifetime) | access_##group
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL_GROUP
};

// kernels.def describes these.
enum class Scope : uint8_t { group, solver };
enum class KernelClass : uint8_t { lanes, variants, constraints, constraints_wide, scalar, one_per_group };

// On devices where programs are compiled there are several, because a program is compiled slower and runs slower the
// more kernels it holds. Each holds the kernels of those before it too. plain: forces and the usual constraints.
// extended: also shapes that are found quickly, and constraints of more particles. none: kernels that are too large for
// programs, so that groups which need them run in passes.
enum class ProgramFeature : uint8_t { plain, extended, none };

enum class Stage : uint8_t {
#define CLOTHC_STAGE(name, constant) name,
#include "kernels/stages.def"
#undef CLOTHC_STAGE
  count,
  none
};

enum class Kernel : uint32_t {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) name,
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
  count
};

struct KernelInfo {
  const char* name;
  Scope scope;
  KernelClass class_of_items;
  ProgramFeature program;
  Stage stage;
  uint32_t reads;
  uint32_t writes;
};

constexpr KernelInfo kernel_infos[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) \
  {#name, Scope::scope, KernelClass::class_of_items, ProgramFeature::program, Stage::stage, reads, writes},
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
};

constexpr const KernelInfo& info_of(Kernel kernel) { return kernel_infos[static_cast<uint32_t>(kernel)]; }

// Whether kernels of this class are scalar code, which a SIMD backend runs one item at a time.
constexpr bool is_scalar(KernelClass of) { return of == KernelClass::scalar || of == KernelClass::one_per_group; }

// Whether the items of kernels of this class are constraints, whose record is the job's argument.
constexpr bool is_over_constraints(KernelClass of) {
  return of == KernelClass::constraints || of == KernelClass::constraints_wide;
}

// Whether jobs of this kernel are skipped where the predicate of their group is 0.
constexpr bool is_predicated(const KernelInfo& kernel) {
  return kernel.scope == Scope::group && kernel.class_of_items != KernelClass::one_per_group;
}

// Whether launches of a kernel run the jobs of another one too (riders.def).
constexpr bool rides(Kernel rider, Kernel with) {
  bool found = false;
#define CLOTHC_RIDER(first, second)                                                                              \
  static_assert(static_cast<uint32_t>(Kernel::first) + 1 == static_cast<uint32_t>(Kernel::second) &&             \
                    info_of(Kernel::first).scope == info_of(Kernel::second).scope &&                             \
                    info_of(Kernel::first).class_of_items == info_of(Kernel::second).class_of_items,             \
                "a rider stands directly before its kernel in kernels.def, and is of the same scope and class"); \
  found = found || (rider == Kernel::first && with == Kernel::second);
#include "kernels/riders.def"
#undef CLOTHC_RIDER
  return found;
}

// All members are 4 bytes wide, so no language pads them and the layout is the same in C++, CUDA and GLSL.
static_assert(alignof(FrameConstants) == 4 && alignof(GroupSettings) == 4 && alignof(GroupState) == 4 &&
                  alignof(GroupStep) == 4 && alignof(GroupFrame) == 4 && alignof(Job) == 4,
              "a member is wider than 4 bytes");

}  // namespace clothc
