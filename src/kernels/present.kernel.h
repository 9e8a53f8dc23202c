// present.kernel.h - state becomes what a program reads: in the order of the mesh, without words that have a meaning of
// their own inside, zero where there is no particle.

FUNCTION(void) present(CONTEXT int i, VALUE(real3) v, VALUE(real) w) {
  mask real_one = LANES(i) < I(SETTING_INT(particle_count));
  real4 shown = make4(select3(real_one, v, make3(R(0.0f), R(0.0f), R(0.0f))), select(real_one, w, R(0.0f)));
  STORE4(particles, FRAME(exchange) + SETTING_INT(first_particle), i, shown);
}

// With the inverse mass that the program gave, not the working one.
KERNEL(present_position) {
  real4 p = load_particle(PASS FRAME(position), i);
  real4 q = load_particle(PASS FRAME(previous), i);
  present(PASS i, XYZ(p), q.w);
}

KERNEL(present_previous) {
  real4 q = load_particle(PASS FRAME(previous), i);
  present(PASS i, XYZ(q), R(0.0f));
}

// (x - x_previous) / h, or the velocities set and not applied yet.
KERNEL(present_velocity) {
  real4 v = load_particle(PASS FRAME(velocity), i);
  real4 p = load_particle(PASS FRAME(position), i);
  real4 q = load_particle(PASS FRAME(previous), i);
  real h = STATE(status.iteration_dt);
  mask moved = R(0.0f) < h;
  real rate = divide(R(1.0f), select(moved, h, R(1.0f)));
  real3 d = (XYZ(p) - XYZ(q)) * select(moved, rate, R(0.0f));
  mask is_set = R(0.0f) < v.w;
  present(PASS i, select3(is_set, XYZ(v), d), R(0.0f));
}

KERNEL(present_acceleration) {
  real4 a = load_particle(PASS FRAME(acceleration), i);
  present(PASS i, XYZ(a), R(0.0f));
}

KERNEL(present_motion_start) {
  real4 m = load_particle(PASS FRAME(motion_start), i);
  present(PASS i, XYZ(m), m.w);
}

KERNEL(present_motion_target) {
  real4 m = load_particle(PASS FRAME(motion_target), i);
  present(PASS i, XYZ(m), m.w);
}
