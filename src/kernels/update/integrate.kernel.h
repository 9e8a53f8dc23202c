// integrate.kernel.h - moves particles by velocity, gravity, damping, per-particle acceleration and the motion of the
// cloth's frame: Verlet integration with a correction for a changed time step.
// x' = x + (x - x_previous) damping + g H^2 + a h^2. Source: NvCloth solver documentation, "Integrate particles".

// In a frame that turns, the displacement depends on the position (frame.kernel.h).
FUNCTION(real3) displacement_in_turn(CONTEXT VALUE(real3) x, VALUE(real3) y) {
  real cx = STEP(current_xx) * x.x + STEP(current_xy) * x.y + STEP(current_xz) * x.z;
  real cy = STEP(current_yx) * x.x + STEP(current_yy) * x.y + STEP(current_yz) * x.z;
  real cz = STEP(current_zx) * x.x + STEP(current_zy) * x.y + STEP(current_zz) * x.z;
  real px = STEP(previous_xx) * y.x + STEP(previous_xy) * y.y + STEP(previous_xz) * y.z;
  real py = STEP(previous_yx) * y.x + STEP(previous_yy) * y.y + STEP(previous_yz) * y.z;
  real pz = STEP(previous_zx) * y.x + STEP(previous_zy) * y.y + STEP(previous_zz) * y.z;
  return make3(cx + px + STEP(bias_x), cy + py + STEP(bias_y), cz + pz + STEP(bias_z));
}

KERNEL(integrate) {
  int first = SETTING_INT(first_particle);
  real4 p = LOAD4(particles, FRAME(position) + first, i);
  real4 q = LOAD4(particles, FRAME(previous) + first, i);
  real3 x = XYZ(p);
  real3 y = XYZ(q);
  mask good = is_bounded3(x);
  x = select3(good, x, y);
  real3 damping = make3(STEP(damping_x), STEP(damping_y), STEP(damping_z));
  real3 d = make3((x.x - y.x) * damping.x + STEP(bias_x), (x.y - y.y) * damping.y + STEP(bias_y),
                  (x.z - y.z) * damping.z + STEP(bias_z));
  if (STEP_INT(turning) != 0) d = displacement_in_turn(PASS x, y);
  if (HAS_FLAG(cloth_has_acceleration)) {
    real4 a = LOAD4(particles, FRAME(acceleration) + first, i);
    d = d + XYZ(a) * STEP(acceleration_scale);
  }
  mask moves = R(0.0f) < q.w;
  d = select3(moves, snap3(d), make3(R(0.0f), R(0.0f), R(0.0f)));
  real3 z = x + d;
  real3 b = x + make3(STEP(previous_bias_x), STEP(previous_bias_y), STEP(previous_bias_z));
  mask fits = mask_and(is_bounded3(z), is_bounded3(b));
  z = select3(fits, z, x);
  b = select3(mask_and(fits, moves), b, x);
  COUNT_UNLESS(mask_or(mask_and(good, fits), mask_not(is_particle(PASS i))), status.non_finite_count);
  real w = select(p.w < R(CLOTHC_SMALLEST), q.w, p.w);
  STORE4(particles, FRAME(position) + first, i, make4(z, w));
  STORE4(particles, FRAME(previous) + first, i, make4(b, q.w));
}

// Turns a velocity that was set since the last update into a previous position, so that the first iteration moves the
// particle by v h. In an update that is held back no iteration runs that could restore a result that is out of bounds.
KERNEL(apply_velocity) {
  int first = SETTING_INT(first_particle);
  real4 v = LOAD4(particles, FRAME(velocity) + first, i);
  real4 p = LOAD4(particles, FRAME(position) + first, i);
  real4 q = LOAD4(particles, FRAME(previous) + first, i);
  mask is_set = R(0.0f) < v.w;
  real3 y = XYZ(p) - XYZ(v) * STEP(velocity_dt);
  mask applies = is_set;
  if (STEP_INT(iteration_count) == 0) {
    applies = mask_and(is_set, is_bounded3(y));
    COUNT_UNLESS(mask_or(applies, mask_not(is_set)), status.non_finite_count);
  }
  STORE4(particles, FRAME(previous) + first, i, make4(select3(applies, y, XYZ(q)), q.w));
  STORE4(particles, FRAME(velocity) + first, i, make4(XYZ(v), R(0.0f)));
}
