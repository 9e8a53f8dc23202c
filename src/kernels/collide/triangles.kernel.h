// triangles.kernel.h - triangles keep particles on their front side. A particle behind the nearest triangle of a mesh
// is put onto the plane of that triangle; with continuous collision it is first put onto the plane of the triangle that
// it went through.
// Source: PhysX 3.4 manual, Cloth, "Collision shapes"; Flex manual, "Triangle Meshes".

// A search prepares for at least this part of the distance between triangles.
#define CLOTHC_LEAST_TRAVEL 0.0625f

// Whether the nearest triangle of a search acts on the particle if it is close enough.
FUNCTION(mask) is_in_reach(VALUE(Candidate) nearest, VALUE(real) margin) {
  mask is_near = mask_or(R(0.5f) < nearest.behind, nearest.key <= margin * margin);
  return mask_and(is_near, nearest.number < R(CLOTHC_NO_NUMBER));
}

// A mesh instance in this iteration, in its own coordinates and unit of length.
struct NearMesh {
  int offset;
  int number;
  real reach;
  real margin;
};

// local and local_before are the particle's position and its position at the iteration's begin in the mesh's
// coordinates. idle: the mesh cannot act on the particle. is_known: whether the nearest triangle has been searched for
// at this position already.
FUNCTION_APART(Contacts)
add_near_mesh_contact(CONTEXT VALUE(int) i, VALUE(Contacts) contacts, VALUE(NearMesh) nearby, VALUE(bool) is_known,
                      VALUE(mask) idle, VALUE(real3) local, VALUE(real3) local_before, VALUE(real3) position,
                      VALUE(real3) before) {
  int mesh = nearby.offset;
  int bvh = TABLE_INT(mesh + int(posed_asset));
  real reach = nearby.reach;
  real margin = nearby.margin;
  Contacts sum = contacts;
  real3 next = local;
  mask moved = R(1.0f) < R(0.0f);
  // The triangle in contact, and the point of contact on it.
  inum leaf = I(0);
  real s = R(0.0f);
  real t = R(0.0f);
  // How far the particle moves in the rest of the update at its current speed, and at least a part of a triangle.
  real3 movement = position - before;
  real travel = square_root(dot3(movement, movement)) * TABLE_REAL(mesh + int(posed_inverse));
  travel =
      maximum(travel * to_real(I(STEP_INT(iteration_count) - STEP_INT(iteration))), TABLE_REAL(bvh + int(bvh_motion)));
  // What is known of triangles that stand still or creep is of use in later updates.
  bool creeps = TABLE_INT(bvh + int(bvh_moved)) != 0;
  if (creeps || TABLE_INT(bvh + int(bvh_starts)) == TABLE_INT(bvh + int(bvh_targets))) {
    real least = TABLE_REAL(bvh + int(bvh_spacing)) * R(CLOTHC_LEAST_TRAVEL);
    if (creeps) least = least * R(4.0f);
    travel = maximum(travel, least);
  }
  travel = travel + R(4.0f) * TABLE_REAL(bvh + int(bvh_slack));
  Candidate nearest = no_candidate(R(1e36f));
  nearest.leaf = last_nearest(PASS i, bvh, nearby.number);
  // The nearest triangle tells most particles that their paths do not go through one. If a path does, the nearest one
  // to where it ends then is another one.
  mask searches = mask_not(idle);
  real uncrossed = R(0.0f);
  real path = R(0.0f);
  bool is_continuous = HAS_COLLISION(collision_continuous);
  if (is_continuous) path = square_root(dot3(local - local_before, local - local_before));
  int searches_at_most = is_continuous ? 2 : 1;
  for (int search = 0; search < searches_at_most; ++search) {
    if (search == 1) {
      mask walks = mask_and(searches, uncrossed <= path);
      if (is_known) walks = mask_not(is_uncrossed(PASS i, mesh, nearby.number, local, local_before));
      IF_ANY(walks) {
        Candidate first = first_crossed(PASS bvh, walks, local, local_before);
        moved = mask_and(walks, first.key < R(1.5f));
        Closest found = closest_on(triangle_now(PASS mesh, corners_of(PASS bvh, first.leaf)), local);
        real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
        next = select3(moved, local + found.normal * (inverse * (margin - found.height * inverse)), next);
        leaf = first.leaf;
        s = found.s;
        t = found.t;
      }
      searches = moved;
    }
    if (!is_known) {
      IF_ANY(searches) {
        Candidate found = find_nearest(PASS i, mesh, nearby.number, searches, next, reach * R(CLOTHC_BEHIND), margin,
                                       travel, path, uncrossed);
        nearest.key = select(searches, found.key, nearest.key);
        nearest.number = select(searches, found.number, nearest.number);
        nearest.behind = select(searches, found.behind, nearest.behind);
        nearest.leaf = select_int(searches, found.leaf, nearest.leaf);
      }
    }
  }
  mask is_near = mask_not(idle);
  if (!is_known) is_near = is_in_reach(nearest, margin);
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
add_mesh_contact(CONTEXT VALUE(int) i, VALUE(Contacts) contacts, VALUE(int) mesh, VALUE(int) mesh_number,
                 VALUE(bool) is_known, VALUE(real3) position, VALUE(real3) before) {
  NearMesh nearby;
  nearby.offset = mesh;
  nearby.number = mesh_number;
  nearby.margin = SETTING(contact_margin) * TABLE_REAL(mesh + int(posed_inverse));
  nearby.reach = minimum(maximum(TABLE_REAL(mesh + int(posed_reach)), nearby.margin), R(1e18f));
  real3 local = into_shape(PASS mesh, position) * TABLE_REAL(mesh + int(posed_inverse));
  real3 local_before = local;
  mask idle = is_clear(PASS i, mesh, mesh_number, local, nearby.reach * R(CLOTHC_BEHIND), nearby.margin);
  if (HAS_COLLISION(collision_continuous)) {
    local_before = into_shape(PASS mesh + int(posed_before), before);
    local_before = local_before * TABLE_REAL(mesh + int(posed_before) + int(posed_inverse));
    idle = mask_and(idle, is_uncrossed(PASS i, mesh, mesh_number, local, local_before));
  }
  Contacts sum = contacts;
  IF_ANY(mask_not(idle))
  sum = add_near_mesh_contact(PASS i, contacts, nearby, is_known, idle, local, local_before, position, before);
  return sum;
}

FUNCTION(void) collide_triangles_in(CONTEXT VALUE(int) i, VALUE(int) variant) {
  real4 position = colliding_particle(PASS i);
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
