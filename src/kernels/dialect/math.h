// math.h - the dialect's mathematics beyond + - * and comparisons. Every function is a fixed sequence of operations, so
// that it gives the same bits in every dialect. divide and square_root, which the dialects define, round correctly.

#ifndef CLOTHC_HAS_MINIMUM
FUNCTION(real) minimum(VALUE(real) a, VALUE(real) b) { return select(a < b, a, b); }
FUNCTION(real) maximum(VALUE(real) a, VALUE(real) b) { return select(b < a, a, b); }
#endif
FUNCTION(real) absolute(VALUE(real) a) { return as_real(as_int(a) & I(0x7fffffff)); }

// A dialect whose operations take vectors has these without taking vectors apart.
#ifndef CLOTHC_HAS_VECTORS
FUNCTION(real) dot3(VALUE(real3) a, VALUE(real3) b) {
  real result = a.x * b.x + a.y * b.y + a.z * b.z;
  return result;
}

FUNCTION(real3) cross3(VALUE(real3) a, VALUE(real3) b) {
  real x = a.y * b.z - a.z * b.y;
  real y = a.z * b.x - a.x * b.z;
  real z = a.x * b.y - a.y * b.x;
  return make3(x, y, z);
}

FUNCTION(real3) componentwise(VALUE(real3) a, VALUE(real3) b) { return make3(a.x * b.x, a.y * b.y, a.z * b.z); }
FUNCTION(real3) absolute3(VALUE(real3) a) { return make3(absolute(a.x), absolute(a.y), absolute(a.z)); }
FUNCTION(real3) lower_of(VALUE(real3) a, VALUE(real3) b) {
  return make3(minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z));
}
FUNCTION(real3) upper_of(VALUE(real3) a, VALUE(real3) b) {
  return make3(maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z));
}
FUNCTION(mask) is_within3(VALUE(real3) a, VALUE(real3) b) {
  return mask_and(mask_and(a.x <= b.x, a.y <= b.y), a.z <= b.z);
}

FUNCTION(real3) select3(VALUE(mask) m, VALUE(real3) a, VALUE(real3) b) {
  return make3(select(m, a.x, b.x), select(m, a.y, b.y), select(m, a.z, b.z));
}
FUNCTION(real4) select4(VALUE(mask) m, VALUE(real4) a, VALUE(real4) b) {
  return make4(select3(m, XYZ(a), XYZ(b)), select(m, a.w, b.w));
}
// b where the component of a vector is below a limit.
FUNCTION(real3) select_below3(VALUE(real3) v, VALUE(real) limit, VALUE(real3) b, VALUE(real3) c) {
  return make3(select(v.x < limit, b.x, c.x), select(v.y < limit, b.y, c.y), select(v.z < limit, b.z, c.z));
}
#endif
#define ALL3(value) make3(value, value, value)

#ifndef CLOTHC_HAS_DIVIDE3
FUNCTION(real3) divide3(VALUE(real3) a, VALUE(real3) b) {
  return make3(divide(a.x, b.x), divide(a.y, b.y), divide(a.z, b.z));
}
#endif

// a + (b - a) t, but exactly b at t = 1.
FUNCTION(real) interpolate(VALUE(real) a, VALUE(real) b, VALUE(real) t) {
  real between = a + (b - a) * t;
  return select(t < R(1.0f), between, b);
}

// Replaces magnitudes below 2^-64 by zero. Values that programs write and displacements pass through it. Constraints
// would do so too often: where a sheet lies in the plane x = 0, a push passes from particle to particle and is a thousand
// times smaller at each, down to denormal numbers within an iteration. So positions pass through it at the begin of an
// iteration, before collisions, and at the update's end, which keeps denormal numbers out of the state.
FUNCTION(real) snap(VALUE(real) d) { return select(absolute(d) < R(5.421010862427522e-20f), R(0.0f), d); }
FUNCTION(real3) snap3(VALUE(real3) v) {
  return select_below3(absolute3(v), R(5.421010862427522e-20f), ALL3(R(0.0f)), v);
}
FUNCTION(real4) snap4(VALUE(real4) v) { return make4(snap3(XYZ(v)), snap(v.w)); }

// Replaces magnitudes below 2^-51 by zero: in edges, weights, and vectors whose largest component is 1. Products of
// such values stay clear of denormal numbers.
FUNCTION(real) flush_tiny(VALUE(real) value) {
  return select(absolute(value) < R(4.440892098500626e-16f), R(0.0f), value);
}
FUNCTION(real3) flush_tiny3(VALUE(real3) vector) {
  return select_below3(absolute3(vector), R(4.440892098500626e-16f), ALL3(R(0.0f)), vector);
}

// False for infinities, NaN, and magnitudes that no documented range allows.
FUNCTION(mask) is_bounded(VALUE(real) a) { return absolute(a) <= R(CLOTHC_LARGEST); }
FUNCTION(mask) is_bounded3(VALUE(real3) a) { return is_within3(absolute3(a), ALL3(R(CLOTHC_LARGEST))); }

// a, or before where a is not bounded. Every change of a previous position passes through this, because positions that
// are not finite are restored from previous positions.
FUNCTION(real3) bounded_or(VALUE(real3) a, VALUE(real3) before) { return select3(is_bounded3(a), a, before); }

// 1 / a for positive a, at most 1.3 % too small; a finite number for 0. Its first guess negates the exponent; Newton's
// method takes one step from there. Source: Blinn 1997, "Floating-point tricks".
FUNCTION(real) rough_reciprocal(VALUE(real) a) {
  real guess = as_real(I(0x7ef311c7) - as_int(a));
  real error = a * guess;
  return guess * (R(2.0f) - error);
}

// Squared lengths are regularised by this value, as in NvCloth's formulae (FLT_EPSILON).
#define CLOTHC_EPSILON 1.1920929e-7f

// Positive values below this count as zero.
#define CLOTHC_SMALLEST 1e-30f

// Sums of inverse masses that corrections are divided by count as at least this, in 1/kg. The quotient of the longest
// length and of its product with the shortest one is still finite.
#define CLOTHC_LEAST_WEIGHT 1e-12f
