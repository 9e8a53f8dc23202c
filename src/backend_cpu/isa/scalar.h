// scalar.h - lane types for one lane: plain numbers. Runs everywhere and also runs the kernels of the cloth domain.

constexpr int lane_count = 1;
using real = float;
using inum = int32_t;
using unum = uint32_t;
using mask = bool;

#define LANE_FUNCTION static inline __attribute__((always_inline))

LANE_FUNCTION real select(mask m, real a, real b) { return m ? a : b; }
LANE_FUNCTION inum select_int(mask m, inum a, inum b) { return m ? a : b; }
LANE_FUNCTION unum select_bits(mask m, unum a, unum b) { return m ? a : b; }
LANE_FUNCTION mask mask_and(mask a, mask b) { return a && b; }
LANE_FUNCTION mask mask_or(mask a, mask b) { return a || b; }
LANE_FUNCTION mask mask_not(mask a) { return !a; }
LANE_FUNCTION bool any(mask m) { return m; }
LANE_FUNCTION bool is_positive(real a) { return a > 0; }
LANE_FUNCTION real divide(real a, real b) { return a / b; }
LANE_FUNCTION real square_root(real a) { return __builtin_sqrtf(a); }
LANE_FUNCTION inum as_int(real a) {
  inum result;
  __builtin_memcpy(&result, &a, 4);
  return result;
}
LANE_FUNCTION unum as_bits(real a) { return static_cast<unum>(as_int(a)); }
LANE_FUNCTION real as_real(inum a) {
  real result;
  __builtin_memcpy(&result, &a, 4);
  return result;
}
LANE_FUNCTION real as_real(unum a) { return as_real(static_cast<inum>(a)); }
LANE_FUNCTION unum to_unsigned(inum a) { return static_cast<unum>(a); }
LANE_FUNCTION inum to_signed(unum a) { return static_cast<inum>(a); }
LANE_FUNCTION inum to_int(real a) { return static_cast<inum>(a); }
LANE_FUNCTION real to_real(inum a) { return static_cast<real>(a); }
LANE_FUNCTION inum lanes_from(int i) { return i; }
LANE_FUNCTION float float_at(const uint32_t* p) { return as_real(static_cast<inum>(*p)); }
LANE_FUNCTION void store_float(uint32_t* p, float v) { *p = as_bits(v); }
LANE_FUNCTION real load_real(const uint32_t* p) { return float_at(p); }
LANE_FUNCTION void store_real(uint32_t* p, real v) { *p = as_bits(v); }
LANE_FUNCTION void store_bits(uint32_t* p, unum v) { *p = v; }
LANE_FUNCTION inum load_int(const uint32_t* p) { return static_cast<inum>(*p); }
LANE_FUNCTION inum gather_int(const uint32_t* p, inum index) { return static_cast<inum>(p[index]); }
LANE_FUNCTION int lanes_without(mask m) { return m ? 0 : 1; }
