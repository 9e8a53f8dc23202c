// integrate.kernel.h - velocities, gravity, damping and per-particle accelerations move the particles: Verlet
// integration with a correction for a changed time step.
// x' = x + (x - x_previous) damping + g H^2 + a h^2. Source: NvCloth solver documentation, "Integrate particles".

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
  if (HAS_FLAG(cloth_has_acceleration)) {
    real4 a = LOAD4(particles, FRAME(acceleration) + first, i);
    d = d + XYZ(a) * STEP(acceleration_scale);
  }
  mask moves = R(0.0f) < q.w;
  d = make3(select(moves, snap(d.x), R(0.0f)), select(moves, snap(d.y), R(0.0f)), select(moves, snap(d.z), R(0.0f)));
  real3 z = x + d;
  mask fits = is_bounded3(z);
  z = select3(fits, z, x);
  COUNT_UNLESS(mask_and(good, fits), status.non_finite_count);
  real w = select(p.w < R(CLOTHC_SMALLEST), q.w, p.w);
  STORE4(particles, FRAME(position) + first, i, make4(z, w));
  STORE4(particles, FRAME(previous) + first, i, make4(x, q.w));
}

// A velocity set since the last update becomes a previous position, so that the first iteration moves by v h.
KERNEL(apply_velocity) {
  int first = SETTING_INT(first_particle);
  real4 v = LOAD4(particles, FRAME(velocity) + first, i);
  real4 p = LOAD4(particles, FRAME(position) + first, i);
  real4 q = LOAD4(particles, FRAME(previous) + first, i);
  mask is_set = R(0.0f) < v.w;
  real3 y = XYZ(p) - XYZ(v) * STEP(velocity_dt);
  STORE4(particles, FRAME(previous) + first, i, make4(select3(is_set, y, XYZ(q)), q.w));
  STORE4(particles, FRAME(velocity) + first, i, make4(XYZ(v), R(0.0f)));
}
