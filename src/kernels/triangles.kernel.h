// triangles.kernel.h - triangles keep particles on their front. A particle behind the triangle of a body that is nearest to it
// is put onto that triangle's plane; with continuous collision, first onto that of the triangle that it went through.
// A particle that is seen in front of a body by some distance is not looked at again in that update until it has gone that
// far. Source: PhysX 3.4 manual, Cloth, "Collision shapes"; Flex manual, "Triangle Meshes".

// How far a particle must go to get from the front of a body to its back: so long it need not be looked at again in this
// update. Where it was, and how far that is.
FUNCTION(mask) is_clear(CONTEXT int i, int b, VALUE(real3) p) {
  mask clear = R(1.0f) < R(0.0f);
  if (0 < STEP_INT(iteration)) {
    real4 seen =
        GATHER_ROW(tables, SETTING_INT(clearances) + int(body_clearances) * b * SETTING_INT(padded_count), LANES(i));
    real3 way = p - XYZ(seen);
    clear = mask_and(R(0.0f) < seen.w, dot3(way, way) < seen.w * seen.w);
  }
  return clear;
}

FUNCTION(void) note_clearance(CONTEXT int i, int b, VALUE(mask) clear, VALUE(real3) q, VALUE(real) distance) {
  int rows = SETTING_INT(clearances) + int(body_clearances) * b * SETTING_INT(padded_count);
  real4 seen = GATHER_ROW(tables, rows, LANES(i));
  real4 next = make4(q, distance);
  STORE_ROW(tables, rows, i, select4(clear, seen, next));
}

// Body k, number b.
FUNCTION(Contacts)
touch_body(CONTEXT int i, VALUE(Contacts) contacts, int k, int b, VALUE(real3) x, VALUE(real3) before) {
  int tree = TABLE_INT(k + int(posed_asset));
  // In the body's own unit of length.
  real inverse_scale = TABLE_REAL(k + int(posed_inverse));
  real margin = SETTING(contact_margin) * inverse_scale;
  real3 p = into_shape(PASS k, x) * inverse_scale;
  mask clear = is_clear(PASS i, b, p);
  Contacts sum = contacts;
  IF_ANY(mask_not(clear)) {
    real3 q = p;
    mask moved = R(1.0f) < R(0.0f);
    real nothing = R(-1.0f);
    if (HAS_COLLISION(collision_continuous)) {
      real3 p_before = into_shape(PASS k + int(posed_before), before);
      p_before = p_before * TABLE_REAL(k + int(posed_before) + int(posed_inverse));
      Candidate first = first_crossed(PASS tree, mask_not(clear), p, p_before);
      moved = mask_and(mask_not(clear), first.key < R(1.5f));
      IF_ANY(moved) {
        Closest found = closest_on(triangle_in(PASS tree, first.leaf, STEP(time)), p);
        real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
        q = select3(moved, p + found.normal * (inverse * (margin - found.height * inverse)), q);
      }
    }
    real reach = minimum(maximum(TABLE_REAL(k + int(posed_reach)), margin), R(1e18f));
    // So far beyond its reach that what is not found there stays so for a while, at the particle's present speed.
    real room = span_of(x - before) * inverse_scale;
    room = room * (R(2.0f) * to_real(I(STEP_INT(iteration_count)))) + TABLE_REAL(tree + int(tree_motion));
    real search_reach = minimum(reach + room, R(1e18f));
    Candidate nearest = find_nearest(PASS i, b, tree, mask_not(clear), q, search_reach, room);
    mask is_near = nearest.number < R(CLOTHC_NO_NUMBER);
    inum leaf = nearest.leaf;
    real clearance = room - TABLE_REAL(tree + int(tree_motion));
    IF_ANY(mask_or(is_near, moved)) {
      Closest found = closest_on(triangle_in(PASS tree, leaf, STEP(time)), q);
      real distance = square_root(dot3(found.away, found.away) + CLOTHC_SMALLEST);
      mask in_front = mask_and(is_near, R(0.0f) <= found.height);
      mask behind = mask_and(mask_and(is_near, mask_not(in_front)), distance <= reach);
      // In front, but within the margin: away from the closest point.
      mask close = mask_and(in_front, distance < margin);
      mask on_it = mask_and(close, distance <= R(1e-15f));  // away from there is nowhere: along the normal
      real free_way = distance - select(in_front, margin, reach) - TABLE_REAL(tree + int(tree_motion));
      clearance = select(is_near, select(behind, nothing, free_way * R(0.999f)), clearance);
      real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
      real3 push = found.normal * (inverse * (margin - found.height * inverse));
      q = select3(mask_or(behind, on_it), q + push, q);
      q = select3(mask_and(close, mask_not(on_it)), q + found.away * (divide(margin, distance) - R(1.0f)), q);
      moved = mask_or(moved, mask_or(behind, close));
      IF_ANY(moved) {
        real3 motion =
            x - out_of_shape(PASS k + int(posed_before), p * TABLE_REAL(k + int(posed_before) + int(posed_scale)));
        if (TABLE_INT(k + int(posed_moves)) != 0 && IS_POSITIVE(SETTING(friction))) {
          Triangle now = triangle_in(PASS tree, leaf, STEP(time));
          Triangle then = triangle_in(PASS tree, leaf, STEP(previous_time));
          real3 slid = now.a - then.a + (now.ab - then.ab) * found.s + (now.ac - then.ac) * found.t;
          motion = motion + along_shape(PASS k, slid);
        }
        real3 displacement = along_shape(PASS k, (q - p) * TABLE_REAL(k + int(posed_scale)));
        sum = add_contact(sum, moved, displacement, motion);
      }
    }
    // A body that grows or shrinks is looked at in every iteration.
    if (TABLE_INT(k + int(posed_rescales)) != 0) clearance = nothing;
    note_clearance(PASS i, b, clear, q, clearance);
  }
  return sum;
}

KERNEL(collide_triangles) {
  real4 p = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
  real3 before = XYZ(LOAD4(particles, FRAME(previous) + SETTING_INT(first_particle), i));
  Contacts contacts = no_contacts();
  for (int b = 0; b < SETTING_INT(body_count); ++b) {
    contacts = touch_body(PASS i, contacts, SETTING_INT(bodies) + int(posed_words) * b, b, XYZ(p), before);
  }
  leave_contacts(PASS i, contacts, XYZ(p), p);
}
