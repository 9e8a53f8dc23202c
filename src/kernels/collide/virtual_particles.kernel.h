// virtual_particles.kernel.h - virtual particles: weighted sums of three particles that collide with spheres, capsules
// and ellipsoids as particles do. Their displacement goes to the three particles times weight / |weights|^2, so that
// the virtual particle moves by exactly that displacement; pinned particles stay. Virtual particles of one colour share
// no particle; the colours follow one another.
// Source: PhysX 3.4 manual, Cloth, "Virtual Particle Collision"; NvCloth, the same.

// One of the three particles. Its previous position matters only where there is friction.
struct VirtualCorner {
  real4 position;
  real4 previous;
  real weight;
};

FUNCTION(VirtualCorner) virtual_corner(VALUE(real4) position, VALUE(real) weight) {
  VirtualCorner corner;
  corner.position = position;
  corner.previous = position;
  corner.weight = weight;
  return corner;
}

FUNCTION(real3) weighted_sum(VALUE(real3) first, VALUE(real3) second, VALUE(real3) third, VALUE(real3) weights) {
  return first * weights.x + second * weights.y + third * weights.z;
}

// The corner moved by its share of the push, and its previous position by its share of the slip. lighter is the factor
// that a contact of the whole particle would apply to the inverse mass. Lanes that are not in contact keep what they
// have: where one of their corners is not finite, neither is what they compute.
FUNCTION(VirtualCorner)
moved_corner(VALUE(VirtualCorner) corner, VALUE(mask) in_contact, VALUE(real3) push, VALUE(real3) slip,
             VALUE(real) lighter) {
  real weight = select(R(0.0f) < corner.position.w, corner.weight, R(0.0f));
  real inverse_mass = corner.position.w * (R(1.0f) + (lighter - R(1.0f)) * weight);
  real3 previous = bounded_or(XYZ(corner.previous) + snap3(slip * weight), XYZ(corner.previous));
  VirtualCorner moved = corner;
  real4 position = make4(XYZ(corner.position) + snap3(push * weight), inverse_mass);
  moved.position = select4(in_contact, position, corner.position);
  moved.previous = select4(in_contact, make4(previous, corner.previous.w), corner.previous);
  return moved;
}

KERNEL(collide_virtual) {
  index_list a = CONSTRAINT_PARTICLE(0);
  index_list b = CONSTRAINT_PARTICLE(1);
  index_list c = CONSTRAINT_PARTICLE(2);
  VirtualCorner first = virtual_corner(GATHER_POSITION(a), CONSTRAINT_PARAMETER(0));
  VirtualCorner second = virtual_corner(GATHER_POSITION(b), CONSTRAINT_PARAMETER(1));
  VirtualCorner third = virtual_corner(GATHER_POSITION(c), CONSTRAINT_PARAMETER(2));
  real3 weights = make3(first.weight, second.weight, third.weight);
  real3 position = weighted_sum(XYZ(first.position), XYZ(second.position), XYZ(third.position), weights);
  Contacts contacts = curved_contacts(PASS position, 0, collision_moves);
  mask in_contact = R(0.0f) < contacts.count;
  IF_ANY(in_contact) {
    real square = dot3(weights, weights);
    real share = divide(R(1.0f), maximum(square, R(1e-6f)));
    real3 average = contacts.displacement * divide(R(1.0f), maximum(contacts.count, R(1.0f)));
    real3 push = average;
    real3 slip = make3(R(0.0f), R(0.0f), R(0.0f));
    block_offset before = FRAME(previous) + SETTING_INT(first_particle);
    if (IS_POSITIVE(SETTING(friction))) {
      first.previous = GATHER4(particles, before, a);
      second.previous = GATHER4(particles, before, b);
      third.previous = GATHER4(particles, before, c);
      real3 previous = weighted_sum(XYZ(first.previous), XYZ(second.previous), XYZ(third.previous), weights);
      slip = slip_taken_back(contacts, position, previous, SETTING(friction), SETTING(friction_smoothing));
      if (friction_holds_positions(PASS_ONLY)) push = push - slip;
    }
    real heavier = minimum(SETTING(collision_mass_scale) * dot3(average, average), R(1e6f));
    real lighter = divide(R(1.0f), R(1.0f) + heavier);
    push = push * share;
    slip = slip * share;
    first = moved_corner(first, in_contact, push, slip, lighter);
    second = moved_corner(second, in_contact, push, slip, lighter);
    third = moved_corner(third, in_contact, push, slip, lighter);
    SCATTER_POSITION(a, first.position);
    SCATTER_POSITION(b, second.position);
    SCATTER_POSITION(c, third.position);
    if (IS_POSITIVE(SETTING(friction)) && !friction_holds_positions(PASS_ONLY)) {
      SCATTER4(particles, before, a, first.previous);
      SCATTER4(particles, before, b, second.previous);
      SCATTER4(particles, before, c, third.previous);
    }
  }
}
