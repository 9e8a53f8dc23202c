// isa.cpp - detects instruction sets. AVX-512 is preferred to AVX2 on processors where it was measured to be faster
// (docs/performance.md).
#include "backend_cpu/isa.h"

#include <initializer_list>

#include "platform/processor.h"

namespace clothc::cpu {

uint32_t runnable_isas() {
  const platform::ProcessorFeatures features = platform::processor_features();
  uint32_t mask = 1u << CLOTHC_ISA_SCALAR;
  if (CLOTHC_HAS_SSE4_1 != 0 && features.sse4_1) mask |= 1u << CLOTHC_ISA_SSE4_1;
  if (CLOTHC_HAS_AVX2 != 0 && features.avx2) mask |= 1u << CLOTHC_ISA_AVX2;
  if (CLOTHC_HAS_AVX512 != 0 && features.avx512) mask |= 1u << CLOTHC_ISA_AVX512;
#if defined(CLOTHC_ARM64) && CLOTHC_HAS_NEON
  mask |= 1u << CLOTHC_ISA_NEON;
#endif
  return mask;
}

clothc_isa preferred_isa() {
  uint32_t mask = runnable_isas();
  // The first processors with AVX-512 lower their clock when they use it, which can cost more than it gains. Later
  // processors, from Ice Lake and Zen 4 on, can be recognised by the extension VBMI2.
  if (!platform::processor_features().avx512_vbmi2) mask &= ~(1u << CLOTHC_ISA_AVX512);
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
#if defined(CLOTHC_X86_64) && CLOTHC_HAS_SSE4_1
    case CLOTHC_ISA_SSE4_1:
      return &sse4_1_kernels;
#endif
#if defined(CLOTHC_X86_64) && CLOTHC_HAS_AVX2
    case CLOTHC_ISA_AVX2:
      return &avx2_kernels;
#endif
#if defined(CLOTHC_X86_64) && CLOTHC_HAS_AVX512
    case CLOTHC_ISA_AVX512:
      return &avx512_kernels;
#endif
#if defined(CLOTHC_ARM64) && CLOTHC_HAS_NEON
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
