// report.kernel.h - reports which shapes push which particles in the last iteration of an update. The collisions of
// that iteration are computed once more from the particles' state before them, by another variant of the same kernels:
// first to count the contacts of each particle, then, when the position of each particle's contacts in the list is
// known, to record them. Kernels that run in mesh order give the contacts that order. Drivers compile a copy of the
// code that records a contact for each kind of collision, so it records only what is not known later;
// finish_contacts.kernel.h adds the rest.

// Tables of a cloth, report_words words per particle. Rows of its particles before the collisions: x y z and working
// inverse mass, then previous positions and inverse mass. Per storage index: the index of the particle's next contact
// or, while contacts are counted, the bitwise complement of the number of its contacts so far. Per kind of collision and
// storage index: the number of shapes that contain the particle. Then rows as the update left them.
#define REPORT_PREVIOUS (SETTING_INT(report) + 4 * SETTING_INT(particle_stride))
#define REPORT_CURSORS (SETTING_INT(report) + 8 * SETTING_INT(particle_stride))
#define REPORT_COUNTS(kind) (SETTING_INT(report) + (9 + (kind)) * SETTING_INT(particle_stride))
#define REPORT_END (SETTING_INT(report) + 13 * SETTING_INT(particle_stride))
#define REPORT_END_PREVIOUS (SETTING_INT(report) + 17 * SETTING_INT(particle_stride))

// Runs in every iteration before its collisions; reports use what the last iteration stored.
KERNEL(save_for_report) {
  int first = SETTING_INT(first_particle);
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real4 previous = LOAD4(particles, FRAME(previous) + first, i);
  STORE_ROW(tables, SETTING_INT(report), i, position);
  STORE_ROW(tables, REPORT_PREVIOUS, i, previous);
}

// Otherwise the cloth sleeps and reports no contacts.
#define REPORT_IS_DUE (0 < STEP_INT(iteration_count))

// Puts the particles back into the state before the collisions, so that these can be computed again, and at the end
// into the state in which the update left them.
KERNEL(rewind_for_report) {
  int cursors = REPORT_CURSORS;
  unum none = U(0xffffffffu);
  if (HAS_ARGUMENT(report_counts)) STORE_BITS(tables, cursors, i, none);
  if (REPORT_IS_DUE) {
    int first = SETTING_INT(first_particle);
    if (HAS_ARGUMENT(report_saves)) {
      real4 position = LOAD4(particles, FRAME(position) + first, i);
      real4 previous = LOAD4(particles, FRAME(previous) + first, i);
      STORE_ROW(tables, REPORT_END, i, position);
      STORE_ROW(tables, REPORT_END_PREVIOUS, i, previous);
    }
    int behind = HAS_ARGUMENT(report_ends) ? REPORT_END - SETTING_INT(report) : 0;
    real4 position = LOAD_ROW(tables, SETTING_INT(report) + behind, i);
    real4 previous = LOAD_ROW(tables, REPORT_PREVIOUS + behind, i);
    STORE4(particles, FRAME(position) + first, i, position);
    STORE4(particles, FRAME(previous) + first, i, previous);
  }
}

// Whether a variant of the kernels that collide reports contacts. Shaders that never do define this as false.
#ifndef REPORTS
#define REPORTS(variant) ((variant) == collision_reports)
#endif

// The position and working inverse mass of particle i. Constraints may have left tiny coordinates, which devices that
// flush denormals do not agree on; whether a particle is inside a shape must not depend on them.
FUNCTION(real4) colliding_particle(CONTEXT VALUE(int) i) {
  real4 particle = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
  return make4(snap3(XYZ(particle)), particle.w);
}

// Whether a particle takes part in a collision.
FUNCTION(mask) collides(CONTEXT VALUE(real4) position, VALUE(int) variant) {
  mask simulated = is_active(position.w);
  if (REPORTS(variant) && !REPORT_IS_DUE) simulated = R(1.0f) < R(0.0f);
  return simulated;
}

// The state of a particle in one kind of collision.
struct Collision {
  Contacts contacts;
  // In the variant that reports, the word at the particle's cursor.
  inum next;
};

FUNCTION(Collision) begin_collision(CONTEXT VALUE(int) i, VALUE(int) variant) {
  Collision collision;
  collision.contacts = no_contacts();
  collision.next = I(-1);
  if (REPORTS(variant)) collision.next = LOAD_INT(tables, REPORT_CURSORS, i);
  return collision;
}

// Contacts are reported shape by shape: shapes are tested in turns of one shape each. Otherwise there is one turn.
FUNCTION(int) turns_of(VALUE(int) shape_count, VALUE(int) variant) { return REPORTS(variant) ? shape_count : 1; }

struct ShapeRange {
  int begin;
  int end;
};

// Which of the shapes of a kind are tested in a turn; before them come the given number of other shapes.
FUNCTION(ShapeRange) shapes_of_turn(VALUE(int) turn, VALUE(int) others, VALUE(int) count, VALUE(int) variant) {
  ShapeRange shapes;
  shapes.begin = 0;
  shapes.end = count;
  if (REPORTS(variant)) {
    int number = turn - others;
    bool is_among_them = 0 <= number && number < count;
    shapes.begin = is_among_them ? number : 0;
    shapes.end = is_among_them ? number + 1 : 0;
  }
  return shapes;
}

FUNCTION(Contacts) sum_of(VALUE(Contacts) a, VALUE(Contacts) b) {
  Contacts sum;
  sum.displacement = a.displacement + b.displacement;
  sum.shape_motion = a.shape_motion + b.shape_motion;
  sum.count = a.count + b.count;
  return sum;
}

// Words of a contact, which is given by its offset.
FUNCTION(void) record_word(CONTEXT VALUE(uint) word, VALUE(inum) contact, VALUE(inum) value, VALUE(mask) counts) {
  SCATTER_INT(tables, int(word), contact, value, counts);
}

FUNCTION(void) record_vector(CONTEXT VALUE(uint) word, VALUE(inum) contact, VALUE(real3) value, VALUE(mask) counts) {
  inum x = as_int(value.x);
  inum y = as_int(value.y);
  inum z = as_int(value.z);
  record_word(PASS word, contact, x, counts);
  record_word(PASS word + 1u, contact, y, counts);
  record_word(PASS word + 2u, contact, z, counts);
}

// Adds the contacts of a turn to a collision. Continuous collision has taken the particle from the start to where it is.
// One that constraints have thrown out of the range of coordinates has no contacts: the update's end takes it back.
FUNCTION(Collision)
end_turn_on_path(CONTEXT VALUE(Collision) collision, VALUE(Contacts) contacts, VALUE(real3) start,
                 VALUE(real4) particle, VALUE(int) kind, VALUE(int) turn, VALUE(int) variant) {
  Collision next = collision;
  next.contacts = contacts;
  if (REPORTS(variant)) {
    real3 push = XYZ(particle) - start;
    mask in_contact = mask_or(R(0.0f) < contacts.count, R(0.0f) < dot3(push, push));
    push = push + contacts.displacement;
    real3 point = start + push;
    in_contact = mask_and(in_contact, mask_and(is_active(particle.w), is_bounded3(point)));
    mask is_counted = collision.next < I(0);
    mask is_recorded = mask_and(mask_not(is_counted), collision.next < I(SETTING_INT(contact_capacity)));
    is_recorded = mask_and(in_contact, is_recorded);
    next.contacts = sum_of(collision.contacts, contacts);
    next.next = collision.next + select_int(in_contact, select_int(is_counted, I(-1), I(1)), I(0));
    IF_ANY(is_recorded) {
      inum contact = select_int(is_recorded, collision.next, I(0)) * I(int(contact_words));
      contact = contact + I(SETTING_INT(contact_records));
      record_word(PASS contact_kind, contact, I(kind), is_recorded);
      record_word(PASS contact_shape, contact, I(turn), is_recorded);
      record_vector(PASS contact_point, contact, point, is_recorded);
      record_vector(PASS contact_normal, contact, push, is_recorded);
    }
  }
  return next;
}

FUNCTION(Collision)
end_turn(CONTEXT VALUE(Collision) collision, VALUE(Contacts) contacts, VALUE(real4) particle, VALUE(int) kind,
         VALUE(int) turn, VALUE(int) variant) {
  return end_turn_on_path(PASS collision, contacts, XYZ(particle), particle, kind, turn, variant);
}

// Stores particle i after its collision of this kind; see leave_contacts.
FUNCTION(void)
end_collision(CONTEXT VALUE(int) i, VALUE(Collision) collision, VALUE(real3) position, VALUE(real4) begin,
              VALUE(int) kind, VALUE(int) variant) {
  if (REPORTS(variant)) {
    unum cursor = to_unsigned(collision.next);
    STORE_BITS(tables, REPORT_CURSORS, i, cursor);
    STORE_REAL(tables, REPORT_COUNTS(kind), i, collision.contacts.count);
  }
  leave_contacts(PASS i, collision.contacts, position, begin);
}

// Writes the counts of a cloth's particles in mesh order.
KERNEL(order_contacts) {
  mask exists = is_particle(PASS i);
  inum count = I(-1) - load_table_word(PASS REPORT_CURSORS, i);
  unum bits = to_unsigned(select_int(exists, count, I(0)));
  STORE_BITS(tables, SETTING_INT(contact_counts), i, bits);
}

// Runs after the exclusive sum of the counts. Padding particles may be inside shapes: their cursors are at the end of
// the records, so that their contacts are dropped.
KERNEL(scatter_contacts) {
  mask exists = is_particle(PASS i);
  inum end = I(SETTING_INT(contact_capacity));
  inum cursor = select_int(exists, LOAD_INT(tables, SETTING_INT(contact_counts), i), end);
  unum bits = to_unsigned(cursor);
  store_table_word(PASS REPORT_CURSORS, i, bits);
}
