// triangles.kernel.h - triangles keep particles on their front side. A particle behind the nearest triangle of a mesh
// is put onto the plane of that triangle; with continuous collision it is first put onto the plane of the triangle that
// it went through.
// Source: PhysX 3.4 manual, Cloth, "Collision shapes"; Flex manual, "Triangle Meshes".

// Whether the particle is still so close to where it was last tested that it cannot come into contact in this update.
FUNCTION(mask) is_clear(CONTEXT int i, int mesh_number, VALUE(real3) local) {
  mask clear = R(1.0f) < R(0.0f);
  if (0 < STEP_INT(iteration)) {
    real4 seen = LOAD_ROW(tables, cache_positions_of(PASS mesh_number), i);
    real3 displacement = local - XYZ(seen);
    clear = mask_and(R(0.0f) < seen.w, dot3(displacement, displacement) < seen.w * seen.w);
  }
  return clear;
}

// Whether the nearest triangle of a search acts on the particle if it is close enough.
FUNCTION(mask) is_in_reach(VALUE(Candidate) nearest, VALUE(real) margin) {
  mask is_near = mask_or(R(0.5f) < nearest.behind, nearest.key <= margin * margin);
  return mask_and(is_near, nearest.number < R(CLOTHC_NO_NUMBER));
}

// For particles that are not clear. local is the position in the mesh's coordinates and unit of length. is_known: whether
// the nearest triangle has been searched for at this position already.
FUNCTION_APART(Contacts)
add_near_mesh_contact(CONTEXT int i, VALUE(Contacts) contacts, int mesh, int mesh_number, bool is_known,
                      VALUE(mask) clear, VALUE(real3) local, VALUE(real3) position, VALUE(real3) before) {
  int bvh = TABLE_INT(mesh + int(posed_asset));
  real inverse_scale = TABLE_REAL(mesh + int(posed_inverse));
  real margin = SETTING(contact_margin) * inverse_scale;
  Contacts sum = contacts;
  real3 next = local;
  mask moved = R(1.0f) < R(0.0f);
  // The triangle in contact, and the point of contact on it.
  inum leaf = I(0);
  real s = R(0.0f);
  real t = R(0.0f);
  if (HAS_COLLISION(collision_continuous)) {
    real3 local_before = into_shape(PASS mesh + int(posed_before), before);
    local_before = local_before * TABLE_REAL(mesh + int(posed_before) + int(posed_inverse));
    Candidate first = first_crossed(PASS bvh, mask_not(clear), local, local_before);
    moved = mask_and(mask_not(clear), first.key < R(1.5f));
    IF_ANY(moved) {
      Closest found = closest_on(triangle_now(PASS mesh, corners_of(PASS bvh, first.leaf)), local);
      real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
      next = select3(moved, local + found.normal * (inverse * (margin - found.height * inverse)), next);
      leaf = first.leaf;
      s = found.s;
      t = found.t;
    }
  }
  real reach = minimum(maximum(TABLE_REAL(mesh + int(posed_reach)), margin), R(1e18f));
  // How far the particle moves in the rest of the update at its current speed.
  real3 movement = position - before;
  real travel = square_root(dot3(movement, movement)) * inverse_scale;
  travel =
      maximum(travel * to_real(I(STEP_INT(iteration_count) - STEP_INT(iteration))), TABLE_REAL(bvh + int(bvh_motion)));
  travel = travel + R(4.0f) * TABLE_REAL(bvh + int(bvh_slack));
  Candidate nearest = no_candidate(R(1e36f));
  mask is_near = mask_not(clear);
  if (is_known) {
    nearest.leaf = last_nearest(PASS i, bvh, mesh_number);
  } else {
    nearest = find_nearest(PASS i, mesh, mesh_number, mask_not(clear), next, reach * R(CLOTHC_BEHIND), margin, travel);
    is_near = is_in_reach(nearest, margin);
  }
  IF_ANY(mask_or(is_near, moved)) {
    real4 corners = corners_of(PASS bvh, nearest.leaf);
    Closest found = closest_on(triangle_now(PASS mesh, corners), next);
    if (is_known) is_near = is_in_reach(nearer_of(nearest, is_near, found, corners.w, nearest.leaf), margin);
    real distance = square_root(dot3(found.away, found.away) + CLOTHC_SMALLEST);
    mask in_front = mask_and(is_near, R(0.0f) <= found.height);
    mask behind = mask_and(mask_and(is_near, mask_not(in_front)), distance <= reach);
    // In front of the triangle but within the margin, the particle moves away from the closest point.
    mask close = mask_and(in_front, distance < margin);
    // At the closest point there is no such direction, so it moves along the normal.
    mask at_point = mask_and(close, distance <= R(1e-15f));
    real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
    real3 push = found.normal * (inverse * (margin - found.height * inverse));
    next = select3(mask_or(behind, at_point), next + push, next);
    next = select3(mask_and(close, mask_not(at_point)), next + found.away * (divide(margin, distance) - R(1.0f)), next);
    mask acts = mask_or(behind, close);
    leaf = select_int(acts, nearest.leaf, leaf);
    s = select(acts, found.s, s);
    t = select(acts, found.t, t);
    moved = mask_or(moved, acts);
    IF_ANY(moved) {
      real3 motion = position - out_of_shape(PASS mesh + int(posed_before),
                                             local * TABLE_REAL(mesh + int(posed_before) + int(posed_scale)));
      bool moves = TABLE_INT(bvh + int(bvh_starts)) != TABLE_INT(bvh + int(bvh_targets));
      if (moves && IS_POSITIVE(SETTING(friction))) {
        Triangle now = triangle_in(PASS bvh, leaf, STEP(time));
        Triangle then = triangle_in(PASS bvh, leaf, STEP(previous_time));
        real3 slid = now.a - then.a + (now.ab - then.ab) * s + (now.ac - then.ac) * t;
        motion = motion + along_shape(PASS mesh, slid);
      }
      real3 displacement = along_shape(PASS mesh, (next - local) * TABLE_REAL(mesh + int(posed_scale)));
      sum = add_contact(sum, moved, displacement, motion);
    }
  }
  return sum;
}

// Adds the contact with a mesh instance, which is given by its offset and its number.
FUNCTION(Contacts)
add_mesh_contact(CONTEXT int i, VALUE(Contacts) contacts, int mesh, int mesh_number, bool is_known,
                 VALUE(real3) position, VALUE(real3) before) {
  // In the mesh's own unit of length.
  real3 local = into_shape(PASS mesh, position) * TABLE_REAL(mesh + int(posed_inverse));
  mask clear = is_clear(PASS i, mesh_number, local);
  // A mesh that grows or shrinks is tested in every iteration.
  if (TABLE_INT(mesh + int(posed_rescales)) != 0) clear = R(1.0f) < R(0.0f);
  Contacts sum = contacts;
  IF_ANY(mask_not(clear))
  sum = add_near_mesh_contact(PASS i, contacts, mesh, mesh_number, is_known, clear, local, position, before);
  return sum;
}

FUNCTION(void) collide_triangles_in(CONTEXT int i, int variant) {
  real4 position = LOAD4(particles, FRAME(position) + SETTING_INT(first_particle), i);
  IF_ANY(collides(PASS position, variant)) {
    real3 before = XYZ(LOAD4(particles, FRAME(previous) + SETTING_INT(first_particle), i));
    Collision collision = begin_collision(PASS i, variant);
    for (int turn = 0; turn < turns_of(SETTING_INT(mesh_count), variant); ++turn) {
      Contacts contacts = no_contacts();
      ShapeRange meshes = shapes_of_turn(turn, 0, SETTING_INT(mesh_count), variant);
      for (int mesh_number = meshes.begin; mesh_number < meshes.end; ++mesh_number) {
        contacts = add_mesh_contact(PASS i, contacts, SETTING_INT(meshes) + int(posed_words) * mesh_number, mesh_number,
                                    REPORTS(variant), XYZ(position), before);
      }
      collision = end_turn(PASS collision, contacts, position, int(collision_meshes), turn, variant);
    }
    end_collision(PASS i, collision, XYZ(position), position, int(collision_meshes), variant);
  }
}

KERNEL_IN_VARIANTS(collide_triangles, collide_triangles_in, collision_variants, ARGUMENT)
