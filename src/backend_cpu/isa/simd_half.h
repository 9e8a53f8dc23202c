// simd_half.h - compiles the kernels that gather and scatter for half the number of lanes: eight constraints take
// little more than half the time of sixteen, and the colours of a small mesh have few constraints. It is included in a
// namespace inside that of AVX-512, after all kernels.

#undef CLOTHC_ARCH
#undef CLOTHC_LANES
#define CLOTHC_ARCH xsimd::avx2
#define CLOTHC_LANES 8
#include "backend_cpu/isa/simd.h"
#include "kernels/dialect/cpp_vectors.h"
#include "backend_cpu/isa/simd_rows.h"
#include "backend_cpu/isa/block_loads.h"

#include "kernels/dialect/math.h"
#include "kernels/dialect/transcendental.h"

#include "kernels/wide_kernels.h"
