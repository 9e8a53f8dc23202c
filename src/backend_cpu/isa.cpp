// isa.cpp - detects instruction sets. AVX-512 is preferred to AVX2 on processors where it was measured to be faster
// (docs/performance.md).
#include "backend_cpu/isa.h"

#include <initializer_list>

namespace clothc::cpu {

uint32_t runnable_isas() {
  uint32_t mask = 1u << CLOTHC_ISA_SCALAR;
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.1")) mask |= 1u << CLOTHC_ISA_SSE4_1;
  if (__builtin_cpu_supports("avx2")) mask |= 1u << CLOTHC_ISA_AVX2;
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512bw")) {
    mask |= 1u << CLOTHC_ISA_AVX512;
  }
#elif defined(__aarch64__)
  mask |= 1u << CLOTHC_ISA_NEON;
#endif
  return mask;
}

clothc_isa preferred_isa() {
  uint32_t mask = runnable_isas();
#if defined(__x86_64__)
  // The first processors with AVX-512 lower their clock when they use it, which can cost more than it gains. Later
  // processors, from Ice Lake and Zen 4 on, can be recognised by the extension VBMI2.
  if (!__builtin_cpu_supports("avx512vbmi2")) mask &= ~(1u << CLOTHC_ISA_AVX512);
#endif
  for (const clothc_isa isa :
       std::initializer_list<clothc_isa>{CLOTHC_ISA_AVX512, CLOTHC_ISA_AVX2, CLOTHC_ISA_SSE4_1, CLOTHC_ISA_NEON}) {
    if ((mask & 1u << isa) != 0) return isa;
  }
  return CLOTHC_ISA_SCALAR;
}

const KernelTable* kernels_of(clothc_isa isa) {
  if (isa > CLOTHC_ISA_NEON || (runnable_isas() & 1u << isa) == 0) return nullptr;
  switch (isa) {
    case CLOTHC_ISA_SCALAR:
      return &scalar_kernels;
#if defined(__x86_64__)
    case CLOTHC_ISA_SSE4_1:
      return &sse4_1_kernels;
    case CLOTHC_ISA_AVX2:
      return &avx2_kernels;
    case CLOTHC_ISA_AVX512:
      return &avx512_kernels;
#elif defined(__aarch64__)
    case CLOTHC_ISA_NEON:
      return &neon_kernels;
#endif
    default:
      return nullptr;
  }
}

const char* name_of_isa(clothc_isa isa) {
  switch (isa) {
    case CLOTHC_ISA_AUTO:
      return "auto";
    case CLOTHC_ISA_SCALAR:
      return "scalar";
    case CLOTHC_ISA_SSE4_1:
      return "sse4.1";
    case CLOTHC_ISA_AVX2:
      return "avx2";
    case CLOTHC_ISA_AVX512:
      return "avx512";
    case CLOTHC_ISA_NEON:
      return "neon";
    default:
      return "unknown";
  }
}

}  // namespace clothc::cpu
