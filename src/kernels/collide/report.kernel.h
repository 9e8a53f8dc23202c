// report.kernel.h - reports which shapes push which particles in the last iteration of an update. The collisions of
// that iteration are computed once more, shape by shape, from the particles' state before them: first to count the
// contacts of each particle, then, when the position of each particle's contacts in the list is known, to write them.
// Kernels that run in mesh order give the contacts that order. Each kind of collision has a kernel of its own, so that
// drivers compile only what a program has.

// Tables of a cloth, report_words words per particle. Rows of its particles: x y z and working inverse mass, then
// previous positions and inverse mass. Per storage index: the index of the particle's next contact or, before that is
// known, the bitwise complement of the number of its contacts so far. Per storage index: the particle's number in the
// mesh. Then copies of the rows, which the collisions change.
#define REPORT_PREVIOUS (SETTING_INT(report) + 4 * SETTING_INT(particle_stride))
#define REPORT_CURSORS (SETTING_INT(report) + 8 * SETTING_INT(particle_stride))
#define REPORT_NUMBERS (SETTING_INT(report) + 9 * SETTING_INT(particle_stride))
#define REPORT_MOVED (SETTING_INT(report) + 10 * SETTING_INT(particle_stride))
#define REPORT_MOVED_PREVIOUS (SETTING_INT(report) + 14 * SETTING_INT(particle_stride))

// Runs in every iteration before its collisions; reports use what the last iteration stored.
KERNEL(save_for_report) {
  int first = SETTING_INT(first_particle);
  real4 position = LOAD4(particles, FRAME(position) + first, i);
  real4 previous = LOAD4(particles, FRAME(previous) + first, i);
  STORE_ROW(tables, SETTING_INT(report), i, position);
  STORE_ROW(tables, REPORT_PREVIOUS, i, previous);
}

// Runs before the collisions are computed again, without report_writes to count contacts and with it to write them.
KERNEL(begin_report) {
  real4 position = LOAD_ROW(tables, SETTING_INT(report), i);
  real4 previous = LOAD_ROW(tables, REPORT_PREVIOUS, i);
  STORE_ROW(tables, REPORT_MOVED, i, position);
  STORE_ROW(tables, REPORT_MOVED_PREVIOUS, i, previous);
  int cursors = REPORT_CURSORS;
  unum none = U(0xffffffffu);
  if (!HAS_ARGUMENT(report_writes)) STORE_BITS(tables, cursors, i, none);
}

struct ContactCollector {
  Particle particle;
  // Position in the current stage, which continuous collision changes on the way, and position before the iteration.
  real3 position;
  real3 before;
  // Contacts of the stage.
  Contacts contacts;
  // Index of the first contact of the stage.
  inum first;
  // Number of contacts so far, or the index of the next contact.
  inum next;
};

FUNCTION(ContactCollector) begin_stage(CONTEXT int i) {
  ContactCollector stage;
  stage.particle.position = LOAD_ROW(tables, REPORT_MOVED, i);
  stage.particle.previous = LOAD_ROW(tables, REPORT_MOVED_PREVIOUS, i);
  stage.position = XYZ(stage.particle.position);
  stage.before = XYZ(stage.particle.previous);
  stage.contacts = no_contacts();
  inum cursor = LOAD_INT(tables, REPORT_CURSORS, i);
  stage.next = cursor;
  if (!HAS_ARGUMENT(report_writes)) stage.next = I(-1) - cursor;
  stage.first = stage.next;
  return stage;
}

// Words of a contact; clothc_contact has the layout.
FUNCTION(void) write_word(CONTEXT int word, VALUE(inum) contact, VALUE(unum) value, VALUE(mask) counts) {
  SCATTER_INT(tables, SETTING_INT(contact_records) + word, contact * I(int(contact_words)), to_signed(value), counts);
}

FUNCTION(void) write_vector(CONTEXT int word, VALUE(inum) contact, VALUE(real3) value, VALUE(mask) counts) {
  unum x = as_bits(value.x);
  unum y = as_bits(value.y);
  unum z = as_bits(value.z);
  write_word(PASS word, contact, x, counts);
  write_word(PASS word + 1, contact, y, counts);
  write_word(PASS word + 2, contact, z, counts);
}

// The collider set of a shape: shape k among the shapes that the sets count in the word count_word.
FUNCTION(int) set_of_shape(CONTEXT int count_word, int k) {
  int left = k;
  int s = 0;
  while (TABLE_INT(TABLE_INT(SETTING_INT(collider_table) + s) + count_word) <= left) {
    left = left - TABLE_INT(TABLE_INT(SETTING_INT(collider_table) + s) + count_word);
    s = s + 1;
  }
  return TABLE_INT(SETTING_INT(collider_table) + s);
}

// The number of these shapes in the sets before the given one.
FUNCTION(int) shapes_before(CONTEXT int count_word, int set) {
  int before = 0;
  for (int s = 0; TABLE_INT(SETTING_INT(collider_table) + s) != set; ++s) {
    before = before + TABLE_INT(TABLE_INT(SETTING_INT(collider_table) + s) + count_word);
  }
  return before;
}

FUNCTION_APART(void)
write_contact(CONTEXT int i, VALUE(ContactCollector) collector, VALUE(mask) in_contact, VALUE(real3) push,
              VALUE(real3) point, int kind, int count_word, int k, VALUE(inum) triangle) {
  mask counts =
      mask_and(in_contact, mask_and(I(-1) < collector.next, collector.next < I(SETTING_INT(contact_capacity))));
  IF_ANY(counts) {
    int set = set_of_shape(PASS count_word, k);
    int shape = k - shapes_before(PASS count_word, set);
    int named = kind;
    inum number = I(shape);
    inum part = triangle;
    if (kind == int(contact_mesh) || kind == int(contact_sdf)) {
      bool has_triangles = TABLE_INT(set + int(collider_bvh)) != 0;
      if (kind == int(contact_mesh) && has_triangles && shape == 0) {
        named = int(contact_triangle);
        number = triangle;
        part = I(-1);
      } else {
        int instance = shape;
        if (kind == int(contact_sdf)) instance = instance + TABLE_INT(set + int(collider_mesh_count));
        if (has_triangles) instance = instance - 1;
        number = I(TABLE_INT(TABLE_INT(set + int(collider_instance_assets)) + 2 * instance + 1));
      }
    }
    real depth = square_root(dot3(push, push) + CLOTHC_SMALLEST);
    real inverse_mass = collector.particle.previous.w;
    mask is_free = R(0.0f) < inverse_mass;
    real mass = divide(R(1.0f), select(is_free, inverse_mass, R(1.0f)));
    real impulse = select(is_free, divide(mass * depth, STEP(h)), R(0.0f));
    real3 normal = push * divide(R(1.0f), depth);
    inum to = select_int(counts, collector.next, I(0));
    unum particle = to_unsigned(LOAD_INT(tables, REPORT_NUMBERS, i));
    unum shape_bits = to_unsigned(number);
    unum part_bits = to_unsigned(part);
    unum impulse_bits = as_bits(impulse);
    unum depth_bits = as_bits(depth);
    unum size_bits = U(contact_words * 4u);
    unum cloth_bits = U(uint(SETTING_INT(identity)));
    unum set_bits = U(uint(TABLE_INT(set + int(collider_identity))));
    unum kind_bits = U(uint(named));
    unum nothing = U(0u);
    write_word(PASS 0, to, size_bits, counts);
    write_word(PASS 1, to, cloth_bits, counts);
    write_word(PASS 2, to, particle, counts);
    write_word(PASS 3, to, set_bits, counts);
    write_word(PASS 4, to, kind_bits, counts);
    write_word(PASS 5, to, shape_bits, counts);
    write_word(PASS 6, to, part_bits, counts);
    write_word(PASS int(contact_impulse), to, impulse_bits, counts);
    write_vector(PASS 8, to, point, counts);
    write_word(PASS 11, to, depth_bits, counts);
    write_vector(PASS 12, to, normal, counts);
    write_word(PASS 15, to, nothing, counts);
  }
}

// Records the effect of shape k alone on the particle, which continuous collision has stopped at x.
FUNCTION(ContactCollector)
record_swept(CONTEXT int i, VALUE(ContactCollector) collector, VALUE(real3) position, VALUE(Contacts) one, int kind,
             int count_word, int k, VALUE(inum) triangle) {
  ContactCollector next = collector;
  next.position = position;
  real3 push = position - collector.position;
  mask in_contact =
      mask_and(mask_or(R(0.0f) < one.count, R(0.0f) < dot3(push, push)), is_active(collector.particle.position.w));
  IF_ANY(in_contact) {
    push = push + one.displacement;
    real3 point = collector.position + push;
    if (HAS_ARGUMENT(report_writes))
      write_contact(PASS i, collector, in_contact, push, point, kind, count_word, k, triangle);
    next.contacts.displacement = collector.contacts.displacement + one.displacement;
    next.contacts.shape_motion = collector.contacts.shape_motion + one.shape_motion;
    next.contacts.count = collector.contacts.count + one.count;
    next.next = select_int(in_contact, collector.next + I(1), collector.next);
  }
  return next;
}

FUNCTION(ContactCollector)
record_contact(CONTEXT int i, VALUE(ContactCollector) collector, VALUE(Contacts) one, int kind, int count_word, int k,
               VALUE(inum) triangle) {
  return record_swept(PASS i, collector, collector.position, one, kind, count_word, k, triangle);
}

// Multiplies the impulses of a stage by the share of each contact, since the particle moves by their average.
FUNCTION(void) share_impulses(CONTEXT VALUE(ContactCollector) collector) {
  real share = divide(R(1.0f), maximum(collector.contacts.count, R(1.0f)));
  int impulses = SETTING_INT(contact_records) + int(contact_impulse);
  inum contact = collector.first;
  inum end =
      select_int(collector.next < I(SETTING_INT(contact_capacity)), collector.next, I(SETTING_INT(contact_capacity)));
  mask is_left = mask_and(I(-1) < contact, contact < end);
  WHILE_ANY(is_left) {
    inum to = select_int(is_left, contact, I(0));
    // Lanes that have no contact left read a word that nothing writes.
    inum from = select_int(is_left, I(impulses) + to * I(int(contact_words)), I(SETTING_INT(report)));
    real impulse = GATHER_REAL(tables, 0, from) * share;
    unum bits = as_bits(impulse);
    write_word(PASS int(contact_impulse), to, bits, is_left);
    contact = contact + I(1);
    is_left = mask_and(is_left, contact < end);
  }
}

FUNCTION(void) end_stage(CONTEXT int i, VALUE(ContactCollector) collector) {
  Particle moved = collector.particle;
  mask in_contact = R(0.0f) < collector.contacts.count;
  IF_ANY(in_contact) {
    if (HAS_ARGUMENT(report_writes)) share_impulses(PASS collector);
    Particle after = after_contacts(PASS collector.contacts, collector.position, collector.particle);
    moved.position = select4(in_contact, after.position, collector.particle.position);
    moved.previous = select4(in_contact, after.previous, collector.particle.previous);
  }
  real3 swept = select3(in_contact, XYZ(moved.position), collector.position);
  STORE_ROW(tables, REPORT_MOVED, i, make4(swept, moved.position.w));
  STORE_ROW(tables, REPORT_MOVED_PREVIOUS, i, moved.previous);
  int cursors = REPORT_CURSORS;
  inum next = collector.next;
  if (!HAS_ARGUMENT(report_writes)) next = I(-1) - collector.next;
  unum cursor = to_unsigned(next);
  STORE_BITS(tables, cursors, i, cursor);
}

// Otherwise the cloth sleeps.
#define REPORT_IS_DUE (0 < STEP_INT(iteration_count))

// These kernels record contacts at one place only, since drivers compile a copy of the code per place.
KERNEL(report_convexes) {
  if (REPORT_IS_DUE) {
    ContactCollector stage = begin_stage(PASS i);
    int convex_end = SETTING_INT(convex_count);
    for (int k = 0; k < convex_end + SETTING_INT(box_count); ++k) {
      bool is_convex = k < convex_end;
      int number = k;
      Contacts one = no_contacts();
      if (is_convex) {
        int convex = SETTING_INT(convexes) + int(convex_words) * k;
        one = add_convex_contact(PASS one, convex, stage.position, stage.before);
      } else {
        number = k - convex_end;
        int box = SETTING_INT(boxes) + int(posed_words) * number;
        one = add_box_contact(PASS one, box, stage.position, stage.before);
      }
      int kind = is_convex ? int(contact_convex) : int(contact_box);
      int count_word = is_convex ? int(collider_convex_count) : int(collider_box_count);
      stage = record_contact(PASS i, stage, one, kind, count_word, number, I(-1));
    }
    end_stage(PASS i, stage);
  }
}

KERNEL(report_triangles) {
  if (REPORT_IS_DUE) {
    ContactCollector stage = begin_stage(PASS i);
    for (int mesh_number = 0; mesh_number < SETTING_INT(mesh_count); ++mesh_number) {
      int mesh = SETTING_INT(meshes) + int(posed_words) * mesh_number;
      Contacts one = add_mesh_contact(PASS i, no_contacts(), mesh, mesh_number, true, stage.position, stage.before);
      int bvh = TABLE_INT(mesh + int(posed_asset));
      inum leaf = LOAD_INT(tables, cache_of(PASS mesh_number), i);
      leaf = clamp_int(leaf, I(0), I(TABLE_INT(bvh + int(bvh_triangle_count)) - 1));
      inum triangle = to_int(corners_of(PASS bvh, leaf).w);
      stage = record_contact(PASS i, stage, one, int(contact_mesh), int(collider_mesh_count), mesh_number, triangle);
    }
    end_stage(PASS i, stage);
  }
}

KERNEL(report_sdfs) {
  if (REPORT_IS_DUE) {
    ContactCollector stage = begin_stage(PASS i);
    for (int k = 0; k < SETTING_INT(sdf_count); ++k) {
      int instance = SETTING_INT(sdfs) + int(posed_words) * k;
      Contacts one = add_sdf_contact(PASS no_contacts(), instance, stage.position, stage.before);
      stage = record_contact(PASS i, stage, one, int(contact_sdf), int(collider_sdf_count), k, I(-1));
    }
    end_stage(PASS i, stage);
  }
}

// A shape among all curved shapes of a cloth: the capsules, then the spheres, then the ellipsoids.
struct CurvedShape {
  // contact_capsule, contact_sphere or contact_ellipsoid, and the word with the number of such shapes in a set.
  int kind;
  int count_word;
  // Number among the shapes of its kind, and offset.
  int number;
  int offset;
};

FUNCTION(int) curved_count(CONTEXT_ONLY) {
  return SETTING_INT(capsule_count) + SETTING_INT(sphere_count) + SETTING_INT(ellipsoid_count);
}

FUNCTION(CurvedShape) curved_shape(CONTEXT int k) {
  CurvedShape shape;
  shape.number = k;
  shape.kind = int(contact_capsule);
  shape.count_word = int(collider_capsule_count);
  shape.offset = SETTING_INT(capsules) + int(capsule_words) * k;
  if (SETTING_INT(capsule_count) <= k) {
    shape.number = k - SETTING_INT(capsule_count);
    shape.kind = int(contact_sphere);
    shape.count_word = int(collider_sphere_count);
    shape.offset = SETTING_INT(spheres) + int(sphere_words) * shape.number;
    if (SETTING_INT(sphere_count) <= shape.number) {
      shape.number = shape.number - SETTING_INT(sphere_count);
      shape.kind = int(contact_ellipsoid);
      shape.count_word = int(collider_ellipsoid_count);
      shape.offset = SETTING_INT(ellipsoids) + int(posed_words) * shape.number;
    }
  }
  return shape;
}

KERNEL(report_curved) {
  if (REPORT_IS_DUE) {
    mask near = R(0.0f) <= R(0.0f);
    ContactCollector stage = begin_stage(PASS i);
    for (int k = 0; k < curved_count(PASS_ONLY); ++k) {
      CurvedShape shape = curved_shape(PASS k);
      Contacts one = no_contacts();
      if (shape.kind == int(contact_capsule)) {
        one = add_capsule_contact(PASS one, shape.offset, near, stage.position);
      } else if (shape.kind == int(contact_sphere)) {
        one = add_sphere_contact(PASS one, shape.offset, near, stage.position);
      } else {
        one = add_ellipsoid_contact(PASS one, shape.offset, stage.position);
      }
      stage = record_contact(PASS i, stage, one, shape.kind, shape.count_word, shape.number, I(-1));
    }
    end_stage(PASS i, stage);
  }
}

KERNEL(report_curved_continuously) {
  if (REPORT_IS_DUE) {
    mask near = R(0.0f) <= R(0.0f);
    ContactCollector stage = begin_stage(PASS i);
    SweptParticle swept = begin_sweep(stage.before, stage.position);
    for (int k = 0; k < curved_count(PASS_ONLY); ++k) {
      CurvedShape shape = curved_shape(PASS k);
      swept.contacts = no_contacts();
      if (shape.kind == int(contact_capsule)) {
        swept = pass_capsule(PASS swept, shape.offset, near);
      } else if (shape.kind == int(contact_sphere)) {
        swept = pass_sphere(PASS swept, shape.offset, near);
      } else {
        swept = pass_ellipsoid(PASS swept, shape.offset);
      }
      stage = record_swept(PASS i, stage, swept.position, swept.contacts, shape.kind, shape.count_word, shape.number,
                           I(-1));
    }
    end_stage(PASS i, stage);
  }
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
  unum cursor_bits = to_unsigned(cursor);
  unum number_bits = to_unsigned(LANES(i));
  store_table_word(PASS REPORT_CURSORS, i, cursor_bits);
  store_table_word(PASS REPORT_NUMBERS, i, number_bits);
}
