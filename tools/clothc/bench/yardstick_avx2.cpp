// yardstick_avx2.cpp - the hand-written edge loop that E measures. It solves eight constraints at a time: gathers
// particles as x y z 1/m and transposes them, computes one square root and one division per constraint, transposes back
// and stores. Compiled for AVX2 only.
#include <immintrin.h>

#include <cstddef>

#include "bench/yardstick_sheet.h"

namespace clothc_tool {
namespace {

struct Lanes {
  __m256 x, y, z, w;
};

// Transposes rows of the particles k (low half) and k + 4 (high half) into columns. It is its own inverse.
inline Lanes transposed(const Lanes& rows) {
  const __m256 low01 = _mm256_unpacklo_ps(rows.x, rows.y), high01 = _mm256_unpackhi_ps(rows.x, rows.y);
  const __m256 low23 = _mm256_unpacklo_ps(rows.z, rows.w), high23 = _mm256_unpackhi_ps(rows.z, rows.w);
  return {_mm256_shuffle_ps(low01, low23, 0x44), _mm256_shuffle_ps(low01, low23, 0xEE),
          _mm256_shuffle_ps(high01, high23, 0x44), _mm256_shuffle_ps(high01, high23, 0xEE)};
}

inline __m256 load_pair(const float* particles, int32_t low, int32_t high) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(particles + 4 * std::ptrdiff_t{low})),
                              _mm_load_ps(particles + 4 * std::ptrdiff_t{high}), 1);
}

inline void store_pair(float* particles, int32_t low, int32_t high, __m256 value) {
  _mm_store_ps(particles + 4 * std::ptrdiff_t{low}, _mm256_castps256_ps128(value));
  _mm_store_ps(particles + 4 * std::ptrdiff_t{high}, _mm256_extractf128_ps(value, 1));
}

inline Lanes gather(const float* particles, const int32_t* index) {
  return transposed({load_pair(particles, index[0], index[4]), load_pair(particles, index[1], index[5]),
                     load_pair(particles, index[2], index[6]), load_pair(particles, index[3], index[7])});
}

inline void scatter(float* particles, const int32_t* index, const Lanes& lanes) {
  const Lanes rows = transposed(lanes);
  store_pair(particles, index[0], index[4], rows.x);
  store_pair(particles, index[1], index[5], rows.y);
  store_pair(particles, index[2], index[6], rows.z);
  store_pair(particles, index[3], index[7], rows.w);
}

}  // namespace

void solve_yardstick_edges_avx2(float* particles, const int32_t* first, const int32_t* second,
                                const float* rest_lengths, int32_t begin, int32_t end, float stiffness) {
  const __m256 epsilon = _mm256_set1_ps(1e-12f), factor = _mm256_set1_ps(stiffness);
  for (int32_t i = begin; i < end; i += 8) {
    Lanes a = gather(particles, first + i), b = gather(particles, second + i);
    const __m256 dx = _mm256_sub_ps(b.x, a.x), dy = _mm256_sub_ps(b.y, a.y), dz = _mm256_sub_ps(b.z, a.z);
    const __m256 xx_yy = _mm256_add_ps(_mm256_mul_ps(dx, dx), _mm256_mul_ps(dy, dy));
    const __m256 squared = _mm256_add_ps(_mm256_add_ps(xx_yy, _mm256_mul_ps(dz, dz)), epsilon);
    const __m256 length = _mm256_sqrt_ps(squared);
    const __m256 error = _mm256_sub_ps(length, _mm256_loadu_ps(rest_lengths + i));
    const __m256 weight = _mm256_add_ps(_mm256_add_ps(a.w, b.w), epsilon);
    const __m256 scale = _mm256_mul_ps(_mm256_div_ps(error, _mm256_mul_ps(length, weight)), factor);
    const __m256 on_a = _mm256_mul_ps(scale, a.w), on_b = _mm256_mul_ps(scale, b.w);
    a.x = _mm256_add_ps(a.x, _mm256_mul_ps(dx, on_a));
    a.y = _mm256_add_ps(a.y, _mm256_mul_ps(dy, on_a));
    a.z = _mm256_add_ps(a.z, _mm256_mul_ps(dz, on_a));
    b.x = _mm256_sub_ps(b.x, _mm256_mul_ps(dx, on_b));
    b.y = _mm256_sub_ps(b.y, _mm256_mul_ps(dy, on_b));
    b.z = _mm256_sub_ps(b.z, _mm256_mul_ps(dz, on_b));
    scatter(particles, first + i, a);
    scatter(particles, second + i, b);
  }
}

}  // namespace clothc_tool
