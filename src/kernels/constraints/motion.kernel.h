// motion.kernel.h - keeps each particle in its motion constraint, a sphere that moves from start to target during the
// update. A particle outside moves back by the part rate(stiffness) of its distance from the sphere. A radius of zero
// holds the particle and makes its inverse mass zero until the next iteration. Pinned particles follow too. A negative
// target radius leaves the particle alone; a negative start radius means that the constraint is new, so it stays at its
// target.

KERNEL(constrain_motion) {
  int first = SETTING_INT(first_particle);
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real4 start = LOAD4(particles, BLOCK(motion_start) + first, i);
  real4 target = LOAD4(particles, BLOCK(motion_target) + first, i);
  start = select4(start.w < R(0.0f), target, start);
  real time = STEP(time);
  real3 centre = make3(interpolate(start.x, target.x, time), interpolate(start.y, target.y, time),
                       interpolate(start.z, target.z, time));
  real radius = maximum(R(0.0f), interpolate(start.w, target.w, time) * SETTING(motion_constraint_scale) +
                                     SETTING(motion_constraint_bias));
  mask constrained = mask_and(R(0.0f) <= target.w, is_active(position.w));
  real3 to_centre = centre - XYZ(position);
  real distance = square_root(dot3(to_centre, to_centre) + CLOTHC_EPSILON);
  real slack = maximum(R(1.0f) - divide(radius, distance), R(0.0f)) * STEP(motion_rate);
  real3 next = XYZ(position) + to_centre * select(constrained, slack, R(0.0f));
  mask held = mask_and(constrained, radius <= R(0.0f));
  STORE4(particles, FRAME(position) + first, i, make4(next, select(held, R(0.0f), position.w)));
}
