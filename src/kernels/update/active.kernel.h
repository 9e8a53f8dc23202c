// active.kernel.h - the active set of a group: which of its particles take part in the simulation. An inactive particle
// has a working inverse mass of -1. Nothing moves it, it acts on nothing, and springs at it are not solved. When it
// becomes active, it goes on from its position and previous position. Particles of cloths are always active.
// Source: Flex manual, "Active Set".

// Whether particles are active, given their working inverse masses.
FUNCTION(mask) is_active(VALUE(real) inverse_mass) { return R(0.0f) <= inverse_mass; }

// Whether lane i is an active particle in storage order.
FUNCTION(mask) is_active_particle(CONTEXT VALUE(int) i, VALUE(real) inverse_mass) {
  return mask_and(is_particle(PASS i), is_active(inverse_mass));
}

// Activates the particles whose word in the list of flags is not 0, and deactivates the others.
KERNEL(write_active) {
  int first = SETTING_INT(first_particle);
  mask activated = mask_not(LOAD_INT(tables, SETTING_INT(active_flags), i) == I(0));
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real4 previous = LOAD4(particles, FRAME(previous) + first, i);
  real inverse_mass = select(is_active(position.w), position.w, previous.w);
  STORE4(particles, FRAME(position) + first, i,
         make4(XYZ(position), select(mask_or(activated, mask_not(is_particle(PASS i))), inverse_mass, R(-1.0f))));
}
