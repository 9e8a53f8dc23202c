// read.kernel.h - writes state into the exchange block for programs to read: in mesh order or per vertex, without
// components that only the library uses, and zero for padding. The argument is the target element of item 0, plus
// read_bias, and read_vertices where the items are vertices.

FUNCTION(real4) load_item(CONTEXT int block, int i) {
  int list = SETTING_INT(storage_order);
  if (HAS_ARGUMENT(read_vertices)) list = SETTING_INT(vertices);
  return load_listed(PASS list, block, i);
}

FUNCTION(void) write_exchange(CONTEXT int i, VALUE(real3) v, VALUE(real) w) {
  int count = SETTING_INT(particle_count);
  if (HAS_ARGUMENT(read_vertices)) count = SETTING_INT(vertex_count);
  mask real_one = LANES(i) < I(count);
  real4 shown = make4(select3(real_one, v, make3(R(0.0f), R(0.0f), R(0.0f))), select(real_one, w, R(0.0f)));
  int target = FRAME(exchange) + (ARGUMENT & int(read_element)) - int(read_bias);
  STORE4(particles, target, i, shown);
}

// w is the inverse mass that the program set, not the working one.
KERNEL(read_channel_position) {
  real4 p = load_item(PASS FRAME(position), i);
  real4 q = load_item(PASS FRAME(previous), i);
  write_exchange(PASS i, XYZ(p), q.w);
}

KERNEL(read_channel_previous) {
  real4 q = load_item(PASS FRAME(previous), i);
  write_exchange(PASS i, XYZ(q), R(0.0f));
}

// (x - x_previous) / h, or the velocity that was set where it has not been applied yet.
KERNEL(read_channel_velocity) {
  real4 v = load_item(PASS FRAME(velocity), i);
  real4 p = load_item(PASS FRAME(position), i);
  real4 q = load_item(PASS FRAME(previous), i);
  real h = STATE(status.iteration_dt);
  mask moved = R(0.0f) < h;
  real rate = divide(R(1.0f), select(moved, h, R(1.0f)));
  real3 d = (XYZ(p) - XYZ(q)) * select(moved, rate, R(0.0f));
  mask is_set = R(0.0f) < v.w;
  write_exchange(PASS i, select3(is_set, XYZ(v), d), R(0.0f));
}

KERNEL(read_channel_acceleration) {
  real4 a = load_item(PASS FRAME(acceleration), i);
  write_exchange(PASS i, XYZ(a), R(0.0f));
}

KERNEL(read_channel_motion_start) {
  real4 m = load_item(PASS FRAME(motion_start), i);
  write_exchange(PASS i, XYZ(m), m.w);
}

KERNEL(read_channel_motion_target) {
  real4 m = load_item(PASS FRAME(motion_target), i);
  write_exchange(PASS i, XYZ(m), m.w);
}

KERNEL(read_channel_separation_start) {
  real4 m = load_item(PASS FRAME(separation_start), i);
  write_exchange(PASS i, XYZ(m), m.w);
}

KERNEL(read_channel_separation_target) {
  real4 m = load_item(PASS FRAME(separation_target), i);
  write_exchange(PASS i, XYZ(m), m.w);
}

KERNEL(read_channel_rest) {
  real4 r = load_item(PASS FRAME(rest), i);
  write_exchange(PASS i, XYZ(r), r.w);
}
