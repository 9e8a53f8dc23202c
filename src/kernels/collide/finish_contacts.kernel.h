// finish_contacts.kernel.h - completes the contacts that report.kernel.h records, in scalar code. Of each it has the
// kind of collision and the number of the shape among all shapes of that kind, the point, and the displacement by the
// shape alone, in place of the normal.

struct NamedShape {
  // contact_...
  int kind;
  // Number among the shapes of its kind.
  int number;
  // The word of a collider set that has the number of these shapes.
  int count_word;
};

// Replaces a shape whose number is behind those of its kind by one of the next kind.
FUNCTION(NamedShape) or_next_kind(VALUE(NamedShape) shape, VALUE(int) count, VALUE(uint) kind, VALUE(uint) count_word) {
  NamedShape next = shape;
  if (count <= shape.number) {
    next.kind = int(kind);
    next.number = shape.number - count;
    next.count_word = int(count_word);
  }
  return next;
}

FUNCTION(NamedShape) first_kind(VALUE(int) number, VALUE(uint) kind, VALUE(uint) count_word) {
  NamedShape shape;
  shape.kind = int(kind);
  shape.number = number;
  shape.count_word = int(count_word);
  return shape;
}

// Shape number k of a kind of collision, in the order in which they are tested.
FUNCTION(NamedShape) shape_in_collision(CONTEXT VALUE(int) collision, VALUE(int) k) {
  NamedShape shape = first_kind(k, contact_sdf, collider_sdf_count);
  if (collision == int(collision_meshes)) shape = first_kind(k, contact_mesh, collider_mesh_count);
  if (collision == int(collision_convexes)) {
    shape = first_kind(k, contact_convex, collider_convex_count);
    shape = or_next_kind(shape, SETTING_INT(convex_count), contact_box, collider_box_count);
  }
  if (collision == int(collision_curved)) {
    shape = first_kind(k, contact_capsule, collider_capsule_count);
    shape = or_next_kind(shape, SETTING_INT(capsule_count), contact_sphere, collider_sphere_count);
    if (shape.kind == int(contact_sphere))
      shape = or_next_kind(shape, SETTING_INT(sphere_count), contact_ellipsoid, collider_ellipsoid_count);
  }
  return shape;
}

// Names the shape as programs do: its set, and its number there. Meshes and signed distance fields are instances; but
// the triangles of a set, which count as its first mesh, are named one by one.
FUNCTION(void) name_shape(CONTEXT VALUE(int) contact, VALUE(int) particle) {
  int k = TABLE_INT(contact + int(contact_shape));
  NamedShape named = shape_in_collision(PASS TABLE_INT(contact + int(contact_kind)), k);
  int kind = named.kind;
  int shape = named.number;
  int sets = SETTING_INT(collider_table);
  while (TABLE_INT(TABLE_INT(sets) + named.count_word) <= shape) {
    shape = shape - TABLE_INT(TABLE_INT(sets) + named.count_word);
    sets = sets + 1;
  }
  int set = TABLE_INT(sets);
  int part = -1;
  if (kind == int(contact_mesh)) {
    int bvh = TABLE_INT(SETTING_INT(meshes) + int(posed_words) * k + int(posed_asset));
    part = to_int(corners_of(PASS bvh, last_nearest(PASS particle, bvh, k)).w);
  }
  if (kind == int(contact_mesh) || kind == int(contact_sdf)) {
    bool has_triangles = TABLE_INT(set + int(collider_bvh)) != 0;
    if (kind == int(contact_mesh) && has_triangles && shape == 0) {
      kind = int(contact_triangle);
      shape = part;
      part = -1;
    } else {
      int instance = shape;
      if (kind == int(contact_sdf)) instance = instance + TABLE_INT(set + int(collider_mesh_count));
      if (has_triangles) instance = instance - 1;
      shape = TABLE_INT(TABLE_INT(set + int(collider_instance_assets)) + 2 * instance + 1);
    }
  }
  STORE_TABLE_INT(contact + int(contact_set), TABLE_INT(set + int(collider_identity)));
  STORE_TABLE_INT(contact + int(contact_kind), kind);
  STORE_TABLE_INT(contact + int(contact_shape), shape);
  STORE_TABLE_INT(contact + int(contact_part), part);
}

// The particle moves by the average of its displacements in a collision, so each contact has a share of the impulse.
FUNCTION(void) measure_contact(CONTEXT VALUE(int) contact, VALUE(int) particle) {
  int collision = TABLE_INT(contact + int(contact_kind));
  real share = divide(1.0f, maximum(TABLE_REAL(REPORT_COUNTS(collision) + particle), 1.0f));
  real3 push = vector_at(PASS contact + int(contact_normal));
  real depth = square_root(dot3(push, push) + CLOTHC_SMALLEST);
  real inverse_mass = TABLE_REAL(REPORT_PREVIOUS + 4 * particle + 3);
  mask is_free = 0.0f < inverse_mass;
  real mass = divide(1.0f, select(is_free, inverse_mass, 1.0f));
  real impulse = select(is_free, divide(mass * depth, STEP(h)), 0.0f);
  real3 normal = push * divide(1.0f, depth);
  STORE_TABLE_REAL(contact + int(contact_impulse), impulse * share);
  STORE_TABLE_REAL(contact + int(contact_depth), depth);
  store_vector(PASS contact + int(contact_normal), normal);
}

// Items are the particles in mesh order.
KERNEL(finish_contacts) {
  if (i < SETTING_INT(particle_count)) {
    int storage_order = SETTING_INT(storage_order);
    int particle = i;
    if (storage_order != 0) particle = TOPOLOGY_INT(storage_order + i);
    int end = TABLE_INT(REPORT_CURSORS + particle);
    if (SETTING_INT(contact_capacity) < end) end = SETTING_INT(contact_capacity);
    for (int k = TABLE_INT(SETTING_INT(contact_counts) + i); k < end; ++k) {
      int contact = SETTING_INT(contact_records) + int(contact_words) * k;
      STORE_TABLE_INT(contact, 4 * int(contact_words));
      STORE_TABLE_INT(contact + 1, SETTING_INT(identity));
      STORE_TABLE_INT(contact + int(contact_particle), i);
      STORE_TABLE_INT(contact + int(contact_words) - 1, 0);
      measure_contact(PASS contact, particle);
      name_shape(PASS contact, particle);
    }
  }
}
