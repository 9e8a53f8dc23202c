// transcendental.h - exp2, log2, sin, cos and atan2 as fixed sequences of correctly rounded operations, which give the
// same bits in every dialect; the functions of libm differ between platforms. Errors are a few units in the last place,
// as tests state. Coefficients: Moshier 1992, Cephes Mathematical Library (single precision); log2 by the series of
// atanh.

// 2^x; 0 for x below -126, and 2^126 for x above 126.
FUNCTION(real) exp2_of(VALUE(real) x) {
  real clamped = maximum(R(-126.0f), minimum(x, R(126.0f)));
  inum whole = to_int(clamped + select(clamped < R(0.0f), R(-0.5f), R(0.5f)));
  real f = clamped - to_real(whole);
  real p = R(1.535336188319500e-4f);
  p = p * f + R(1.339887440266574e-3f);
  p = p * f + R(9.618437357674640e-3f);
  p = p * f + R(5.550332471162809e-2f);
  p = p * f + R(2.402264791363012e-1f);
  p = p * f + R(6.931472028550421e-1f);
  p = p * f + R(1.0f);
  real scale = as_real((whole + I(127)) << 23);
  real result = p * scale;
  return select(x < R(-126.0f), R(0.0f), result);
}

// log2(x) for a normal positive x. With x = 2^e m, m in [sqrt(1/2), sqrt(2)) and s = (m - 1) / (m + 1):
// log2(x) = e + 2 / ln 2 (s + s^3/3 + s^5/5 + ...).
FUNCTION(real) log2_of(VALUE(real) x) {
  inum bits = as_int(x);
  inum e = (bits - I(0x3f3504f3)) >> 23;
  real m = as_real(bits - e * I(0x800000));
  real s = divide(m - R(1.0f), m + R(1.0f));
  real z = s * s;
  real p = R(0.111111111f);
  p = p * z + R(0.142857143f);
  p = p * z + R(0.2f);
  p = p * z + R(0.333333333f);
  real tail = s * z * p;
  real series = (s + tail) * R(2.88539008f);
  return to_real(e) + series;
}

// Sine and cosine of a reduced angle in [-pi/4, pi/4].
FUNCTION(real) sin_reduced(VALUE(real) y) {
  real z = y * y;
  real p = R(-1.9515295891e-4f);
  p = p * z + R(8.3321608736e-3f);
  p = p * z + R(-1.6666654611e-1f);
  real result = y + y * z * p;
  return result;
}

FUNCTION(real) cos_reduced(VALUE(real) y) {
  real z = y * y;
  real p = R(2.443315711809948e-5f);
  p = p * z + R(-1.388731625493765e-3f);
  p = p * z + R(4.166664568298827e-2f);
  real result = R(1.0f) - R(0.5f) * z + z * z * p;
  return result;
}

// The number of quarter turns that is nearest to the angle x.
FUNCTION(inum) quarter_turns(VALUE(real) x) {
  real quarters = x * R(0.636619772f);
  return to_int(quarters + select(quarters < R(0.0f), R(-0.5f), R(0.5f)));
}

// x minus its quarter turns. pi/2 is split in three parts so that the products are exact (Cody, Waite 1980).
FUNCTION(real) without_quarter_turns(VALUE(real) x, VALUE(real) quarters) {
  real y = x - quarters * R(1.5703125f);
  y = y - quarters * R(4.837512969970703125e-4f);
  y = y - quarters * R(7.54978995489188e-8f);
  return y;
}

// The sine of an angle that was split into quarter turns and a reduced angle.
FUNCTION(real) sin_of_turns(VALUE(inum) quarters, VALUE(real) y) {
  mask odd = (quarters & I(1)) == I(1);
  mask negative = (quarters & I(2)) == I(2);
  real s = select(odd, cos_reduced(y), sin_reduced(y));
  return select(negative, s * R(-1.0f), s);
}

// sin(x) and cos(x) for |x| <= 1000.
FUNCTION(real) sin_of(VALUE(real) x) {
  inum quarters = quarter_turns(x);
  return sin_of_turns(quarters, without_quarter_turns(x, to_real(quarters)));
}

FUNCTION(real) cos_of(VALUE(real) x) {
  inum quarters = quarter_turns(x);
  return sin_of_turns(quarters + I(1), without_quarter_turns(x, to_real(quarters)));
}

// The angle of (x, y) in [-pi, pi]; 0 for the origin.
FUNCTION(real) atan2_of(VALUE(real) y, VALUE(real) x) {
  real ax = absolute(x);
  real ay = absolute(y);
  real large = maximum(ax, ay);
  real small = minimum(ax, ay);
  mask nothing = large <= R(0.0f);
  real t = divide(small, select(nothing, R(1.0f), large));
  mask steep = R(0.414213562f) < t;
  real u = select(steep, divide(t - R(1.0f), t + R(1.0f)), t);
  real z = u * u;
  real p = R(8.05374449538e-2f);
  p = p * z + R(-1.38776856032e-1f);
  p = p * z + R(1.99777106478e-1f);
  p = p * z + R(-3.33329491539e-1f);
  real angle = u + u * z * p;
  angle = angle + select(steep, R(0.785398163f), R(0.0f));
  angle = select(ax < ay, R(1.57079633f) - angle, angle);
  angle = select(x < R(0.0f), R(3.14159265f) - angle, angle);
  return select(y < R(0.0f), angle * R(-1.0f), angle);
}
