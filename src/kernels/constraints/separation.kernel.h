// separation.kernel.h - keeps each particle outside of a sphere of its own that moves from start to target during the
// update: x += (c - x) min(0, 1 - r / |c - x|). Pinned particles move too. A target radius of zero or less leaves the
// particle alone; a start radius of zero or less means that the constraint is new, so it stays at its target.
// Source: PhysX 3.4 manual, Cloth, "Separation constraints"; NvCloth solver documentation, the same.

KERNEL(constrain_separation) {
  int first = SETTING_INT(first_particle);
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real4 start = LOAD4(particles, BLOCK(separation_start) + first, i);
  real4 target = LOAD4(particles, BLOCK(separation_target) + first, i);
  start = select4(R(0.0f) < start.w, start, target);
  real time = STEP(time);
  real3 centre = make3(interpolate(start.x, target.x, time), interpolate(start.y, target.y, time),
                       interpolate(start.z, target.z, time));
  real radius = interpolate(start.w, target.w, time);
  real3 to_centre = centre - XYZ(position);
  real distance = square_root(dot3(to_centre, to_centre) + CLOTHC_EPSILON);
  real slack = minimum(R(1.0f) - divide(radius, distance), R(0.0f));
  mask constrained = mask_and(R(0.0f) < target.w, is_active(position.w));
  STORE4(particles, FRAME(position) + first, i,
         make4(XYZ(position) + to_centre * select(constrained, slack, R(0.0f)), position.w));
}
