// bounds.kernel.h - ends an update for the particles: restores positions that are not finite, replaces tiny coordinates,
// which constraints leave, by zero, and begins to reduce the box around the active particles, if the cloth has any
// statistics. The results of a lane are the least coordinates and the least of their negatives, so that all are minima.
// Negatives are products with -1, since drivers turn 0 - x into -x, whose zeros have another sign.

// Whether snap3 leaves all bits of a vector as they are.
FUNCTION(mask) is_snapped(VALUE(real) d) { return as_int(snap(d)) == as_int(d); }
FUNCTION(mask) is_snapped3(VALUE(real3) v) {
  return mask_and(mask_and(is_snapped(v.x), is_snapped(v.y)), is_snapped(v.z));
}

KERNEL(reduce_bounds) {
  int begin = SETTING_INT(first_particle);
  int padded = SETTING_INT(padded_count);
  // The cloth sleeps.
  if (STEP_INT(iteration_count) == 0) padded = 0;
  int first = first_item(i, 16 * int(reduction_items));
  int end = end_of_items(first, 16 * int(reduction_items), padded);
  real3 low = make3(R(3e38f), R(3e38f), R(3e38f));
  real3 high = make3(R(-3e38f), R(-3e38f), R(-3e38f));
  for (int k = first; k < end; k += 16) {
    real4 position = LOAD4(particles, FRAME(position) + begin, k);
    mask exists = is_active_particle(PASS k, position.w);
    mask good = is_bounded3(XYZ(position));
    IF_ANY(mask_not(mask_and(good, is_snapped3(XYZ(position))))) {
      real4 previous = LOAD4(particles, FRAME(previous) + begin, k);
      position = make4(select3(good, snap3(XYZ(position)), XYZ(previous)), position.w);
      STORE4(particles, FRAME(position) + begin, k, position);
      COUNT_UNLESS(mask_or(good, mask_not(exists)), state.status.non_finite_count);
    }
    low =
        select3(exists, make3(minimum(low.x, position.x), minimum(low.y, position.y), minimum(low.z, position.z)), low);
    high = select3(exists, make3(maximum(high.x, position.x), maximum(high.y, position.y), maximum(high.z, position.z)),
                   high);
  }
  if (SETTING_INT(statistics) != 0) {
    int lanes = SETTING_INT(reduction_lanes);
    int scratch = SETTING_INT(scratch);
    real3 negative = high * R(-1.0f);
    STORE_REAL(tables, scratch, i, low.x);
    STORE_REAL(tables, scratch + lanes, i, low.y);
    STORE_REAL(tables, scratch + 2 * lanes, i, low.z);
    STORE_REAL(tables, scratch + 3 * lanes, i, negative.x);
    STORE_REAL(tables, scratch + 4 * lanes, i, negative.y);
    STORE_REAL(tables, scratch + 5 * lanes, i, negative.z);
  }
}
