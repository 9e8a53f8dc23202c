// simd_half.h - kernels that gather and scatter, in lanes of half the width: eight constraints take little more than half the time
// of sixteen, and a small cloth's colours have few. Included in a namespace within that of AVX-512, behind all kernels.

#undef CLOTHC_ARCH
#undef CLOTHC_LANES
#define CLOTHC_ARCH xsimd::avx2
#define CLOTHC_LANES 8
#include "backend_cpu/isa/simd.h"
#include "kernels/dialect/cpp_vectors.h"
#include "backend_cpu/isa/simd_rows.h"

#include "kernels/dialect/math.h"
#include "kernels/dialect/transcendental.h"

#include "kernels/constraints/tethers.kernel.h"
#include "kernels/constraints/edges.kernel.h"
