// read.kernel.h - writes state into the exchange block for programs to read: in mesh order or per vertex, without
// components that only the library uses, and zero for padding. The argument is the target element of item 0, plus
// read_bias, and read_vertices where the items are vertices. Positions and directions can be read in the world's
// coordinates too.

FUNCTION(real4) load_item(CONTEXT VALUE(block_offset) block, VALUE(int) i) {
  int list = SETTING_INT(storage_order);
  if (HAS_ARGUMENT(read_vertices)) list = SETTING_INT(vertices);
  return load_list_item(PASS list, block, i);
}

FUNCTION(void) write_exchange(CONTEXT VALUE(int) i, VALUE(real3) xyz, VALUE(real) w) {
  int count = SETTING_INT(particle_count);
  if (HAS_ARGUMENT(read_vertices)) count = SETTING_INT(vertex_count);
  mask exists = LANES(i) < I(count);
  real4 item = make4(select3(exists, xyz, make3(R(0.0f), R(0.0f), R(0.0f))), select(exists, w, R(0.0f)));
  block_offset target = FRAME(exchange) + (ARGUMENT & int(read_element)) - int(read_bias);
  STORE4(particles, target, i, item);
}

// Turns a vector from the frame's coordinates into the world's, if the argument says so: v + 2 w (q x v) + 2 q x (q x
// v) for the quaternion (q, w). Factors are flushed as in surface.kernel.h, so that no value that affects a result
// comes near the denormal numbers.
FUNCTION(real3) turned_into_world(CONTEXT VALUE(real3) vector) {
  real3 result = vector;
  if (HAS_ARGUMENT(read_in_world)) {
    real3 q = make3(POSE(target_rotation_x), POSE(target_rotation_y), POSE(target_rotation_z));
    real w = POSE(target_rotation_w);
    if (HAS_ARGUMENT(read_at_start)) {
      q = make3(POSE(start_rotation_x), POSE(start_rotation_y), POSE(start_rotation_z));
      w = POSE(start_rotation_w);
    }
    q = flush_tiny3(q);
    real3 v = flush_tiny3(vector);
    real3 half_way = flush_tiny3(cross3(q, v));
    real3 change = half_way * flush_tiny(w) + cross3(q, half_way);
    result = vector + (change + change);
  }
  return result;
}

FUNCTION(void) write_position(CONTEXT VALUE(int) i, VALUE(real3) position, VALUE(real) w) {
  real3 result = turned_into_world(PASS position);
  if (HAS_ARGUMENT(read_in_world)) {
    real3 origin = make3(POSE(target_x), POSE(target_y), POSE(target_z));
    if (HAS_ARGUMENT(read_at_start)) origin = make3(POSE(start_x), POSE(start_y), POSE(start_z));
    result = result + origin;
  }
  write_exchange(PASS i, result, w);
}

// w is the inverse mass that the program set, not the working one.
KERNEL(read_channel_position) {
  real4 position = load_item(PASS FRAME(position), i);
  real4 previous = load_item(PASS FRAME(previous), i);
  write_position(PASS i, XYZ(position), previous.w);
}

KERNEL(read_channel_previous) {
  real4 previous = load_item(PASS FRAME(previous), i);
  write_position(PASS i, XYZ(previous), R(0.0f));
}

// (x - x_previous) / h, or the velocity that was set where it has not been applied yet.
KERNEL(read_channel_velocity) {
  real4 set_velocity = make4(make3(R(0.0f), R(0.0f), R(0.0f)), R(0.0f));
  if (HAS_BLOCK(velocity)) set_velocity = load_item(PASS BLOCK(velocity), i);
  real4 position = load_item(PASS FRAME(position), i);
  real4 previous = load_item(PASS FRAME(previous), i);
  real h = STATE(status.iteration_dt);
  mask moved = R(0.0f) < h;
  real rate = divide(R(1.0f), select(moved, h, R(1.0f)));
  real3 velocity = (XYZ(position) - XYZ(previous)) * select(moved, rate, R(0.0f));
  mask is_set = R(0.0f) < set_velocity.w;
  velocity = select3(is_set, XYZ(set_velocity), velocity);
  write_exchange(PASS i, turned_into_world(PASS velocity), R(0.0f));
}

// Programs read one word, which is x. As a float it may be a denormal number, so it is only selected and stored.
KERNEL(read_channel_particle_phase) {
  inum word = phase_word(load_item(PASS BLOCK(particle_phase), i));
  write_exchange(PASS i, make3(as_real(word), R(0.0f), R(0.0f)), R(0.0f));
}

// One kernel per other channel, by what a program reads as w (channels.def).
#define CLOTHC_READ_own(block)
#define CLOTHC_READ_zero(block)                    \
  KERNEL(read_channel_##block) {                   \
    real4 value = load_item(PASS BLOCK(block), i); \
    write_exchange(PASS i, XYZ(value), R(0.0f));   \
  }
#define CLOTHC_READ_value(block)                   \
  KERNEL(read_channel_##block) {                   \
    real4 value = load_item(PASS BLOCK(block), i); \
    write_exchange(PASS i, XYZ(value), value.w);   \
  }
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) CLOTHC_READ_##read(block)
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_READ_own
#undef CLOTHC_READ_zero
#undef CLOTHC_READ_value
