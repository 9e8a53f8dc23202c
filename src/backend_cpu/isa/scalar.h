// scalar.h - lane types for a single lane, which are plain numbers. They work on every machine, and the scalar
// kernels (is_scalar) are compiled with them only.

constexpr int lane_count = 1;
using real = float;
using inum = int32_t;
using unum = uint32_t;
using mask = bool;

#define LANE_FUNCTION static CLOTHC_INLINE

LANE_FUNCTION real select(mask m, real a, real b) { return m ? a : b; }
LANE_FUNCTION inum select_int(mask m, inum a, inum b) { return m ? a : b; }
LANE_FUNCTION unum select_bits(mask m, unum a, unum b) { return m ? a : b; }
LANE_FUNCTION mask mask_and(mask a, mask b) { return a && b; }
LANE_FUNCTION mask mask_or(mask a, mask b) { return a || b; }
LANE_FUNCTION mask mask_not(mask a) { return !a; }
LANE_FUNCTION bool any(mask m) { return m; }
LANE_FUNCTION bool is_positive(real a) { return a > 0; }
LANE_FUNCTION real divide(real a, real b) { return a / b; }
LANE_FUNCTION real square_root(real a) { return platform::square_root(a); }
LANE_FUNCTION inum as_int(real a) {
  inum result;
  platform::copy_word(&result, &a);
  return result;
}
LANE_FUNCTION unum as_bits(real a) { return static_cast<unum>(as_int(a)); }
LANE_FUNCTION real as_real(inum a) {
  real result;
  platform::copy_word(&result, &a);
  return result;
}
LANE_FUNCTION real as_real(unum a) { return as_real(static_cast<inum>(a)); }
LANE_FUNCTION unum to_unsigned(inum a) { return static_cast<unum>(a); }
LANE_FUNCTION inum to_signed(unum a) { return static_cast<inum>(a); }
LANE_FUNCTION inum to_int(real a) { return static_cast<inum>(a); }
LANE_FUNCTION real to_real(inum a) { return static_cast<real>(a); }
LANE_FUNCTION inum lanes_from(int i) { return i; }
// The first word of a row of four words.
struct index_list {
  ptrdiff_t at;
};
using kept_indices = inum;
LANE_FUNCTION kept_indices keep_indices(inum index) { return index; }
LANE_FUNCTION int lanes_without(mask m) { return m ? 0 : 1; }
LANE_FUNCTION int lane_bits(mask m) { return m ? 1 : 0; }
LANE_FUNCTION mask lanes_of_bits(int bits) { return (bits & 1) != 0; }
LANE_FUNCTION real least_of_lanes(real a) { return a; }
LANE_FUNCTION real greatest_of_lanes(real a) { return a; }
