// response.kernel.h - the effect of contacts with shapes on a particle. Every shape that contains the particle gives a
// displacement; the particle moves by their average, less what friction removes, and it may count as heavier for a
// while.
// Source: NvCloth, "Internal collision detection documentation"; PhysX 3.4 manual, Cloth, "Collision".

// Sums over the shapes that push a particle.
struct Contacts {
  real3 displacement;
  // Motion of the shapes in this iteration.
  real3 shape_motion;
  real count;
};

FUNCTION(Contacts) no_contacts() {
  Contacts c;
  c.displacement = make3(R(0.0f), R(0.0f), R(0.0f));
  c.shape_motion = make3(R(0.0f), R(0.0f), R(0.0f));
  c.count = R(0.0f);
  return c;
}

FUNCTION(Contacts) add_contact(VALUE(Contacts) c, VALUE(mask) inside, VALUE(real3) displacement, VALUE(real3) motion) {
  real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
  Contacts sum;
  sum.displacement = c.displacement + select3(inside, displacement, none);
  sum.shape_motion = c.shape_motion + select3(inside, motion, none);
  sum.count = c.count + select(inside, R(1.0f), R(0.0f));
  return sum;
}

// The part of a particle's slip along the shapes that friction removes: the tangential part t of its motion relative to
// them in this iteration, at most friction * |displacement|. x is the position before the contacts. Lengths are
// regularised by the smoothing s, as sqrt(l^2 + s^2). With s = 0 this is Coulomb's law; NvCloth has s^2 = FLT_EPSILON,
// whatever the unit of length.
FUNCTION(real3)
slip_taken_back(VALUE(Contacts) c, VALUE(real3) x, VALUE(real3) previous, VALUE(real) friction, VALUE(real) smoothing) {
  real share = divide(R(1.0f), maximum(c.count, R(1.0f)));
  real smoothing2 = maximum(smoothing * smoothing, R(CLOTHC_SMALLEST));
  real depth2 = dot3(c.displacement, c.displacement);
  real inverse_depth = divide(R(1.0f), square_root(depth2 + smoothing2));
  real3 normal = c.displacement * inverse_depth;
  real3 relative = x - previous - c.shape_motion * share;
  real3 tangential = relative - normal * dot3(relative, normal);
  real inverse_slip = divide(R(1.0f), square_root(dot3(tangential, tangential) + smoothing2));
  real part = minimum(R(1.0f), friction * depth2 * inverse_depth * inverse_slip);
  return tangential * part;
}

// Coulomb's friction corrects the position, so that a particle that it holds stays where it is. With a smoothing,
// friction changes only the previous position and thereby the velocity, as in NvCloth: a particle that it holds creeps
// on by what moved it in the iteration.
FUNCTION(bool) friction_holds_positions(CONTEXT_ONLY) { return !IS_POSITIVE(SETTING(friction_smoothing)); }

struct Particle {
  // Position and working inverse mass.
  real4 p;
  // Previous position and inverse mass.
  real4 q;
};

// The state of a particle after its contacts, where x is its position before them. Its previous position matters only
// with friction.
FUNCTION(Particle) after_contacts(CONTEXT VALUE(Contacts) contacts, VALUE(real3) x, VALUE(Particle) particle) {
  real3 average = contacts.displacement * divide(R(1.0f), maximum(contacts.count, R(1.0f)));
  real w = particle.p.w;
  if (IS_POSITIVE(SETTING(collision_mass_scale))) {
    w = divide(w, R(1.0f) + minimum(SETTING(collision_mass_scale) * dot3(average, average), R(1e6f)));
  }
  Particle left = particle;
  if (IS_POSITIVE(SETTING(friction))) {
    real3 slip = slip_taken_back(contacts, x, XYZ(particle.q), SETTING(friction), SETTING(friction_smoothing));
    if (friction_holds_positions(PASS_ONLY)) {
      average = average - slip;
    } else {
      left.q = make4(bounded_or(XYZ(particle.q) + slip, XYZ(particle.q)), particle.q.w);
    }
  }
  left.p = make4(x + snap3(average), w);
  return left;
}

// Stores particle i after its contacts. x is its position before the contacts, p its state at the stage's begin.
FUNCTION(void) leave_contacts(CONTEXT int i, VALUE(Contacts) contacts, VALUE(real3) x, VALUE(real4) p) {
  int first = SETTING_INT(first_particle);
  mask touched = R(0.0f) < contacts.count;
  real4 z = make4(x, p.w);
  IF_ANY(touched) {
    Particle particle;
    particle.p = p;
    particle.q = p;
    if (IS_POSITIVE(SETTING(friction))) particle.q = LOAD4(particles, FRAME(previous) + first, i);
    Particle left = after_contacts(PASS contacts, x, particle);
    z = select4(touched, left.p, z);
    if (IS_POSITIVE(SETTING(friction)) && !friction_holds_positions(PASS_ONLY)) {
      real4 previous = select4(touched, left.q, particle.q);
      STORE4(particles, FRAME(previous) + first, i, previous);
    }
  }
  STORE4(particles, FRAME(position) + first, i, z);
}

// Runs before the collisions of an iteration: ends the higher masses that the last collisions gave.
KERNEL(restore_masses) {
  int first = SETTING_INT(first_particle);
  real4 p = LOAD4(particles, FRAME(position) + first, i);
  real4 q = LOAD4(particles, FRAME(previous) + first, i);
  STORE4(particles, FRAME(position) + first, i, make4(XYZ(p), select(R(0.0f) < p.w, q.w, p.w)));
}

// Whether the box from low to high overlaps the box of a block or a node, which is six words from k on.
FUNCTION(mask) overlaps(CONTEXT int k, VALUE(real3) low, VALUE(real3) high) {
  mask below = mask_and(mask_and(low.x <= TABLE_REAL(k + 3), low.y <= TABLE_REAL(k + 4)), low.z <= TABLE_REAL(k + 5));
  mask above = mask_and(mask_and(TABLE_REAL(k) <= high.x, TABLE_REAL(k + 1) <= high.y), TABLE_REAL(k + 2) <= high.z);
  return mask_and(below, above);
}

FUNCTION(real3) lower_of(VALUE(real3) a, VALUE(real3) b) {
  return make3(minimum(a.x, b.x), minimum(a.y, b.y), minimum(a.z, b.z));
}
FUNCTION(real3) upper_of(VALUE(real3) a, VALUE(real3) b) {
  return make3(maximum(a.x, b.x), maximum(a.y, b.y), maximum(a.z, b.z));
}

// An upper bound on the length of a vector.
FUNCTION(real) manhattan_length(VALUE(real3) way) { return absolute(way.x) + absolute(way.y) + absolute(way.z); }

// The vector whose components are the words from k on.
FUNCTION(real3) vector_at(CONTEXT int k) { return make3(TABLE_REAL(k), TABLE_REAL(k + 1), TABLE_REAL(k + 2)); }

// From and into the coordinates of a shape with a pose; k is the offset of the pose, or that plus posed_before.
FUNCTION(real3) into_shape(CONTEXT int k, VALUE(real3) x) {
  real3 d = x - vector_at(PASS k + int(posed_translation));
  return vector_at(PASS k) * d.x + vector_at(PASS k + 3) * d.y + vector_at(PASS k + 6) * d.z;
}
FUNCTION(real3) along_shape(CONTEXT int k, VALUE(real3) v) {
  return make3(dot3(vector_at(PASS k), v), dot3(vector_at(PASS k + 3), v), dot3(vector_at(PASS k + 6), v));
}
FUNCTION(real3) out_of_shape(CONTEXT int k, VALUE(real3) x) {
  return along_shape(PASS k, x) + vector_at(PASS k + int(posed_translation));
}
