// probes.cpp - the probes for one instruction set. It is compiled once per CLOTHC_ISA like backend_cpu/isa/kernels.cpp.
#include <stddef.h>
#include <stdint.h>

#include "backend_cpu/isa/arch.h"
#include "parity/dialect/instruction_sets.h"

namespace clothc::probes::CLOTHC_ISA {

using cpu::KernelContext;
using cpu::KernelFunction;

#if CLOTHC_ISA_NUMBER == 0
#include "backend_cpu/isa/scalar.h"
#include "kernels/dialect/cpp.h"
#include "backend_cpu/isa/scalar_rows.h"
#else
#include "backend_cpu/isa/simd.h"
#include "kernels/dialect/cpp.h"
#include "backend_cpu/isa/simd_rows.h"
#endif

#include "kernels/dialect/math.h"
#include "kernels/dialect/transcendental.h"

#include "parity/dialect/probes.h"

// Probes belong to no group.
static const GroupRecord no_group{};

#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes)                                \
  static void run_##name(const KernelContext& context, const Job& job) {                                         \
    const Lane lane = {context.particles, context.topology, context.tables, context.records, context.frame, job, \
                       no_group.settings, no_group.step,    nullptr};                                            \
    for (int i = static_cast<int>(job.begin); i < static_cast<int>(job.end); i += lane_count) name(lane, i);     \
  }
#include "parity/dialect/probes.def"
#undef CLOTHC_KERNEL

constexpr KernelFunction table_functions[] = {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) run_##name,
#include "parity/dialect/probes.def"
#undef CLOTHC_KERNEL
};

}  // namespace clothc::probes::CLOTHC_ISA

namespace clothc::probes {

const cpu::KernelFunction* const CLOTHC_JOIN(CLOTHC_ISA, _functions) = CLOTHC_ISA::table_functions;

}  // namespace clothc::probes
