// simd.h - lane types over xsimd batches of CLOTHC_ARCH. The batches are wrapped so that kernels can use only
// operations that are known to be exact: no fused multiply-add, no reciprocal estimates, and on NEON the exact division
// and square root.

using FloatBatch = xsimd::batch<float, CLOTHC_ARCH>;
using IntBatch = xsimd::batch<int32_t, CLOTHC_ARCH>;
using UintBatch = xsimd::batch<uint32_t, CLOTHC_ARCH>;
using MaskBatch = xsimd::batch_bool<float, CLOTHC_ARCH>;
using IntMaskBatch = xsimd::batch_bool<int32_t, CLOTHC_ARCH>;

constexpr int lane_count = static_cast<int>(FloatBatch::size);

#define LANE_FUNCTION static CLOTHC_INLINE

struct mask {
  MaskBatch v;
};
struct real {
  FloatBatch v;
  real() = default;
  CLOTHC_INLINE real(float s) : v(s) {}
  CLOTHC_INLINE real(FloatBatch b) : v(b) {}
};
struct inum {
  IntBatch v;
  inum() = default;
  CLOTHC_INLINE inum(int s) : v(static_cast<int32_t>(s)) {}
  CLOTHC_INLINE inum(IntBatch b) : v(b) {}
};
struct unum {
  UintBatch v;
  unum() = default;
  CLOTHC_INLINE unum(uint32_t s) : v(s) {}
  CLOTHC_INLINE unum(UintBatch b) : v(b) {}
};

LANE_FUNCTION mask as_mask(IntMaskBatch m) { return {xsimd::bool_cast(m)}; }

LANE_FUNCTION real operator+(real a, real b) { return real(a.v + b.v); }
LANE_FUNCTION real operator-(real a, real b) { return real(a.v - b.v); }
LANE_FUNCTION real operator*(real a, real b) { return real(a.v * b.v); }
LANE_FUNCTION mask operator<(real a, real b) { return {a.v < b.v}; }
LANE_FUNCTION mask operator<=(real a, real b) { return {a.v <= b.v}; }
LANE_FUNCTION mask operator==(real a, real b) { return {a.v == b.v}; }
LANE_FUNCTION inum operator+(inum a, inum b) { return inum(a.v + b.v); }
LANE_FUNCTION inum operator-(inum a, inum b) { return inum(a.v - b.v); }
LANE_FUNCTION inum operator*(inum a, inum b) { return inum(a.v * b.v); }
LANE_FUNCTION inum operator&(inum a, inum b) { return inum(a.v & b.v); }
LANE_FUNCTION inum operator|(inum a, inum b) { return inum(a.v | b.v); }
LANE_FUNCTION inum operator<<(inum a, int n) { return inum(a.v << n); }
LANE_FUNCTION inum operator>>(inum a, int n) { return inum(a.v >> n); }
LANE_FUNCTION mask operator<(inum a, inum b) { return as_mask(a.v < b.v); }
LANE_FUNCTION mask operator<=(inum a, inum b) { return as_mask(a.v <= b.v); }
LANE_FUNCTION mask operator==(inum a, inum b) { return as_mask(a.v == b.v); }
LANE_FUNCTION unum operator+(unum a, unum b) { return unum(a.v + b.v); }
LANE_FUNCTION unum operator-(unum a, unum b) { return unum(a.v - b.v); }
LANE_FUNCTION unum operator*(unum a, unum b) { return unum(a.v * b.v); }
LANE_FUNCTION unum operator&(unum a, unum b) { return unum(a.v & b.v); }
LANE_FUNCTION unum operator|(unum a, unum b) { return unum(a.v | b.v); }
LANE_FUNCTION unum operator^(unum a, unum b) { return unum(a.v ^ b.v); }
LANE_FUNCTION unum operator<<(unum a, int n) { return unum(a.v << n); }
LANE_FUNCTION unum operator>>(unum a, int n) { return unum(a.v >> n); }
// The order of unsigned numbers is that of signed numbers with the top bit flipped.
LANE_FUNCTION mask operator<(unum a, unum b) {
  const UintBatch top(0x80000000u);
  return as_mask(xsimd::bitwise_cast<IntBatch>(a.v ^ top) < xsimd::bitwise_cast<IntBatch>(b.v ^ top));
}

LANE_FUNCTION real select(mask m, real a, real b) { return real(xsimd::select(m.v, a.v, b.v)); }
LANE_FUNCTION mask mask_and(mask a, mask b) { return {a.v & b.v}; }
LANE_FUNCTION mask mask_or(mask a, mask b) { return {a.v | b.v}; }
LANE_FUNCTION mask mask_not(mask a) { return {~a.v}; }
LANE_FUNCTION bool any(mask m) { return xsimd::any(m.v); }
LANE_FUNCTION inum as_int(real a) { return inum(xsimd::bitwise_cast<IntBatch>(a.v)); }
LANE_FUNCTION unum as_bits(real a) { return unum(xsimd::bitwise_cast<UintBatch>(a.v)); }
LANE_FUNCTION real as_real(inum a) { return real(xsimd::bitwise_cast<FloatBatch>(a.v)); }
LANE_FUNCTION real as_real(unum a) { return real(xsimd::bitwise_cast<FloatBatch>(a.v)); }
LANE_FUNCTION unum to_unsigned(inum a) { return unum(xsimd::bitwise_cast<UintBatch>(a.v)); }
LANE_FUNCTION inum to_signed(unum a) { return inum(xsimd::bitwise_cast<IntBatch>(a.v)); }
LANE_FUNCTION inum select_int(mask m, inum a, inum b) { return as_int(select(m, as_real(a), as_real(b))); }
LANE_FUNCTION unum select_bits(mask m, unum a, unum b) { return as_bits(select(m, as_real(a), as_real(b))); }
LANE_FUNCTION inum to_int(real a) { return inum(xsimd::to_int(a.v)); }
LANE_FUNCTION real to_real(inum a) { return real(xsimd::to_float(a.v)); }
#if defined(CLOTHC_ARM64)
LANE_FUNCTION real divide(real a, real b) { return real(FloatBatch(vdivq_f32(a.v, b.v))); }
LANE_FUNCTION real square_root(real a) { return real(FloatBatch(vsqrtq_f32(a.v))); }
#else
LANE_FUNCTION real divide(real a, real b) { return real(a.v / b.v); }
LANE_FUNCTION real square_root(real a) { return real(xsimd::sqrt(a.v)); }
// On x86 this is one instruction, which returns b where neither operand is less, as math.h requires. NEON's instruction
// does not, so there math.h defines both functions.
#define CLOTHC_HAS_MINIMUM
LANE_FUNCTION real minimum(real a, real b) { return real(xsimd::min(a.v, b.v)); }
LANE_FUNCTION real maximum(real a, real b) { return real(xsimd::max(a.v, b.v)); }
#endif

LANE_FUNCTION real load_real(const uint32_t* p) {
  return as_real(inum(IntBatch::load_unaligned(reinterpret_cast<const int32_t*>(p))));
}
LANE_FUNCTION void store_real(uint32_t* p, real v) { as_int(v).v.store_unaligned(reinterpret_cast<int32_t*>(p)); }
LANE_FUNCTION void store_bits(uint32_t* p, unum v) { v.v.store_unaligned(p); }
LANE_FUNCTION inum load_int(const uint32_t* p) {
  return inum(IntBatch::load_unaligned(reinterpret_cast<const int32_t*>(p)));
}
LANE_FUNCTION float float_at(const uint32_t* p) {
  float result;
  platform::copy_word(&result, p);
  return result;
}
LANE_FUNCTION bool is_positive(real a) { return a.v.get(0) > 0; }

alignas(64) constexpr int32_t first_lanes[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
LANE_FUNCTION inum lanes_from(int i) { return inum(i) + inum(IntBatch::load_aligned(first_lanes)); }
// The first words of rows of four words, one per lane. They are kept in memory, from where an instruction per lane loads
// them for an address; compilers would take them out of vectors with two or three.
struct index_list {
  alignas(64) int32_t at[lane_count];
};
LANE_FUNCTION index_list list_of(inum index) {
  index_list list;
  (index << 2).v.store_aligned(list.at);
  platform::keep_in_memory(list);
  return list;
}
LANE_FUNCTION index_list load_indices(const uint32_t* p) { return list_of(load_int(p)); }
using kept_indices = index_list;
LANE_FUNCTION kept_indices keep_indices(inum index) { return list_of(index); }
LANE_FUNCTION inum gather_int(const uint32_t* p, inum index) {
  alignas(64) int32_t indices[lane_count];
  alignas(64) int32_t values[lane_count];
  index.v.store_aligned(indices);
  for (int k = 0; k < lane_count; ++k) values[k] = static_cast<int32_t>(p[indices[k]]);
  return inum(IntBatch::load_aligned(values));
}
LANE_FUNCTION void scatter_int(uint32_t* p, inum index, inum value, mask where) {
  if (!any(where)) return;
  alignas(64) int32_t indices[lane_count];
  alignas(64) int32_t ones[lane_count];
  alignas(64) int32_t values[lane_count];
  index.v.store_aligned(indices);
  select_int(where, inum(1), inum(0)).v.store_aligned(ones);
  value.v.store_aligned(values);
  for (int k = 0; k < lane_count; ++k) {
    if (ones[k] != 0) p[indices[k]] = static_cast<uint32_t>(values[k]);
  }
}
LANE_FUNCTION int lanes_without(mask m) {
  alignas(64) int32_t ones[lane_count];
  select_int(m, inum(0), inum(1)).v.store_aligned(ones);
  int count = 0;
  for (int k = 0; k < lane_count; ++k) count += ones[k];
  return count;
}
LANE_FUNCTION int lane_bits(mask m) {
#if defined(CLOTHC_ARM64)
  const IntBatch bits = IntBatch(1) << IntBatch::load_aligned(first_lanes);
  return static_cast<int>(vaddvq_s32(
      xsimd::bitwise_cast<IntBatch>(xsimd::select(m.v, xsimd::bitwise_cast<FloatBatch>(bits), FloatBatch(0.0f)))));
#elif CLOTHC_LANES == 16
  return static_cast<int>(static_cast<__mmask16>(m.v));
#elif CLOTHC_LANES == 8
  return _mm256_movemask_ps(m.v);
#else
  return _mm_movemask_ps(m.v);
#endif
}
alignas(64) constexpr int32_t lane_bit_values[16] = {1,       1 << 1,  1 << 2,  1 << 3, 1 << 4,  1 << 5,
                                                     1 << 6,  1 << 7,  1 << 8,  1 << 9, 1 << 10, 1 << 11,
                                                     1 << 12, 1 << 13, 1 << 14, 1 << 15};
LANE_FUNCTION mask lanes_of_bits(int bits) {
  const inum own(IntBatch::load_aligned(lane_bit_values));
  return (inum(bits) & own) == own;
}
#if defined(CLOTHC_X86) && CLOTHC_LANES == 16
LANE_FUNCTION real load_real_where(const uint32_t* p, mask where) {
  return as_real(inum(IntBatch(_mm512_maskz_loadu_epi32(static_cast<__mmask16>(where.v), p))));
}
LANE_FUNCTION void store_real_where(uint32_t* p, real v, mask where) {
  _mm512_mask_storeu_epi32(p, static_cast<__mmask16>(where.v), as_int(v).v);
}
#elif defined(CLOTHC_X86) && CLOTHC_LANES == 8
LANE_FUNCTION real load_real_where(const uint32_t* p, mask where) {
  const __m256i lanes = _mm256_castps_si256(where.v);
  return as_real(inum(IntBatch(_mm256_maskload_epi32(reinterpret_cast<const int*>(p), lanes))));
}
LANE_FUNCTION void store_real_where(uint32_t* p, real v, mask where) {
  _mm256_maskstore_epi32(reinterpret_cast<int*>(p), _mm256_castps_si256(where.v), as_int(v).v);
}
#else
LANE_FUNCTION real load_real_where(const uint32_t* p, mask where) {
  const int bits = lane_bits(where);
  if (bits == (1 << lane_count) - 1) return load_real(p);
  alignas(64) float values[lane_count] = {};
  for (int k = 0; k < lane_count; ++k) {
    if ((bits >> k & 1) != 0) values[k] = float_at(p + k);
  }
  return real(FloatBatch::load_aligned(values));
}
LANE_FUNCTION void store_real_where(uint32_t* p, real v, mask where) {
  const int bits = lane_bits(where);
  if (bits == (1 << lane_count) - 1) return store_real(p, v);
  alignas(64) int32_t values[lane_count];
  as_int(v).v.store_aligned(values);
  for (int k = 0; k < lane_count; ++k) {
    if ((bits >> k & 1) != 0) p[k] = static_cast<uint32_t>(values[k]);
  }
}
#endif
// The results of the next two functions do not depend on the order in which the lanes are compared.
LANE_FUNCTION real least_of_lanes(real a) {
  alignas(64) float values[lane_count];
  a.v.store_aligned(values);
  float least = values[0];
  for (int k = 1; k < lane_count; ++k) least = values[k] < least ? values[k] : least;
  return real(least);
}
LANE_FUNCTION real greatest_of_lanes(real a) {
  alignas(64) float values[lane_count];
  a.v.store_aligned(values);
  float greatest = values[0];
  for (int k = 1; k < lane_count; ++k) greatest = greatest < values[k] ? values[k] : greatest;
  return real(greatest);
}
