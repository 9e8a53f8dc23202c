// integrate.kernel.h - moves particles by velocity, gravity, damping, per-particle acceleration and the motion of the
// cloth's frame: Verlet integration with a correction for a changed time step.
// x' = x + (x - x_previous) damping + g H^2 + a h^2. Source: NvCloth solver documentation, "Integrate particles".

// In a frame that turns, the displacement depends on the position (frame.kernel.h).
FUNCTION(real3) displacement_in_turn(CONTEXT VALUE(real3) position, VALUE(real3) previous) {
  real current_x = STEP(current_xx) * position.x + STEP(current_xy) * position.y + STEP(current_xz) * position.z;
  real current_y = STEP(current_yx) * position.x + STEP(current_yy) * position.y + STEP(current_yz) * position.z;
  real current_z = STEP(current_zx) * position.x + STEP(current_zy) * position.y + STEP(current_zz) * position.z;
  real previous_x = STEP(previous_xx) * previous.x + STEP(previous_xy) * previous.y + STEP(previous_xz) * previous.z;
  real previous_y = STEP(previous_yx) * previous.x + STEP(previous_yy) * previous.y + STEP(previous_yz) * previous.z;
  real previous_z = STEP(previous_zx) * previous.x + STEP(previous_zy) * previous.y + STEP(previous_zz) * previous.z;
  return make3(current_x + previous_x + STEP(bias_x), current_y + previous_y + STEP(bias_y),
               current_z + previous_z + STEP(bias_z));
}

struct Integrated {
  real4 position;
  real4 previous;
};

// The position and the previous position of a particle after one step. accelerated: what its own acceleration adds.
// Inactive particles stay as they are. Coordinates that constraints have made tiny since the last step become zero.
FUNCTION(Integrated)
integrated(CONTEXT VALUE(real4) current, VALUE(real4) before, VALUE(real3) accelerated, VALUE(mask) exists) {
  real3 position = snap3(XYZ(current));
  real3 previous = XYZ(before);
  mask good = is_bounded3(position);
  position = select3(good, position, previous);
  real3 damping = make3(STEP(damping_x), STEP(damping_y), STEP(damping_z));
  real3 displacement =
      make3((position.x - previous.x) * damping.x + STEP(bias_x), (position.y - previous.y) * damping.y + STEP(bias_y),
            (position.z - previous.z) * damping.z + STEP(bias_z));
  if (STEP_INT(turning) != 0) displacement = displacement_in_turn(PASS position, previous);
  displacement = displacement + accelerated;
  mask moves = R(0.0f) < before.w;
  displacement = select3(moves, snap3(displacement), make3(R(0.0f), R(0.0f), R(0.0f)));
  real3 next = position + displacement;
  real3 carried = position + make3(STEP(previous_bias_x), STEP(previous_bias_y), STEP(previous_bias_z));
  mask fits = mask_and(is_bounded3(next), is_bounded3(carried));
  real3 next_previous = select3(moves, carried, position);
  real inverse_mass = select(current.w < R(CLOTHC_SMALLEST), before.w, current.w);
  Integrated result;
  result.position = make4(next, inverse_mass);
  result.previous = make4(next_previous, before.w);
  mask in_bounds = mask_and(good, fits);
  mask simulated = is_active(current.w);
  IF_ANY(mask_not(mask_and(in_bounds, simulated))) {
    COUNT_UNLESS(mask_or(in_bounds, mask_not(exists)), state.status.non_finite_count);
    real3 kept = select3(fits, next, position);
    real3 kept_previous = select3(fits, next_previous, position);
    result.position = select4(simulated, make4(kept, inverse_mass), current);
    result.previous = select4(simulated, make4(kept_previous, before.w), before);
  }
  return result;
}

KERNEL(integrate) {
  int first = SETTING_INT(first_particle);
  real4 current = LOAD4(particles, FRAME(position) + first, i);
  real4 before = LOAD4(particles, FRAME(previous) + first, i);
  real3 accelerated = make3(R(0.0f), R(0.0f), R(0.0f));
  if (HAS_BLOCK(acceleration)) {
    real4 acceleration = LOAD4(particles, BLOCK(acceleration) + first, i);
    accelerated = XYZ(acceleration) * STEP(acceleration_scale);
  }
  Integrated result = integrated(PASS current, before, accelerated, is_particle(PASS i));
  STORE4(particles, FRAME(position) + first, i, result.position);
  STORE4(particles, FRAME(previous) + first, i, result.previous);
}

// Turns a velocity that was set since the last update into a previous position, so that the first iteration moves the
// particle by v h. In an update that is held back no iteration runs that could restore a result that is out of bounds.
// The kernel may run where no velocity has been set.
KERNEL(apply_velocity) {
  if (HAS_BLOCK(velocity)) {
    int first = SETTING_INT(first_particle);
    real4 velocity = LOAD4(particles, BLOCK(velocity) + first, i);
    real4 position = LOAD4(particles, FRAME(position) + first, i);
    real4 before = LOAD4(particles, FRAME(previous) + first, i);
    mask is_set = R(0.0f) < velocity.w;
    real3 previous = XYZ(position) - XYZ(velocity) * STEP(velocity_dt);
    mask applies = is_set;
    if (STEP_INT(iteration_count) == 0) {
      applies = mask_and(is_set, is_bounded3(previous));
      COUNT_UNLESS(mask_or(applies, mask_not(is_set)), state.status.non_finite_count);
    }
    STORE4(particles, FRAME(previous) + first, i, make4(select3(applies, previous, XYZ(before)), before.w));
    STORE4(particles, BLOCK(velocity) + first, i, make4(XYZ(velocity), R(0.0f)));
  }
}
