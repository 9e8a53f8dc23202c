// virtual_particles.kernel.h - virtual particles: weighted sums of three particles that collide with spheres, capsules
// and ellipsoids as particles do. Their displacement goes to the three particles times weight / |weights|^2, so that
// the virtual particle moves by exactly that displacement; pinned particles stay. Virtual particles of one colour share
// no particle; the colours follow one another.
// Source: PhysX 3.4 manual, Cloth, "Virtual Particle Collision"; NvCloth, the same.

// One of the three particles. The previous position q is loaded only where there is friction.
struct Corner3 {
  real4 p;
  real4 q;
  real weight;
};

FUNCTION(index_list) virtual_corner(CONTEXT int corner, int i) {
  return LOAD_INDICES(fabric, SETTING_INT(virtual_corners) + corner * SETTING_INT(virtual_stride), i);
}

FUNCTION(Corner3) load_corner(CONTEXT int corner, int i) {
  int first = SETTING_INT(first_particle);
  index_list place = virtual_corner(PASS corner, i);
  Corner3 c;
  c.p = GATHER4(particles, FRAME(position) + first, place);
  c.q = c.p;
  c.weight = LOAD_REAL(fabric, SETTING_INT(virtual_weights) + corner * SETTING_INT(virtual_stride), i);
  return c;
}

FUNCTION(real4) previous_of_corner(CONTEXT int corner, int i) {
  index_list place = virtual_corner(PASS corner, i);
  return GATHER4(particles, FRAME(previous) + SETTING_INT(first_particle), place);
}

// Moves a corner by its share of the push, and its previous position by its share of the slip. lighter is the factor
// that a contact of the whole particle would apply to the inverse mass.
FUNCTION(void)
move_corner(CONTEXT int corner, int i, VALUE(Corner3) c, VALUE(real3) push, VALUE(real3) slip, VALUE(real) lighter) {
  int first = SETTING_INT(first_particle);
  index_list place = virtual_corner(PASS corner, i);
  real weight = select(R(0.0f) < c.p.w, c.weight, R(0.0f));
  real w = c.p.w * (R(1.0f) + (lighter - R(1.0f)) * weight);
  SCATTER4(particles, FRAME(position) + first, place, make4(XYZ(c.p) + snap3(push * weight), w));
  if (IS_POSITIVE(SETTING(friction)) && !friction_holds_positions(PASS_ONLY)) {
    real3 y = bounded_or(XYZ(c.q) + snap3(slip * weight), XYZ(c.q));
    SCATTER4(particles, FRAME(previous) + first, place, make4(y, c.q.w));
  }
}

KERNEL(collide_virtual) {
  Corner3 a = load_corner(PASS 0, i);
  Corner3 b = load_corner(PASS 1, i);
  Corner3 c = load_corner(PASS 2, i);
  real3 x = XYZ(a.p) * a.weight + XYZ(b.p) * b.weight + XYZ(c.p) * c.weight;
  Contacts contacts = curved_contacts(PASS x);
  mask touched = R(0.0f) < contacts.count;
  IF_ANY(touched) {
    real square = a.weight * a.weight + b.weight * b.weight + c.weight * c.weight;
    real share = select(touched, divide(R(1.0f), maximum(square, R(1e-6f))), R(0.0f));
    real3 average = contacts.displacement * divide(R(1.0f), maximum(contacts.count, R(1.0f)));
    real3 push = average;
    real3 slip = make3(R(0.0f), R(0.0f), R(0.0f));
    if (IS_POSITIVE(SETTING(friction))) {
      a.q = previous_of_corner(PASS 0, i);
      b.q = previous_of_corner(PASS 1, i);
      c.q = previous_of_corner(PASS 2, i);
      real3 y = XYZ(a.q) * a.weight + XYZ(b.q) * b.weight + XYZ(c.q) * c.weight;
      slip = slip_taken_back(contacts, x, y, SETTING(friction), SETTING(friction_smoothing));
      if (friction_holds_positions(PASS_ONLY)) push = push - slip;
    }
    real heavier = minimum(SETTING(collision_mass_scale) * dot3(average, average), R(1e6f));
    real lighter = divide(R(1.0f), R(1.0f) + select(touched, heavier, R(0.0f)));
    push = push * share;
    slip = slip * share;
    move_corner(PASS 0, i, a, push, slip, lighter);
    move_corner(PASS 1, i, b, push, slip, lighter);
    move_corner(PASS 2, i, c, push, slip, lighter);
  }
}
