// probes.cpp - the probes for one instruction set, compiled once per CLOTHC_ISA like backend_cpu/isa/kernels.cpp.
#include <stddef.h>
#include <stdint.h>

#include "dialect/instruction_sets.h"

#define CLOTHC_ISA_scalar 0
#define CLOTHC_ISA_sse4_1 1
#define CLOTHC_ISA_avx2 2
#define CLOTHC_ISA_avx512 3
#define CLOTHC_ISA_neon 4
#define CLOTHC_JOIN_(a, b) a##b
#define CLOTHC_JOIN(a, b) CLOTHC_JOIN_(a, b)
#define CLOTHC_ISA_NUMBER CLOTHC_JOIN(CLOTHC_ISA_, CLOTHC_ISA)

#if CLOTHC_ISA_NUMBER != 0
#include <xsimd/xsimd.hpp>
#endif
#if CLOTHC_ISA_NUMBER == 1
#define CLOTHC_ARCH xsimd::sse4_1
#elif CLOTHC_ISA_NUMBER == 2
#define CLOTHC_ARCH xsimd::avx2
#elif CLOTHC_ISA_NUMBER == 3
#define CLOTHC_ARCH xsimd::avx512bw
#elif CLOTHC_ISA_NUMBER == 4
#define CLOTHC_ARCH xsimd::neon64
#endif

namespace clothc::probes::CLOTHC_ISA {

using cpu::KernelContext;
using cpu::KernelFunction;

#if CLOTHC_ISA_NUMBER == 0
#include "backend_cpu/isa/scalar.h"
#include "kernels/dialect_cpp.h"
#include "backend_cpu/isa/scalar_rows.h"
#else
#include "backend_cpu/isa/simd.h"
#include "kernels/dialect_cpp.h"
#include "backend_cpu/isa/simd_rows.h"
#endif

#include "kernels/math.h"
#include "kernels/transcendental.h"

#include "dialect/probes.h"

#define CLOTHC_KERNEL(name, domain, reads, writes)                                                             \
  static void run_##name(const KernelContext& context, const Work& work) {                                     \
    const Lane lane = {                                                                                        \
        context.particles, context.fabric, context.tables, context.cloths, context.frame, work, {}, {}};       \
    for (int i = static_cast<int>(work.begin); i < static_cast<int>(work.end); i += lane_count) name(lane, i); \
  }
#include "dialect/probes.def"
#undef CLOTHC_KERNEL

constexpr KernelFunction table_functions[] = {
#define CLOTHC_KERNEL(name, domain, reads, writes) run_##name,
#include "dialect/probes.def"
#undef CLOTHC_KERNEL
};

}  // namespace clothc::probes::CLOTHC_ISA

namespace clothc::probes {

const cpu::KernelFunction* const CLOTHC_JOIN(CLOTHC_ISA, _functions) = CLOTHC_ISA::table_functions;

}  // namespace clothc::probes
