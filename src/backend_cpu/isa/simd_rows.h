// simd_rows.h - loads and stores float4 elements for lane_count lanes: as rows of four floats that are transposed four
// by four, which is twice as fast as gathering components. A register r_k holds the rows of lanes k, k + 4, k + 8, k +
// 12.

#if defined(CLOTHC_ARM64)
using Rows = float32x4_t;
LANE_FUNCTION Rows load_rows(const float* p0) { return vld1q_f32(p0); }
LANE_FUNCTION void store_rows(Rows r, float* p0) { vst1q_f32(p0, r); }
LANE_FUNCTION void transpose(Rows& a, Rows& b, Rows& c, Rows& d) {
  const float32x4x2_t p = vtrnq_f32(a, b);
  const float32x4x2_t q = vtrnq_f32(c, d);
  a = vcombine_f32(vget_low_f32(p.val[0]), vget_low_f32(q.val[0]));
  b = vcombine_f32(vget_low_f32(p.val[1]), vget_low_f32(q.val[1]));
  c = vcombine_f32(vget_high_f32(p.val[0]), vget_high_f32(q.val[0]));
  d = vcombine_f32(vget_high_f32(p.val[1]), vget_high_f32(q.val[1]));
}
#define CLOTHC_LOAD_ROWS(row, k) load_rows(row(k))
#define CLOTHC_STORE_ROWS(r, row, k) store_rows(r, row(k))
#else
#if CLOTHC_LANES == 16
using Rows = __m512;
LANE_FUNCTION Rows load_rows(const float* p0, const float* p1, const float* p2, const float* p3) {
  Rows r = _mm512_castps128_ps512(_mm_loadu_ps(p0));
  r = _mm512_insertf32x4(r, _mm_loadu_ps(p1), 1);
  r = _mm512_insertf32x4(r, _mm_loadu_ps(p2), 2);
  return _mm512_insertf32x4(r, _mm_loadu_ps(p3), 3);
}
LANE_FUNCTION void store_rows(Rows r, float* p0, float* p1, float* p2, float* p3) {
  _mm_storeu_ps(p0, _mm512_castps512_ps128(r));
  _mm_storeu_ps(p1, _mm512_extractf32x4_ps(r, 1));
  _mm_storeu_ps(p2, _mm512_extractf32x4_ps(r, 2));
  _mm_storeu_ps(p3, _mm512_extractf32x4_ps(r, 3));
}
#define CLOTHC_INTRINSIC(name) _mm512_##name
#define CLOTHC_LOAD_ROWS(row, k) load_rows(row(k), row(k + 4), row(k + 8), row(k + 12))
#define CLOTHC_STORE_ROWS(r, row, k) store_rows(r, row(k), row(k + 4), row(k + 8), row(k + 12))
#elif CLOTHC_LANES == 8
using Rows = __m256;
LANE_FUNCTION Rows load_rows(const float* p0, const float* p1) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p0)), _mm_loadu_ps(p1), 1);
}
LANE_FUNCTION void store_rows(Rows r, float* p0, float* p1) {
  _mm_storeu_ps(p0, _mm256_castps256_ps128(r));
  _mm_storeu_ps(p1, _mm256_extractf128_ps(r, 1));
}
#define CLOTHC_INTRINSIC(name) _mm256_##name
#define CLOTHC_LOAD_ROWS(row, k) load_rows(row(k), row(k + 4))
#define CLOTHC_STORE_ROWS(r, row, k) store_rows(r, row(k), row(k + 4))
#else
using Rows = __m128;
LANE_FUNCTION Rows load_rows(const float* p0) { return _mm_loadu_ps(p0); }
LANE_FUNCTION void store_rows(Rows r, float* p0) { _mm_storeu_ps(p0, r); }
#define CLOTHC_INTRINSIC(name) _mm_##name
#define CLOTHC_LOAD_ROWS(row, k) load_rows(row(k))
#define CLOTHC_STORE_ROWS(r, row, k) store_rows(r, row(k))
#endif
LANE_FUNCTION void transpose(Rows& a, Rows& b, Rows& c, Rows& d) {
  const Rows t0 = CLOTHC_INTRINSIC(unpacklo_ps)(a, b);
  const Rows t1 = CLOTHC_INTRINSIC(unpackhi_ps)(a, b);
  const Rows t2 = CLOTHC_INTRINSIC(unpacklo_ps)(c, d);
  const Rows t3 = CLOTHC_INTRINSIC(unpackhi_ps)(c, d);
  a = CLOTHC_INTRINSIC(shuffle_ps)(t0, t2, 0x44);
  b = CLOTHC_INTRINSIC(shuffle_ps)(t0, t2, 0xee);
  c = CLOTHC_INTRINSIC(shuffle_ps)(t1, t3, 0x44);
  d = CLOTHC_INTRINSIC(shuffle_ps)(t1, t3, 0xee);
}
#endif

#define CLOTHC_CONSECUTIVE_ROW(k) (p + 4 * (k))
#define CLOTHC_STRIDED_ROW(k) (p + stride * (k))
// Storage indices may be negative.
#define CLOTHC_INDEXED_ROW(k) (p + static_cast<ptrdiff_t>(list.at[k]))

LANE_FUNCTION real4 from_rows(Rows a, Rows b, Rows c, Rows d) {
  transpose(a, b, c, d);
  return {real(FloatBatch(a)), real(FloatBatch(b)), real(FloatBatch(c)), real(FloatBatch(d))};
}

// Stores rows that begin stride words apart.
LANE_FUNCTION void store_strided(float* p, real4 v, int stride) {
  Rows a = v.x.v, b = v.y.v, c = v.z.v, d = v.w.v;
  transpose(a, b, c, d);
  CLOTHC_STORE_ROWS(a, CLOTHC_STRIDED_ROW, 0);
  CLOTHC_STORE_ROWS(b, CLOTHC_STRIDED_ROW, 1);
  CLOTHC_STORE_ROWS(c, CLOTHC_STRIDED_ROW, 2);
  CLOTHC_STORE_ROWS(d, CLOTHC_STRIDED_ROW, 3);
}

#if CLOTHC_LANES == 16
// Four adjacent rows are one load or one store. Two steps of permutations turn them into columns and back.
LANE_FUNCTION real4 load4(const float* p) {
  const Rows a = _mm512_loadu_ps(p), b = _mm512_loadu_ps(p + 16), c = _mm512_loadu_ps(p + 32),
             d = _mm512_loadu_ps(p + 48);
  const __m512i xy = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 1, 5, 9, 13, 17, 21, 25, 29);
  const __m512i zw = _mm512_setr_epi32(2, 6, 10, 14, 18, 22, 26, 30, 3, 7, 11, 15, 19, 23, 27, 31);
  const Rows low_xy = _mm512_permutex2var_ps(a, xy, b), high_xy = _mm512_permutex2var_ps(c, xy, d);
  const Rows low_zw = _mm512_permutex2var_ps(a, zw, b), high_zw = _mm512_permutex2var_ps(c, zw, d);
  return {real(FloatBatch(_mm512_shuffle_f32x4(low_xy, high_xy, 0x44))),
          real(FloatBatch(_mm512_shuffle_f32x4(low_xy, high_xy, 0xee))),
          real(FloatBatch(_mm512_shuffle_f32x4(low_zw, high_zw, 0x44))),
          real(FloatBatch(_mm512_shuffle_f32x4(low_zw, high_zw, 0xee)))};
}
LANE_FUNCTION void store4(float* p, real4 v) {
  const Rows low_xy = _mm512_shuffle_f32x4(v.x.v, v.y.v, 0x44), high_xy = _mm512_shuffle_f32x4(v.x.v, v.y.v, 0xee);
  const Rows low_zw = _mm512_shuffle_f32x4(v.z.v, v.w.v, 0x44), high_zw = _mm512_shuffle_f32x4(v.z.v, v.w.v, 0xee);
  const __m512i even = _mm512_setr_epi32(0, 8, 16, 24, 1, 9, 17, 25, 2, 10, 18, 26, 3, 11, 19, 27);
  const __m512i odd = _mm512_setr_epi32(4, 12, 20, 28, 5, 13, 21, 29, 6, 14, 22, 30, 7, 15, 23, 31);
  _mm512_storeu_ps(p, _mm512_permutex2var_ps(low_xy, even, low_zw));
  _mm512_storeu_ps(p + 16, _mm512_permutex2var_ps(low_xy, odd, low_zw));
  _mm512_storeu_ps(p + 32, _mm512_permutex2var_ps(high_xy, even, high_zw));
  _mm512_storeu_ps(p + 48, _mm512_permutex2var_ps(high_xy, odd, high_zw));
}
#else
LANE_FUNCTION real4 load4(const float* p) {
  return from_rows(CLOTHC_LOAD_ROWS(CLOTHC_CONSECUTIVE_ROW, 0), CLOTHC_LOAD_ROWS(CLOTHC_CONSECUTIVE_ROW, 1),
                   CLOTHC_LOAD_ROWS(CLOTHC_CONSECUTIVE_ROW, 2), CLOTHC_LOAD_ROWS(CLOTHC_CONSECUTIVE_ROW, 3));
}
LANE_FUNCTION void store4(float* p, real4 v) { store_strided(p, v, 4); }
#endif

LANE_FUNCTION real4 gather4(const float* p, const index_list& list) {
  return from_rows(CLOTHC_LOAD_ROWS(CLOTHC_INDEXED_ROW, 0), CLOTHC_LOAD_ROWS(CLOTHC_INDEXED_ROW, 1),
                   CLOTHC_LOAD_ROWS(CLOTHC_INDEXED_ROW, 2), CLOTHC_LOAD_ROWS(CLOTHC_INDEXED_ROW, 3));
}

LANE_FUNCTION real4 gather4(const float* p, inum index) { return gather4(p, list_of(index)); }

LANE_FUNCTION void scatter4(float* p, index_list& list, real4 v) {
  // Without this, compilers keep the addresses of the gather before, and as they are more than there are registers, store
  // and load them again.
  platform::keep_in_memory(list);
  Rows a = v.x.v, b = v.y.v, c = v.z.v, d = v.w.v;
  transpose(a, b, c, d);
  CLOTHC_STORE_ROWS(a, CLOTHC_INDEXED_ROW, 0);
  CLOTHC_STORE_ROWS(b, CLOTHC_INDEXED_ROW, 1);
  CLOTHC_STORE_ROWS(c, CLOTHC_INDEXED_ROW, 2);
  CLOTHC_STORE_ROWS(d, CLOTHC_INDEXED_ROW, 3);
}

LANE_FUNCTION void scatter4_where(float* p, index_list& list, real4 v, mask where) {
  const int bits = lane_bits(where);
  if (bits == (1 << lane_count) - 1) {
    scatter4(p, list, v);
    return;
  }
  float rows[4 * lane_count];
  store4(rows, v);
  for (int k = 0; k < lane_count; ++k) {
    if ((bits >> k & 1) == 0) continue;
    for (int word = 0; word < 4; ++word) CLOTHC_INDEXED_ROW(k)[word] = rows[4 * k + word];
  }
}

// The functions below access rows of four words in which only floats are ever stored.
LANE_FUNCTION void store_row(uint32_t* p, real4 v) { store4(reinterpret_cast<float*>(p), v); }
LANE_FUNCTION real4 load_row(const uint32_t* p) { return load4(reinterpret_cast<const float*>(p)); }
LANE_FUNCTION void store_two_rows(uint32_t* p, real4 first, real4 second) {
  store_strided(reinterpret_cast<float*>(p), first, 8);
  store_strided(reinterpret_cast<float*>(p) + 4, second, 8);
}
LANE_FUNCTION real4 gather_row(const uint32_t* p, const index_list& list) {
  return gather4(reinterpret_cast<const float*>(p), list);
}
LANE_FUNCTION real4 gather_row(const uint32_t* p, inum index) {
  return gather4(reinterpret_cast<const float*>(p), index);
}

#undef CLOTHC_INTRINSIC
#undef CLOTHC_LOAD_ROWS
#undef CLOTHC_STORE_ROWS
#undef CLOTHC_CONSECUTIVE_ROW
#undef CLOTHC_STRIDED_ROW
#undef CLOTHC_INDEXED_ROW
