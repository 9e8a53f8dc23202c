// virtual_particles.kernel.h - virtual particles: weighted sums of three particles that collide with spheres, capsules
// and ellipsoids as particles do. Their displacement goes to the three particles times weight / |weights|^2, so that
// the virtual particle moves by exactly that displacement; pinned particles stay. Virtual particles of one colour share
// no particle; the colours follow one another.
// Source: PhysX 3.4 manual, Cloth, "Virtual Particle Collision"; NvCloth, the same.

// One of the three particles. Its previous position is loaded only where there is friction.
struct VirtualCorner {
  real4 position;
  real4 previous;
  real weight;
};

FUNCTION(VirtualCorner) load_corner(CONTEXT int corner, int i) {
  index_list particle = CONSTRAINT_PARTICLE(corner);
  VirtualCorner loaded;
  loaded.position = GATHER_POSITION(particle);
  loaded.previous = loaded.position;
  loaded.weight = CONSTRAINT_PARAMETER(corner);
  return loaded;
}

FUNCTION(real4) previous_of_corner(CONTEXT int corner, int i) {
  index_list particle = CONSTRAINT_PARTICLE(corner);
  return GATHER4(particles, FRAME(previous) + SETTING_INT(first_particle), particle);
}

// Moves a corner by its share of the push, and its previous position by its share of the slip. lighter is the factor
// that a contact of the whole particle would apply to the inverse mass.
FUNCTION(void)
move_corner(CONTEXT int corner, int i, VALUE(VirtualCorner) state, VALUE(real3) push, VALUE(real3) slip,
            VALUE(real) lighter) {
  int first = SETTING_INT(first_particle);
  index_list particle = CONSTRAINT_PARTICLE(corner);
  real weight = select(R(0.0f) < state.position.w, state.weight, R(0.0f));
  real inverse_mass = state.position.w * (R(1.0f) + (lighter - R(1.0f)) * weight);
  SCATTER_POSITION(particle, make4(XYZ(state.position) + snap3(push * weight), inverse_mass));
  if (IS_POSITIVE(SETTING(friction)) && !friction_holds_positions(PASS_ONLY)) {
    real3 previous = bounded_or(XYZ(state.previous) + snap3(slip * weight), XYZ(state.previous));
    SCATTER4(particles, FRAME(previous) + first, particle, make4(previous, state.previous.w));
  }
}

KERNEL(collide_virtual) {
  VirtualCorner first = load_corner(PASS 0, i);
  VirtualCorner second = load_corner(PASS 1, i);
  VirtualCorner third = load_corner(PASS 2, i);
  real3 position =
      XYZ(first.position) * first.weight + XYZ(second.position) * second.weight + XYZ(third.position) * third.weight;
  Contacts contacts = curved_contacts(PASS position, 0, collision_moves);
  mask in_contact = R(0.0f) < contacts.count;
  IF_ANY(in_contact) {
    real square = first.weight * first.weight + second.weight * second.weight + third.weight * third.weight;
    real share = select(in_contact, divide(R(1.0f), maximum(square, R(1e-6f))), R(0.0f));
    real3 average = contacts.displacement * divide(R(1.0f), maximum(contacts.count, R(1.0f)));
    real3 push = average;
    real3 slip = make3(R(0.0f), R(0.0f), R(0.0f));
    if (IS_POSITIVE(SETTING(friction))) {
      first.previous = previous_of_corner(PASS 0, i);
      second.previous = previous_of_corner(PASS 1, i);
      third.previous = previous_of_corner(PASS 2, i);
      real3 previous = XYZ(first.previous) * first.weight + XYZ(second.previous) * second.weight +
                       XYZ(third.previous) * third.weight;
      slip = slip_taken_back(contacts, position, previous, SETTING(friction), SETTING(friction_smoothing));
      if (friction_holds_positions(PASS_ONLY)) push = push - slip;
    }
    real heavier = minimum(SETTING(collision_mass_scale) * dot3(average, average), R(1e6f));
    real lighter = divide(R(1.0f), R(1.0f) + select(in_contact, heavier, R(0.0f)));
    push = push * share;
    slip = slip * share;
    move_corner(PASS 0, i, first, push, slip, lighter);
    move_corner(PASS 1, i, second, push, slip, lighter);
    move_corner(PASS 2, i, third, push, slip, lighter);
  }
}
