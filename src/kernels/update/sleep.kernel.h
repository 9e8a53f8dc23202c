// sleep.kernel.h - counts the particles that move too fast for the cloth to sleep: those of which a component of the
// velocity reaches the threshold. A count does not depend on the order. begin.kernel.h and end.kernel.h decide when to
// test and what the result means.
// Source: NvCloth solver documentation, "Update sleep state", and its recorded trajectories.

FUNCTION(mask) is_still(VALUE(real) coordinate, VALUE(real) limit) { return absolute(coordinate) < limit; }
FUNCTION(mask) is_still3(VALUE(real3) displacement, VALUE(real) limit) {
  return mask_and(mask_and(is_still(displacement.x, limit), is_still(displacement.y, limit)),
                  is_still(displacement.z, limit));
}

// Counts particles that move. Padding, which shapes may push, does not count.
#define CLOTHC_COUNT_MOVING(position, displacement, limit)                                                 \
  mask moves = mask_and(is_active_particle(PASS i, position.w), mask_not(is_still3(displacement, limit))); \
  COUNT_UNLESS(mask_not(moves), state.moving_count);

KERNEL(test_sleep) {
  if (STEP_INT(sleep_test) != 0) {
    int first = SETTING_INT(first_particle);
    real4 position = LOAD4(particles, FRAME(position) + first, i);
    real4 previous = LOAD4(particles, FRAME(previous) + first, i);
    real limit = SETTING(sleep_threshold) * STEP(h);
    real3 displacement = XYZ(position) - XYZ(previous);
    CLOTHC_COUNT_MOVING(position, displacement, limit)
  }
}

// Cloths that collide with cloth tremble from iteration to iteration, because particles fall and are pushed back. They
// sleep if they do not move from update to update.
KERNEL(save_for_sleep) {
  real4 position = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
  STORE_ROW(tables, SETTING_INT(update_start), i, position);
}

KERNEL(test_sleep_of_update) {
  if (STEP_INT(sleep_test) != 0) {
    real4 position = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
    real4 start = LOAD_ROW(tables, SETTING_INT(update_start), i);
    real limit = SETTING(sleep_threshold) * STEP(update_dt);
    real3 displacement = XYZ(position) - XYZ(start);
    CLOTHC_COUNT_MOVING(position, displacement, limit)
  }
}
