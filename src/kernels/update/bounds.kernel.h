// bounds.kernel.h - computes the box around a cloth's particles at the update's end, and restores positions that are
// not finite. Lane k of n processes the particles k, k + n, k + 2n, ...; end_cloth combines the lanes. Minimum and
// maximum do not depend on the order.

KERNEL(reduce_bounds) {
  int lanes = SETTING_INT(reduction_lanes);
  int first = SETTING_INT(first_particle);
  int padded = SETTING_INT(padded_count);
  // The cloth sleeps.
  if (STEP_INT(iteration_count) == 0) padded = 0;
  real3 low = make3(R(3e38f), R(3e38f), R(3e38f));
  real3 high = make3(R(-3e38f), R(-3e38f), R(-3e38f));
  for (int k = i; k < padded; k += lanes) {
    real4 p = LOAD4(particles, FRAME(position) + first, k);
    mask real_one = is_particle(PASS k);
    mask good = is_bounded3(XYZ(p));
    IF_ANY(mask_not(good)) {
      real4 q = LOAD4(particles, FRAME(previous) + first, k);
      p = make4(select3(good, XYZ(p), XYZ(q)), p.w);
      STORE4(particles, FRAME(position) + first, k, p);
      COUNT_UNLESS(mask_or(good, mask_not(real_one)), status.non_finite_count);
    }
    low = select3(real_one, make3(minimum(low.x, p.x), minimum(low.y, p.y), minimum(low.z, p.z)), low);
    high = select3(real_one, make3(maximum(high.x, p.x), maximum(high.y, p.y), maximum(high.z, p.z)), high);
  }
  int scratch = SETTING_INT(scratch);
  STORE_REAL(tables, scratch, i, low.x);
  STORE_REAL(tables, scratch + lanes, i, low.y);
  STORE_REAL(tables, scratch + 2 * lanes, i, low.z);
  STORE_REAL(tables, scratch + 3 * lanes, i, high.x);
  STORE_REAL(tables, scratch + 4 * lanes, i, high.y);
  STORE_REAL(tables, scratch + 5 * lanes, i, high.z);
}
