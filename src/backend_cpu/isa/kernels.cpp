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
#include "backend_cpu/isa/block_loads.h"

// Adds the number of lanes where the condition fails to a counter. An integer sum does not depend on the order.
LANE_FUNCTION void count_unless(mask condition, uint32_t* counter) {
  if (!any(mask_not(condition))) return;
  platform::add_atomically(counter, static_cast<uint32_t>(lanes_without(condition)));
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

LANE_FUNCTION Lane lane_of(const KernelContext& context, const Job& job, const GroupSettings& settings,
                           const GroupStep& step, const uint32_t* constraint) {
  return {context.particles, context.topology, context.tables, context.records, context.frame, job, settings, step,
          constraint};
}
// Reads settings and step in place.
LANE_FUNCTION Lane lane_in_place(const KernelContext& context, const Job& job, const uint32_t* constraint) {
  const GroupRecord& group = context.records[job.record];
  return lane_of(context, job, group.settings, group.step, constraint);
}
// A copy of the second line of a job's constraint record.
struct ConstraintLine {
  uint32_t words[constraint_words - constraint_line];
};
LANE_FUNCTION ConstraintLine line_of(const KernelContext& context, const Job& job) {
  ConstraintLine line;
  const uint32_t* source = context.tables + job.argument + constraint_line;
  for (uint32_t k = 0; k < constraint_words - constraint_line; ++k) line.words[k] = source[k];
  return line;
}

// Runs a kernel over the batches that cover the items of a job. Ranges are padded, so the last batch may extend beyond
// the last item. Kernels get copies of settings and step, and of their constraint record, which compilers need not read
// again after each store. Those of class constraints_wide, whose jobs may be small, need hardly more than their record.
#define CLOTHC_RUN_BATCHES(name)                       \
  const int end = static_cast<int>(job.end);           \
  const int begin = static_cast<int>(job.begin) & ~15; \
  for (int i = begin; i < end; i += lane_count) name(lane, i);
#define CLOTHC_RUN_WITH_COPIES(name, copy_of_line, constraint)           \
  static void run_##name(const KernelContext& context, const Job& job) { \
    copy_of_line;                                                        \
    CLOTHC_COPY_LANE(constraint)                                         \
    CLOTHC_RUN_BATCHES(name)                                             \
  }
#define CLOTHC_COPY_LANE(constraint)                                   \
  const GroupSettings settings = context.records[job.record].settings; \
  const GroupStep step = context.records[job.record].step;             \
  const Lane lane = lane_of(context, job, settings, step, constraint);
#define CLOTHC_RUN_lanes(name) CLOTHC_RUN_WITH_COPIES(name, , nullptr)
#define CLOTHC_RUN_constraints(name) \
  CLOTHC_RUN_WITH_COPIES(name, const ConstraintLine line = line_of(context, job), line.words)
// The same, in the variant that the job needs. Each is a function of its own, with the variant as a constant: compilers
// allocate registers worse in one large function.
#define CLOTHC_RUN_variants(name)                                                             \
  template <int variant>                                                                      \
  static CLOTHC_NOINLINE void run_##name##_in(const KernelContext& context, const Job& job) { \
    CLOTHC_COPY_LANE(nullptr)                                                                 \
    CLOTHC_RUN_BATCHES(name##_in<variant>)                                                    \
  }                                                                                           \
  static void run_##name(const KernelContext& context, const Job& job) {                      \
    static_assert(static_cast<int>(variants_of_##name) <= 9, "there is a case for each");     \
    switch (variant_of_##name(lane_in_place(context, job, nullptr))) {                        \
      CLOTHC_RUN_VARIANT(name, 0)                                                             \
      CLOTHC_RUN_VARIANT(name, 1)                                                             \
      CLOTHC_RUN_VARIANT(name, 2)                                                             \
      CLOTHC_RUN_VARIANT(name, 3)                                                             \
      CLOTHC_RUN_VARIANT(name, 4)                                                             \
      CLOTHC_RUN_VARIANT(name, 5)                                                             \
      CLOTHC_RUN_VARIANT(name, 6)                                                             \
      CLOTHC_RUN_VARIANT(name, 7)                                                             \
      CLOTHC_RUN_VARIANT(name, 8)                                                             \
    }                                                                                         \
  }
#define CLOTHC_RUN_VARIANT(name, number)                                                                \
  case number:                                                                                          \
    if constexpr (number < static_cast<int>(variants_of_##name)) run_##name##_in<number>(context, job); \
    break;
// Runs a kernel over constraints with two batches at a time where there are enough of them, and with half a batch for a
// remainder that fits into it.
#ifdef CLOTHC_WIDTHS
#define CLOTHC_RUN_constraints_wide(name)                                        \
  static void run_##name(const KernelContext& context, const Job& job) {         \
    const ConstraintLine line = line_of(context, job);                           \
    const Lane lane = lane_in_place(context, job, line.words);                   \
    const int end = static_cast<int>(job.end);                                   \
    int i = static_cast<int>(job.begin) & ~15;                                   \
    if (end - i > 4 * twice::lane_count) {                                       \
      for (; i + lane_count < end; i += twice::lane_count) twice::name(lane, i); \
    }                                                                            \
    for (; i + half::lane_count < end; i += lane_count) name(lane, i);           \
    if (i < end) half::name(lane, i);                                            \
  }
#else
#define CLOTHC_RUN_constraints_wide(name)                                \
  static void run_##name(const KernelContext& context, const Job& job) { \
    const ConstraintLine line = line_of(context, job);                   \
    const Lane lane = lane_in_place(context, job, line.words);           \
    CLOTHC_RUN_BATCHES(name)                                             \
  }
#endif
#define CLOTHC_ENTRY_lanes(name) run_##name
#define CLOTHC_ENTRY_variants(name) run_##name
#define CLOTHC_ENTRY_constraints(name) run_##name
#define CLOTHC_ENTRY_constraints_wide(name) run_##name
#if CLOTHC_ISA_NUMBER == 0
#define CLOTHC_RUN_scalar(name)                                                     \
  static void run_##name(const KernelContext& context, const Job& job) {            \
    const Lane lane = lane_in_place(context, job, nullptr);                         \
    for (uint32_t i = job.begin; i < job.end; ++i) name(lane, static_cast<int>(i)); \
  }
#define CLOTHC_ENTRY_scalar(name) run_##name
#else
#define CLOTHC_RUN_scalar(name)
#define CLOTHC_ENTRY_scalar(name) nullptr
#endif
#define CLOTHC_RUN_one_per_group(name) CLOTHC_RUN_scalar(name)
#define CLOTHC_ENTRY_one_per_group(name) CLOTHC_ENTRY_scalar(name)

#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) CLOTHC_RUN_##class_of_items(name)
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL

// The functions of the table, in the order of kernels.def.
constexpr KernelFunction table_functions[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) CLOTHC_ENTRY_##class_of_items(name),
#include "kernels/kernels.def"
#undef CLOTHC_KERNEL
};

}  // namespace clothc::cpu::CLOTHC_ISA

namespace clothc::cpu {

const KernelTable CLOTHC_JOIN(CLOTHC_ISA, _kernels) = {CLOTHC_NAME(CLOTHC_ISA), CLOTHC_ISA::lane_count,
                                                       CLOTHC_ISA::table_functions};

}  // namespace clothc::cpu
