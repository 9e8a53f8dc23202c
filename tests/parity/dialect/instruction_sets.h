// instruction_sets.h - the kernels and probes of every instruction set that the build has and this machine can run.
#pragma once

#include "backend_cpu/isa/kernel_table.h"

namespace clothc::probes {

enum class Probe : uint32_t {
#define CLOTHC_KERNEL(name, scope, class_of_items, program, stage, reads, writes) name,
#include "parity/dialect/probes.def"
#undef CLOTHC_KERNEL
};

// One function per probe, in the order of probes.def.
extern const cpu::KernelFunction* const scalar_functions;
#if defined(__x86_64__)
extern const cpu::KernelFunction* const sse4_1_functions;
extern const cpu::KernelFunction* const avx2_functions;
extern const cpu::KernelFunction* const avx512_functions;
#elif defined(__aarch64__)
extern const cpu::KernelFunction* const neon_functions;
#endif

struct InstructionSet {
  const cpu::KernelTable* kernels;
  const cpu::KernelFunction* probes;
};

// Calls visit for each available instruction set, starting with the scalar one.
template <typename Visit>
void for_each_instruction_set(Visit visit) {
  visit(InstructionSet{&cpu::scalar_kernels, scalar_functions});
#if defined(__x86_64__) && CLOTHC_HAS_SSE4_1
  if (__builtin_cpu_supports("sse4.1")) visit(InstructionSet{&cpu::sse4_1_kernels, sse4_1_functions});
#endif
#if defined(__x86_64__) && CLOTHC_HAS_AVX2
  if (__builtin_cpu_supports("avx2")) visit(InstructionSet{&cpu::avx2_kernels, avx2_functions});
#endif
#if defined(__x86_64__) && CLOTHC_HAS_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl")) {
    visit(InstructionSet{&cpu::avx512_kernels, avx512_functions});
  }
#endif
#if defined(__aarch64__) && CLOTHC_HAS_NEON
  visit(InstructionSet{&cpu::neon_kernels, neon_functions});
#endif
}

}  // namespace clothc::probes
