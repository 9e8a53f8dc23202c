// simd_half.h - kernels that gather and scatter, in lanes of half the width: eight constraints take little more than half the time
// of sixteen, and a small cloth's colours have few. Included in a namespace within that of AVX-512, behind all kernels.

#undef CLOTHC_ARCH
#undef CLOTHC_LANES
#define CLOTHC_ARCH xsimd::avx2
#define CLOTHC_LANES 8
#include "backend_cpu/isa/simd.h"
#include "kernels/vectors_cpp.h"
#include "backend_cpu/isa/simd_rows.h"

#include "kernels/math.h"
#include "kernels/transcendental.h"

#include "kernels/tethers.kernel.h"
#include "kernels/edges.kernel.h"
