// rates.kernel.h - the effect of a stiffness in an iteration of h seconds, such that it acts at the same speed at any
// solver frequency: rate(c) = 1 - (1 - c)^e with e = stiffness_frequency h.
// Source: NvCloth solver documentation, "Log Stiffness".

// log2(1 - c), with NvCloth's value for c = 1.
FUNCTION(real) log2_kept(VALUE(real) c) {
  real kept = 1.0f - c;
  real safe = select(0.0f < kept, kept, 1.0f);
  return select(0.0f < kept, log2_of(safe), -128.0f);
}

FUNCTION(real) kept_per_iteration(VALUE(real) c, VALUE(real) e) {
  // The result would be the same without this line, but most coefficients are 0.
  if (c == 0.0f) return 1.0f;
  real power = log2_kept(c) * e;
  return exp2_of(power);
}

FUNCTION(real) rate_per_iteration(VALUE(real) c, VALUE(real) e) {
  real kept = kept_per_iteration(c, e);
  return 1.0f - kept;
}
