// simd_twice.h - compiles the kernels that gather, compute a square root and a division, and scatter for two batches at
// a time: while one batch waits for its results, the other one loads. This pays only where there are registers enough
// for both. It is included in a namespace inside that of the instruction set, after all kernels; its lane types have
// only the operations that these kernels use.

namespace one = clothc::cpu::CLOTHC_ISA;

constexpr int lane_count = 2 * one::lane_count;

struct mask {
  one::mask a, b;
};
struct inum {
  one::inum a, b;
  CLOTHC_INLINE inum(int s) : a(s), b(s) {}
  CLOTHC_INLINE inum(one::inum first, one::inum second) : a(first), b(second) {}
};
struct real {
  one::real a, b;
  real() = default;
  CLOTHC_INLINE real(float s) : a(s), b(s) {}
  CLOTHC_INLINE real(one::real first, one::real second) : a(first), b(second) {}
};

LANE_FUNCTION real operator+(real a, real b) { return {a.a + b.a, a.b + b.b}; }
LANE_FUNCTION real operator-(real a, real b) { return {a.a - b.a, a.b - b.b}; }
LANE_FUNCTION real operator*(real a, real b) { return {a.a * b.a, a.b * b.b}; }
LANE_FUNCTION mask operator<(real a, real b) { return {a.a < b.a, a.b < b.b}; }
LANE_FUNCTION mask operator<=(real a, real b) { return {a.a <= b.a, a.b <= b.b}; }
LANE_FUNCTION inum operator&(inum a, inum b) { return {a.a & b.a, a.b & b.b}; }
LANE_FUNCTION inum operator-(inum a, inum b) { return {a.a - b.a, a.b - b.b}; }
LANE_FUNCTION mask mask_and(mask a, mask b) { return {one::mask_and(a.a, b.a), one::mask_and(a.b, b.b)}; }
LANE_FUNCTION inum as_int(real a) { return {one::as_int(a.a), one::as_int(a.b)}; }
LANE_FUNCTION real as_real(inum a) { return {one::as_real(a.a), one::as_real(a.b)}; }
LANE_FUNCTION real select(mask m, real a, real b) { return {one::select(m.a, a.a, b.a), one::select(m.b, a.b, b.b)}; }
LANE_FUNCTION real minimum(real a, real b) { return {one::minimum(a.a, b.a), one::minimum(a.b, b.b)}; }
LANE_FUNCTION real maximum(real a, real b) { return {one::maximum(a.a, b.a), one::maximum(a.b, b.b)}; }
LANE_FUNCTION real divide(real a, real b) { return {one::divide(a.a, b.a), one::divide(a.b, b.b)}; }
LANE_FUNCTION real square_root(real a) { return {one::square_root(a.a), one::square_root(a.b)}; }
LANE_FUNCTION real exp2_of(real a) { return {one::exp2_of(a.a), one::exp2_of(a.b)}; }
LANE_FUNCTION real load_real(const uint32_t* p) { return {one::load_real(p), one::load_real(p + one::lane_count)}; }

#include "kernels/dialect/cpp_vectors.h"

struct index_list {
  one::index_list a, b;
};
LANE_FUNCTION index_list load_indices(const uint32_t* p) {
  return {one::load_indices(p), one::load_indices(p + one::lane_count)};
}
LANE_FUNCTION index_list load_block_indices(const uint32_t* p, int words_per_block) {
  return {one::load_indices(p), one::load_indices(p + words_per_block)};
}
LANE_FUNCTION real load_block_real(const uint32_t* p, int words_per_block) {
  return {one::load_real(p), one::load_real(p + words_per_block)};
}
LANE_FUNCTION real4 gather4(const float* p, const index_list& list) {
  const one::real4 a = one::gather4(p, list.a), b = one::gather4(p, list.b);
  return {{a.x, b.x}, {a.y, b.y}, {a.z, b.z}, {a.w, b.w}};
}
LANE_FUNCTION void scatter4(float* p, index_list& list, real4 v) {
  one::scatter4(p, list.a, {v.x.a, v.y.a, v.z.a, v.w.a});
  one::scatter4(p, list.b, {v.x.b, v.y.b, v.z.b, v.w.b});
}

#include "kernels/dialect/math.h"

#include "kernels/wide_kernels.h"
