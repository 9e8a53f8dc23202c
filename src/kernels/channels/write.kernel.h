// write.kernel.h - copies values from a program's buffer into the state. Values that are not finite or out of range are
// counted and leave the state as it is; tiny values become zero. Lanes outside the region keep their state.

KERNEL(write_channel_position) {
  real4 v = snap4(LOAD4(particles, FRAME(exchange) + SETTING_INT(first_particle), i));
  real4 p = load_particle(PASS FRAME(position), i);
  real4 q = load_particle(PASS FRAME(previous), i);
  real w = v.w;
  if (HAS_ARGUMENT(write_keep_w)) w = q.w;
  mask good = mask_and(is_bounded3(XYZ(v)), mask_and(R(0.0f) <= w, w <= R(CLOTHC_LARGEST)));
  COUNT_UNLESS(mask_or(good, mask_not(IN_REGION)), status.non_finite_count);
  mask taken = mask_and(good, IN_REGION);
  w = select(taken, w, q.w);
  store_particle(PASS FRAME(position), i, make4(select3(taken, XYZ(v), XYZ(p)), select(taken, w, p.w)));
  if (HAS_ARGUMENT(write_at_rest)) {
    real4 u = load_particle(PASS FRAME(velocity), i);
    store_particle(PASS FRAME(velocity), i, make4(XYZ(u), select(taken, R(0.0f), u.w)));
    store_particle(PASS FRAME(previous), i, make4(select3(taken, XYZ(v), XYZ(q)), w));
  } else {
    store_particle(PASS FRAME(previous), i, make4(XYZ(q), w));
  }
}

KERNEL(write_channel_previous) {
  real4 v = snap4(LOAD4(particles, FRAME(exchange) + SETTING_INT(first_particle), i));
  real4 q = load_particle(PASS FRAME(previous), i);
  real4 u = load_particle(PASS FRAME(velocity), i);
  mask good = is_bounded3(XYZ(v));
  COUNT_UNLESS(mask_or(good, mask_not(IN_REGION)), status.non_finite_count);
  mask taken = mask_and(good, IN_REGION);
  store_particle(PASS FRAME(previous), i, make4(select3(taken, XYZ(v), XYZ(q)), q.w));
  store_particle(PASS FRAME(velocity), i, make4(XYZ(u), select(taken, R(0.0f), u.w)));
}

// Stores exchange values that satisfy the condition into a block, with the given w.
#define CLOTHC_WRITE_CHANNEL(block, good_condition, w_value)                           \
  real4 v = snap4(LOAD4(particles, FRAME(exchange) + SETTING_INT(first_particle), i)); \
  real4 old = load_particle(PASS FRAME(block), i);                                     \
  mask good = good_condition;                                                          \
  COUNT_UNLESS(mask_or(good, mask_not(IN_REGION)), status.non_finite_count);           \
  mask taken = mask_and(good, IN_REGION);                                              \
  store_particle(PASS FRAME(block), i, make4(select3(taken, XYZ(v), XYZ(old)), select(taken, w_value, old.w)));

KERNEL(write_channel_velocity){
    CLOTHC_WRITE_CHANNEL(velocity, is_bounded3(XYZ(v)), R(1.0f))} KERNEL(write_channel_acceleration){
    CLOTHC_WRITE_CHANNEL(acceleration, is_bounded3(XYZ(v)), R(0.0f))} KERNEL(write_channel_motion_start){
    CLOTHC_WRITE_CHANNEL(motion_start, mask_and(is_bounded3(XYZ(v)), is_bounded(v.w)),
                         v.w)} KERNEL(write_channel_motion_target){
    CLOTHC_WRITE_CHANNEL(motion_target, mask_and(is_bounded3(XYZ(v)), is_bounded(v.w)),
                         v.w)} KERNEL(write_channel_separation_start){
    CLOTHC_WRITE_CHANNEL(separation_start, mask_and(is_bounded3(XYZ(v)), is_bounded(v.w)),
                         v.w)} KERNEL(write_channel_separation_target){
    CLOTHC_WRITE_CHANNEL(separation_target, mask_and(is_bounded3(XYZ(v)), is_bounded(v.w)),
                         v.w)} KERNEL(write_channel_rest) {
  CLOTHC_WRITE_CHANNEL(rest, is_bounded3(XYZ(v)), R(1.0f))
}
