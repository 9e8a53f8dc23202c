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
  Contacts none;
  none.displacement = make3(R(0.0f), R(0.0f), R(0.0f));
  none.shape_motion = make3(R(0.0f), R(0.0f), R(0.0f));
  none.count = R(0.0f);
  return none;
}

FUNCTION(Contacts)
add_contact(VALUE(Contacts) contacts, VALUE(mask) inside, VALUE(real3) displacement, VALUE(real3) motion) {
  real3 none = make3(R(0.0f), R(0.0f), R(0.0f));
  Contacts sum;
  sum.displacement = contacts.displacement + select3(inside, displacement, none);
  sum.shape_motion = contacts.shape_motion + select3(inside, motion, none);
  sum.count = contacts.count + select(inside, R(1.0f), R(0.0f));
  return sum;
}

// The part of a particle's slip along the shapes that friction removes: the tangential part t of its motion relative to
// them in this iteration, at most friction * |displacement|. The position is that before the contacts. Lengths are
// regularised by the smoothing s, as sqrt(l^2 + s^2). With s = 0 this is Coulomb's law; NvCloth has s^2 = FLT_EPSILON,
// whatever the unit of length.
FUNCTION(real3)
slip_taken_back(VALUE(Contacts) contacts, VALUE(real3) position, VALUE(real3) previous, VALUE(real) friction,
                VALUE(real) smoothing) {
  real share = divide(R(1.0f), maximum(contacts.count, R(1.0f)));
  real smoothing2 = maximum(smoothing * smoothing, R(CLOTHC_SMALLEST));
  real depth2 = dot3(contacts.displacement, contacts.displacement);
  real inverse_depth = divide(R(1.0f), square_root(depth2 + smoothing2));
  real3 normal = contacts.displacement * inverse_depth;
  real3 relative = position - previous - contacts.shape_motion * share;
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
  real4 position;
  // Previous position and inverse mass.
  real4 previous;
};

// The state of a particle after its contacts, where position is that before them. Its previous position matters only
// with friction.
FUNCTION(Particle) after_contacts(CONTEXT VALUE(Contacts) contacts, VALUE(real3) position, VALUE(Particle) particle) {
  real3 average = contacts.displacement * divide(R(1.0f), maximum(contacts.count, R(1.0f)));
  real inverse_mass = particle.position.w;
  if (IS_POSITIVE(SETTING(collision_mass_scale))) {
    inverse_mass =
        divide(inverse_mass, R(1.0f) + minimum(SETTING(collision_mass_scale) * dot3(average, average), R(1e6f)));
  }
  Particle after = particle;
  if (IS_POSITIVE(SETTING(friction))) {
    real3 slip =
        slip_taken_back(contacts, position, XYZ(particle.previous), SETTING(friction), SETTING(friction_smoothing));
    if (friction_holds_positions(PASS_ONLY)) {
      average = average - slip;
    } else {
      after.previous =
          make4(bounded_or(XYZ(particle.previous) + snap3(slip), XYZ(particle.previous)), particle.previous.w);
    }
  }
  after.position = make4(position + snap3(average), inverse_mass);
  return after;
}

// Stores particle i after its contacts. position is that before the contacts, begin its state at the stage's begin.
// Inactive particles stay as they are.
FUNCTION(void)
leave_contacts(CONTEXT VALUE(int) i, VALUE(Contacts) contacts, VALUE(real3) position, VALUE(real4) begin) {
  int first = SETTING_INT(first_particle);
  mask simulated = is_active(begin.w);
  mask in_contact = mask_and(R(0.0f) < contacts.count, simulated);
  real4 next = make4(select3(simulated, position, XYZ(begin)), begin.w);
  IF_ANY(in_contact) {
    Particle particle;
    particle.position = begin;
    particle.previous = begin;
    if (IS_POSITIVE(SETTING(friction))) particle.previous = LOAD4(particles, FRAME(previous) + first, i);
    Particle after = after_contacts(PASS contacts, position, particle);
    next = select4(in_contact, after.position, next);
    if (IS_POSITIVE(SETTING(friction)) && !friction_holds_positions(PASS_ONLY)) {
      real4 previous = select4(in_contact, after.previous, particle.previous);
      STORE4(particles, FRAME(previous) + first, i, previous);
    }
  }
  STORE4(particles, FRAME(position) + first, i, next);
}

// Runs before the collisions of an iteration: ends the higher masses that the last collisions gave.
KERNEL(restore_masses) {
  int first = SETTING_INT(first_particle);
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real4 previous = LOAD4(particles, FRAME(previous) + first, i);
  STORE4(particles, FRAME(position) + first, i,
         make4(XYZ(position), select(R(0.0f) < position.w, previous.w, position.w)));
}

// The vector whose components are the words from an offset on.
FUNCTION(real3) vector_at(CONTEXT VALUE(int) word) {
  return make3(TABLE_REAL(word), TABLE_REAL(word + 1), TABLE_REAL(word + 2));
}

// Whether the box from low to high overlaps the box of a block, which is given by its offset.
FUNCTION(mask) overlaps(CONTEXT VALUE(int) box, VALUE(real3) low, VALUE(real3) high) {
  return mask_and(is_within3(low, vector_at(PASS box + 3)), is_within3(vector_at(PASS box), high));
}

// An upper bound on the length of a vector.
FUNCTION(real) manhattan_length(VALUE(real3) vector) {
  real3 lengths = absolute3(vector);
  return lengths.x + lengths.y + lengths.z;
}

// Into and out of the coordinates of a shape with a pose. pose is its offset, or that plus posed_before.
FUNCTION(real3) into_shape(CONTEXT VALUE(int) pose, VALUE(real3) position) {
  real3 relative = position - vector_at(PASS pose + int(posed_translation));
  return vector_at(PASS pose) * relative.x + vector_at(PASS pose + 3) * relative.y +
         vector_at(PASS pose + 6) * relative.z;
}
FUNCTION(real3) along_shape(CONTEXT VALUE(int) pose, VALUE(real3) vector) {
  return make3(dot3(vector_at(PASS pose), vector), dot3(vector_at(PASS pose + 3), vector),
               dot3(vector_at(PASS pose + 6), vector));
}
FUNCTION(real3) out_of_shape(CONTEXT VALUE(int) pose, VALUE(real3) local) {
  return along_shape(PASS pose, local) + vector_at(PASS pose + int(posed_translation));
}
