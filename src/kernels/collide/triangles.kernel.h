// triangles.kernel.h - triangles keep particles on their front side. A particle behind the nearest triangle of a mesh
// is put onto the plane of that triangle; with continuous collision it is first put onto the plane of the triangle that
// it went through.
// Source: PhysX 3.4 manual, Cloth, "Collision shapes"; Flex manual, "Triangle Meshes".

// Whether the particle is still so close to where it was last tested that it cannot come into contact in this update.
FUNCTION(mask) is_clear(CONTEXT int i, int b, VALUE(real3) p) {
  mask clear = R(1.0f) < R(0.0f);
  if (0 < STEP_INT(iteration)) {
    real4 seen = LOAD_ROW(tables, cache_positions_of(PASS b), i);
    real3 way = p - XYZ(seen);
    clear = mask_and(R(0.0f) < seen.w, dot3(way, way) < seen.w * seen.w);
  }
  return clear;
}

// For particles that are not clear. k is the mesh instance and b its number; p is x in the mesh's own unit of length.
FUNCTION_APART(Contacts)
add_near_mesh_contact(CONTEXT int i, VALUE(Contacts) contacts, int k, int b, VALUE(mask) clear, VALUE(real3) p,
                      VALUE(real3) x, VALUE(real3) before) {
  int tree = TABLE_INT(k + int(posed_asset));
  real inverse_scale = TABLE_REAL(k + int(posed_inverse));
  real margin = SETTING(contact_margin) * inverse_scale;
  Contacts sum = contacts;
  real3 q = p;
  mask moved = R(1.0f) < R(0.0f);
  // The triangle in contact, and the point of contact on it.
  inum leaf = I(0);
  real s = R(0.0f);
  real t = R(0.0f);
  if (HAS_COLLISION(collision_continuous)) {
    real3 p_before = into_shape(PASS k + int(posed_before), before);
    p_before = p_before * TABLE_REAL(k + int(posed_before) + int(posed_inverse));
    Candidate first = first_crossed(PASS tree, mask_not(clear), p, p_before);
    moved = mask_and(mask_not(clear), first.key < R(1.5f));
    IF_ANY(moved) {
      Closest found = closest_on(triangle_now(PASS k, corners_of(PASS tree, first.leaf)), p);
      real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
      q = select3(moved, p + found.normal * (inverse * (margin - found.height * inverse)), q);
      leaf = first.leaf;
      s = found.s;
      t = found.t;
    }
  }
  real reach = minimum(maximum(TABLE_REAL(k + int(posed_reach)), margin), R(1e18f));
  // How far the particle moves in the rest of the update at its current speed.
  real3 way = x - before;
  real travel = square_root(dot3(way, way)) * inverse_scale;
  travel =
      maximum(travel * to_real(I(STEP_INT(iteration_count) - STEP_INT(iteration))), TABLE_REAL(tree + int(bvh_motion)));
  travel = travel + R(4.0f) * TABLE_REAL(tree + int(bvh_slack));
  Candidate nearest = find_nearest(PASS i, k, b, mask_not(clear), q, reach * R(CLOTHC_BEHIND), margin, travel);
  mask is_near = mask_or(R(0.5f) < nearest.behind, nearest.key <= margin * margin);
  is_near = mask_and(is_near, nearest.number < R(CLOTHC_NO_NUMBER));
  IF_ANY(mask_or(is_near, moved)) {
    Closest found = closest_on(triangle_now(PASS k, corners_of(PASS tree, nearest.leaf)), q);
    real distance = square_root(dot3(found.away, found.away) + CLOTHC_SMALLEST);
    mask in_front = mask_and(is_near, R(0.0f) <= found.height);
    mask behind = mask_and(mask_and(is_near, mask_not(in_front)), distance <= reach);
    // In front of the triangle but within the margin, the particle moves away from the closest point.
    mask close = mask_and(in_front, distance < margin);
    // At the closest point there is no such direction, so it moves along the normal.
    mask on_it = mask_and(close, distance <= R(1e-15f));
    real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
    real3 push = found.normal * (inverse * (margin - found.height * inverse));
    q = select3(mask_or(behind, on_it), q + push, q);
    q = select3(mask_and(close, mask_not(on_it)), q + found.away * (divide(margin, distance) - R(1.0f)), q);
    mask touches = mask_or(behind, close);
    leaf = select_int(touches, nearest.leaf, leaf);
    s = select(touches, found.s, s);
    t = select(touches, found.t, t);
    moved = mask_or(moved, touches);
    IF_ANY(moved) {
      real3 motion =
          x - out_of_shape(PASS k + int(posed_before), p * TABLE_REAL(k + int(posed_before) + int(posed_scale)));
      bool moves = TABLE_INT(tree + int(bvh_starts)) != TABLE_INT(tree + int(bvh_targets));
      if (moves && IS_POSITIVE(SETTING(friction))) {
        Triangle now = triangle_in(PASS tree, leaf, STEP(time));
        Triangle then = triangle_in(PASS tree, leaf, STEP(previous_time));
        real3 slid = now.a - then.a + (now.ab - then.ab) * s + (now.ac - then.ac) * t;
        motion = motion + along_shape(PASS k, slid);
      }
      real3 displacement = along_shape(PASS k, (q - p) * TABLE_REAL(k + int(posed_scale)));
      sum = add_contact(sum, moved, displacement, motion);
    }
  }
  return sum;
}

// k is the mesh instance and b its number.
FUNCTION(Contacts)
add_mesh_contact(CONTEXT int i, VALUE(Contacts) contacts, int k, int b, VALUE(real3) x, VALUE(real3) before) {
  // In the mesh's own unit of length.
  real3 p = into_shape(PASS k, x) * TABLE_REAL(k + int(posed_inverse));
  mask clear = is_clear(PASS i, b, p);
  // A mesh that grows or shrinks is tested in every iteration.
  if (TABLE_INT(k + int(posed_rescales)) != 0) clear = R(1.0f) < R(0.0f);
  Contacts sum = contacts;
  IF_ANY(mask_not(clear)) sum = add_near_mesh_contact(PASS i, contacts, k, b, clear, p, x, before);
  return sum;
}

KERNEL(collide_triangles) {
  real4 p = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
  real3 before = XYZ(LOAD4(particles, FRAME(previous) + SETTING_INT(first_particle), i));
  Contacts contacts = no_contacts();
  for (int b = 0; b < SETTING_INT(mesh_count); ++b) {
    contacts = add_mesh_contact(PASS i, contacts, SETTING_INT(meshes) + int(posed_words) * b, b, XYZ(p), before);
  }
  leave_contacts(PASS i, contacts, XYZ(p), p);
}
