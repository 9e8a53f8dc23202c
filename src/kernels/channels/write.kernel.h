// write.kernel.h - copies values from a program's buffer into the state. Values that are not finite or out of range are
// counted and leave the state as it is; tiny values become zero. Lanes outside the region keep their state.

// Drops velocities that were set and have not been applied yet.
FUNCTION(void) forget_velocity(CONTEXT VALUE(int) i, VALUE(mask) written) {
  if (HAS_BLOCK(velocity)) {
    real4 velocity = load_particle(PASS BLOCK(velocity), i);
    store_particle(PASS BLOCK(velocity), i, make4(XYZ(velocity), select(written, R(0.0f), velocity.w)));
  }
}

KERNEL(write_channel_position) {
  real4 value = snap4(LOAD4(particles, FRAME(exchange) + SETTING_INT(first_particle), i));
  real4 position = load_particle(PASS FRAME(position), i);
  real4 previous = load_particle(PASS FRAME(previous), i);
  real inverse_mass = value.w;
  if (HAS_ARGUMENT(write_keep_w)) inverse_mass = previous.w;
  mask good = mask_and(is_bounded3(XYZ(value)), mask_and(R(0.0f) <= inverse_mass, inverse_mass <= R(CLOTHC_LARGEST)));
  COUNT_UNLESS(mask_or(good, mask_not(IN_REGION)), state.status.non_finite_count);
  mask written = mask_and(good, IN_REGION);
  inverse_mass = select(written, inverse_mass, previous.w);
  mask was_pinned = previous.w <= R(0.0f);
  mask pinned = inverse_mass <= R(0.0f);
  mask neither = mask_not(mask_or(was_pinned, pinned));
  COUNT_UNLESS(mask_or(neither, mask_and(was_pinned, pinned)), step.pin_changes);
  store_particle(PASS FRAME(position), i,
                 make4(select3(written, XYZ(value), XYZ(position)),
                       select(mask_and(written, is_active(position.w)), inverse_mass, position.w)));
  if (HAS_ARGUMENT(write_at_rest)) {
    forget_velocity(PASS i, written);
    store_particle(PASS FRAME(previous), i, make4(select3(written, XYZ(value), XYZ(previous)), inverse_mass));
  } else {
    store_particle(PASS FRAME(previous), i, make4(XYZ(previous), inverse_mass));
  }
}

KERNEL(write_channel_previous) {
  real4 value = snap4(LOAD4(particles, FRAME(exchange) + SETTING_INT(first_particle), i));
  real4 previous = load_particle(PASS FRAME(previous), i);
  mask good = is_bounded3(XYZ(value));
  COUNT_UNLESS(mask_or(good, mask_not(IN_REGION)), state.status.non_finite_count);
  mask written = mask_and(good, IN_REGION);
  store_particle(PASS FRAME(previous), i, make4(select3(written, XYZ(value), XYZ(previous)), previous.w));
  forget_velocity(PASS i, written);
}

// Phases are stored as two floats, so that they are no denormal numbers: x is the number of the particle's group, w
// whether it collides with its own group.
KERNEL(write_channel_particle_phase) {
  inum word = as_int(LOAD4(particles, FRAME(exchange) + SETTING_INT(first_particle), i).x);
  real4 before = load_particle(PASS BLOCK(particle_phase), i);
  mask good = mask_and(I(-1) < word, word < I(2 * int(phase_self_collide)));
  COUNT_UNLESS(mask_or(good, mask_not(IN_REGION)), state.status.non_finite_count);
  mask written = mask_and(good, IN_REGION);
  real number = to_real(word & I(int(phase_group_mask)));
  real collides = select(I(int(phase_group_mask)) < word, R(1.0f), R(0.0f));
  store_particle(
      PASS BLOCK(particle_phase), i,
      make4(make3(select(written, number, before.x), R(0.0f), R(0.0f)), select(written, collides, before.w)));
}

// Stores exchange values that satisfy the condition into a block, with the given w. The arguments may use the value.
#define CLOTHC_WRITE_CHANNEL(block, good_condition, w_value)                               \
  real4 value = snap4(LOAD4(particles, FRAME(exchange) + SETTING_INT(first_particle), i)); \
  real4 before = load_particle(PASS BLOCK(block), i);                                      \
  mask good = good_condition;                                                              \
  COUNT_UNLESS(mask_or(good, mask_not(IN_REGION)), state.status.non_finite_count);         \
  mask written = mask_and(good, IN_REGION);                                                \
  store_particle(PASS BLOCK(block), i,                                                     \
                 make4(select3(written, XYZ(value), XYZ(before)), select(written, w_value, before.w)))

// One kernel per other channel, by what the w of its block becomes (channels.def).
#define CLOTHC_WRITE_own(block)
#define CLOTHC_WRITE_zero(block) \
  KERNEL(write_channel_##block) { CLOTHC_WRITE_CHANNEL(block, is_bounded3(XYZ(value)), R(0.0f)); }
#define CLOTHC_WRITE_one(block) \
  KERNEL(write_channel_##block) { CLOTHC_WRITE_CHANNEL(block, is_bounded3(XYZ(value)), R(1.0f)); }
#define CLOTHC_WRITE_value(block)                                                                 \
  KERNEL(write_channel_##block) {                                                                 \
    CLOTHC_WRITE_CHANNEL(block, mask_and(is_bounded3(XYZ(value)), is_bounded(value.w)), value.w); \
  }
#define CLOTHC_CHANNEL(channel, name, block, format, write, read, group, presence, unset) CLOTHC_WRITE_##write(block)
#include "kernels/channels.def"
#undef CLOTHC_CHANNEL
#undef CLOTHC_WRITE_own
#undef CLOTHC_WRITE_zero
#undef CLOTHC_WRITE_one
#undef CLOTHC_WRITE_value
