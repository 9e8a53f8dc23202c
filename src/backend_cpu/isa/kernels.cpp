// kernels.cpp - all kernels for one instruction set. This file is compiled once per CLOTHC_ISA with that set's flags,
// into a namespace of its own. No inline function of the standard library may be compiled here: the linker could keep
// this copy of it for the whole library, which would then fail on machines without the instruction set.
#include <stddef.h>
#include <stdint.h>

#include "backend_cpu/isa/arch.h"
#include "backend_cpu/isa/kernel_table.h"

#if CLOTHC_ISA_NUMBER != 0
#define CLOTHC_LANE_KERNELS_ONLY
#endif

namespace clothc::cpu::CLOTHC_ISA {

#if CLOTHC_ISA_NUMBER == 0
#include "backend_cpu/isa/scalar.h"
#include "kernels/dialect/cpp.h"
#include "backend_cpu/isa/scalar_rows.h"
#else
#include "backend_cpu/isa/simd.h"
#include "kernels/dialect/cpp.h"
#include "backend_cpu/isa/simd_rows.h"
#endif

// Adds the number of lanes where the condition fails to a counter. An integer sum does not depend on the order.
LANE_FUNCTION void count_unless(mask condition, uint32_t* counter) {
  if (!any(mask_not(condition))) return;
  __atomic_fetch_add(counter, static_cast<uint32_t>(lanes_without(condition)), __ATOMIC_RELAXED);
}

#include "kernels/kernels.h"

#if CLOTHC_ISA_NUMBER == 3
#define CLOTHC_WIDTHS
namespace twice {
#include "backend_cpu/isa/simd_twice.h"
}
namespace half {
#include "backend_cpu/isa/simd_half.h"
}
#endif

LANE_FUNCTION Lane lane_for(const KernelContext& context, const Job& job) {
  const ClothRecord& cloth = context.cloths[job.cloth];
  return {context.particles, context.fabric, context.tables, context.cloths, context.frame, job,
          cloth.settings,    cloth.step};
}

// Runs a kernel over the batches that cover the items of a job. Ranges are padded, so the last batch may extend beyond
// the last item.
#define CLOTHC_RUN_LANES(name)                                           \
  static void run_##name(const KernelContext& context, const Job& job) { \
    const Lane lane = lane_for(context, job);                            \
    const int end = static_cast<int>(job.end);                           \
    const int begin = static_cast<int>(job.begin) & ~15;                 \
    for (int i = begin; i < end; i += lane_count) name(lane, i);         \
  }
// Does the same, but with two batches at a time where there are enough of them, and with half a batch for a remainder
// that fits into it.
#ifdef CLOTHC_WIDTHS
#define CLOTHC_RUN_WIDTHS(name)                                                  \
  static void run_##name(const KernelContext& context, const Job& job) {         \
    const Lane lane = lane_for(context, job);                                    \
    const int end = static_cast<int>(job.end);                                   \
    int i = static_cast<int>(job.begin) & ~15;                                   \
    if (end - i > 4 * twice::lane_count) {                                       \
      for (; i + lane_count < end; i += twice::lane_count) twice::name(lane, i); \
    }                                                                            \
    for (; i + half::lane_count < end; i += lane_count) name(lane, i);           \
    if (i < end) half::name(lane, i);                                            \
  }
#else
#define CLOTHC_RUN_WIDTHS(name) CLOTHC_RUN_LANES(name)
#endif
#define CLOTHC_RUN_CLOTHS(name)                                                     \
  static void run_##name(const KernelContext& context, const Job& job) {            \
    const Lane lane = lane_for(context, job);                                       \
    for (uint32_t i = job.begin; i < job.end; ++i) name(lane, static_cast<int>(i)); \
  }
#define CLOTHC_RUN_particle(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_RUN_constraint(name) CLOTHC_RUN_WIDTHS(name)
#define CLOTHC_RUN_tether(name) CLOTHC_RUN_WIDTHS(name)
#define CLOTHC_RUN_triangle(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_RUN_triplet(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_RUN_vertex(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_RUN_triangle_bvh(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_RUN_collision_particle(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_RUN_box(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_RUN_lane(name) CLOTHC_RUN_LANES(name)
#define CLOTHC_ENTRY_particle(name) run_##name
#define CLOTHC_ENTRY_constraint(name) run_##name
#define CLOTHC_ENTRY_tether(name) run_##name
#define CLOTHC_ENTRY_triangle(name) run_##name
#define CLOTHC_ENTRY_triplet(name) run_##name
#define CLOTHC_ENTRY_vertex(name) run_##name
#define CLOTHC_ENTRY_triangle_bvh(name) run_##name
#define CLOTHC_ENTRY_collision_particle(name) run_##name
#define CLOTHC_ENTRY_box(name) run_##name
#define CLOTHC_ENTRY_lane(name) run_##name
#if CLOTHC_ISA_NUMBER == 0
#define CLOTHC_RUN_cloth(name) CLOTHC_RUN_CLOTHS(name)
#define CLOTHC_ENTRY_cloth(name) run_##name
#define CLOTHC_RUN_shape(name) CLOTHC_RUN_CLOTHS(name)
#define CLOTHC_ENTRY_shape(name) run_##name
#define CLOTHC_RUN_collision_cloth(name) CLOTHC_RUN_CLOTHS(name)
#define CLOTHC_ENTRY_collision_cloth(name) run_##name
#else
#define CLOTHC_RUN_cloth(name)
#define CLOTHC_ENTRY_cloth(name) nullptr
#define CLOTHC_RUN_shape(name)
#define CLOTHC_ENTRY_shape(name) nullptr
#define CLOTHC_RUN_collision_cloth(name)
#define CLOTHC_ENTRY_collision_cloth(name) nullptr
#endif

#define CLOTHC_KERNEL(name, domain, reads, writes) CLOTHC_RUN_##domain(name)
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL

// The functions of the table, in the order of kernels.def.
constexpr KernelFunction table_functions[] = {
#define CLOTHC_KERNEL(name, domain, reads, writes) CLOTHC_ENTRY_##domain(name),
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
};

}  // namespace clothc::cpu::CLOTHC_ISA

namespace clothc::cpu {

const KernelTable CLOTHC_JOIN(CLOTHC_ISA, _kernels) = {CLOTHC_NAME(CLOTHC_ISA), CLOTHC_ISA::lane_count,
                                                       CLOTHC_ISA::table_functions};

}  // namespace clothc::cpu
