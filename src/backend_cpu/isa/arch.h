// arch.h - describes the instruction set that the macro CLOTHC_ISA names: its number, its xsimd architecture and that
// architecture's number of lanes.
#pragma once

#define CLOTHC_ISA_scalar 0
#define CLOTHC_ISA_sse4_1 1
#define CLOTHC_ISA_avx2 2
#define CLOTHC_ISA_avx512 3
#define CLOTHC_ISA_neon 4
#define CLOTHC_JOIN_(a, b) a##b
#define CLOTHC_JOIN(a, b) CLOTHC_JOIN_(a, b)
#define CLOTHC_NAME_(a) #a
#define CLOTHC_NAME(a) CLOTHC_NAME_(a)
#define CLOTHC_ISA_NUMBER CLOTHC_JOIN(CLOTHC_ISA_, CLOTHC_ISA)

#if CLOTHC_ISA_NUMBER != 0
#include <xsimd/xsimd.hpp>
#endif
#if CLOTHC_ISA_NUMBER == 1
#define CLOTHC_ARCH xsimd::sse4_1
#define CLOTHC_LANES 4
#elif CLOTHC_ISA_NUMBER == 2
#define CLOTHC_ARCH xsimd::avx2
#define CLOTHC_LANES 8
#elif CLOTHC_ISA_NUMBER == 3
#define CLOTHC_ARCH xsimd::avx512bw
#define CLOTHC_LANES 16
#elif CLOTHC_ISA_NUMBER == 4
#define CLOTHC_ARCH xsimd::neon64
#define CLOTHC_LANES 4
#endif
