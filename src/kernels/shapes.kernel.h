// shapes.kernel.h - where the shapes that a cloth touches are: one lane per shape, in scalar code. Shapes move linearly from
// start to target over an update, rotations the shorter way; those of the world are brought into the cloth's frame, at the
// update's begin and end, first. What the collision kernels need of them is worked out here, once per iteration and cloth.
// The margin is added to every shape.

// A pose: x = rotation X + translation.
struct Placement {
  real4 rotation;
  real3 translation;
};

// From the coordinates of a collider set into those of the cloth's frame, at the update's begin or end.
FUNCTION(Placement) entrance(CONTEXT int cloth, int set, bool at_target) {
  Placement into;
  into.rotation = make4(make3(0.0f, 0.0f, 0.0f), 1.0f);
  into.translation = make3(0.0f, 0.0f, 0.0f);
  if ((uint(TABLE_INT(set + int(collider_flags))) & collider_world) != 0u) {
    real3 p = CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, start);
    real4 q = make4(CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, start_rotation), CLOTH(cloth).frame.start_rotation_w);
    if (at_target) {
      p = CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, target);
      q = make4(CLOTHC_LOAD_VECTOR(CLOTH(cloth).frame, target_rotation), CLOTH(cloth).frame.target_rotation_w);
    }
    into.rotation = conjugate(q);
    into.translation = turned(rotation(into.rotation), make3(0.0f - p.x, 0.0f - p.y, 0.0f - p.z));
  }
  return into;
}

FUNCTION(real3) entering(VALUE(Placement) into, VALUE(real3) x) {
  return turned(rotation(into.rotation), x) + into.translation;
}

FUNCTION(bool) is_in_motion(CONTEXT int cloth, int set) {
  uint flags = uint(TABLE_INT(set + int(collider_flags)));
  return (flags & collider_moves) != 0u || ((flags & collider_world) != 0u && CLOTH(cloth).step.frame_moves != 0u);
}

FUNCTION(real3) table_vector(CONTEXT int k) { return make3(TABLE_REAL(k), TABLE_REAL(k + 1), TABLE_REAL(k + 2)); }
FUNCTION(real4) table_row(CONTEXT int k) { return make4(table_vector(PASS k), TABLE_REAL(k + 3)); }

FUNCTION(void) store_vector(CONTEXT int k, VALUE(real3) v) {
  STORE_TABLE_REAL(k, v.x);
  STORE_TABLE_REAL(k + 1, v.y);
  STORE_TABLE_REAL(k + 2, v.z);
}

FUNCTION(real3) interpolate3(VALUE(real3) a, VALUE(real3) b, VALUE(real) t) {
  return make3(interpolate(a.x, b.x, t), interpolate(a.y, b.y, t), interpolate(a.z, b.z, t));
}

// The shorter way from a to b, both of length 1.
FUNCTION(real4) interpolate_rotation(VALUE(real4) a, VALUE(real4) b, VALUE(real) t) {
  real side = dot3(XYZ(a), XYZ(b)) + a.w * b.w;
  real sign = select(side < 0.0f, -1.0f, 1.0f);
  real4 q = make4(interpolate3(XYZ(a), XYZ(b) * sign, t), interpolate(a.w, b.w * sign, t));
  real length = square_root(dot3(XYZ(q), XYZ(q)) + q.w * q.w);
  real inverse = divide(1.0f, length);
  return make4(XYZ(q) * inverse, q.w * inverse);
}

// Sphere k of a set in the cloth's frame at the update's begin and end; x y z radius, with the margin.
struct SphereWay {
  real4 start;
  real4 target;
};

FUNCTION(SphereWay) sphere_way(CONTEXT int cloth, int set, int k) {
  real margin = CLOTH(cloth).settings.contact_margin;
  real4 from = table_row(PASS TABLE_INT(set + int(collider_sphere_starts)) + 4 * k);
  real4 to = table_row(PASS TABLE_INT(set + int(collider_sphere_targets)) + 4 * k);
  SphereWay way;
  way.start = make4(entering(entrance(PASS cloth, set, false), XYZ(from)), from.w + margin);
  way.target = make4(entering(entrance(PASS cloth, set, true), XYZ(to)), to.w + margin);
  return way;
}

FUNCTION(real4) along_way(VALUE(SphereWay) way, VALUE(real) time) {
  return make4(interpolate3(XYZ(way.start), XYZ(way.target), time), interpolate(way.start.w, way.target.w, time));
}

// capsules: where those of the set are.
FUNCTION(void) place_sphere(CONTEXT int cloth, int set, int k, int capsules, int to) {
  SphereWay way = sphere_way(PASS cloth, set, k);
  real4 now = along_way(way, CLOTH(cloth).step.time);
  real4 before = along_way(way, CLOTH(cloth).step.previous_time);
  real3 motion = XYZ(now) - XYZ(before);
  store_vector(PASS to, XYZ(now));
  STORE_TABLE_REAL(to + 3, now.w);
  store_vector(PASS to + int(sphere_motion), motion);
  STORE_TABLE_REAL(to + int(sphere_radius_before), before.w);
  int links = TABLE_INT(set + int(collider_sphere_links));
  STORE_TABLE_INT(to + int(sphere_links), links + TABLE_INT(links + k));
  STORE_TABLE_INT(to + int(sphere_links) + 1, links + TABLE_INT(links + k + 1));
  STORE_TABLE_INT(to + int(sphere_capsules), capsules);
}

// The cone tangent to two spheres.
struct Cone {
  real3 centre;
  real3 axis;
  real half_length;
  real radius;
  real slope;
  real cosine2;
  bool is_cone;
};

FUNCTION(Cone) cone_between(VALUE(real4) a, VALUE(real4) b) {
  Cone cone;
  cone.centre = (XYZ(a) + XYZ(b)) * 0.5f;
  real3 half_axis = (XYZ(b) - XYZ(a)) * 0.5f;
  real difference = (b.w - a.w) * 0.5f;
  real length2 = dot3(half_axis, half_axis);
  real kathete2 = length2 - difference * difference;
  cone.is_cone = length2 * 1e-6f < kathete2 && CLOTHC_SMALLEST < kathete2;
  length2 = select(cone.is_cone, length2, 1.0f);
  kathete2 = select(cone.is_cone, kathete2, 1.0f);
  real kathete = square_root(kathete2);
  cone.half_length = square_root(length2);
  cone.axis = half_axis * divide(1.0f, cone.half_length);
  cone.radius = divide((a.w + difference) * cone.half_length, kathete);
  cone.slope = divide(difference, kathete);
  cone.cosine2 = 1.0f - divide(difference * difference, length2);
  return cone;
}

FUNCTION(void) place_capsule(CONTEXT int cloth, int set, int k, int to) {
  int ends = TABLE_INT(set + int(collider_capsules)) + 2 * k;
  SphereWay first = sphere_way(PASS cloth, set, TABLE_INT(ends));
  SphereWay second = sphere_way(PASS cloth, set, TABLE_INT(ends + 1));
  real time = CLOTH(cloth).step.time;
  real previous_time = CLOTH(cloth).step.previous_time;
  real4 a = along_way(first, time);
  real4 b = along_way(second, time);
  real4 a_before = along_way(first, previous_time);
  real4 b_before = along_way(second, previous_time);
  Cone now = cone_between(a, b);
  Cone before = cone_between(a_before, b_before);
  if (!before.is_cone) before = now;
  STORE_TABLE_REAL(to + int(capsule_is_cone), select(now.is_cone, 1.0f, 0.0f));
  store_vector(PASS to + int(capsule_centre), now.centre);
  store_vector(PASS to + int(capsule_axis), now.axis);
  STORE_TABLE_REAL(to + int(capsule_half_length), now.half_length);
  STORE_TABLE_REAL(to + int(capsule_radius), now.radius);
  STORE_TABLE_REAL(to + int(capsule_slope), now.slope);
  STORE_TABLE_REAL(to + int(capsule_cosine2), now.cosine2);
  real3 motion = XYZ(a) - XYZ(a_before);
  real3 other_motion = XYZ(b) - XYZ(b_before);
  store_vector(PASS to + int(capsule_motion), motion);
  store_vector(PASS to + int(capsule_motion) + 3, other_motion);
  store_vector(PASS to + int(capsule_before), before.centre);
  store_vector(PASS to + int(capsule_before) + 3, before.axis);
  STORE_TABLE_REAL(to + int(capsule_before) + 6, before.half_length);
  STORE_TABLE_REAL(to + int(capsule_before) + 7, before.radius);
  STORE_TABLE_REAL(to + int(capsule_before) + 8, before.slope);
}

FUNCTION(real4) plane_entering(VALUE(Placement) into, VALUE(real4) plane) {
  real3 normal = turned(rotation(into.rotation), XYZ(plane));
  return make4(normal, plane.w - dot3(normal, into.translation));
}

FUNCTION(real4) plane_at(CONTEXT int cloth, int set, int k, VALUE(real) time) {
  real4 from = table_row(PASS TABLE_INT(set + int(collider_plane_starts)) + 4 * k);
  real4 to = table_row(PASS TABLE_INT(set + int(collider_plane_targets)) + 4 * k);
  from = plane_entering(entrance(PASS cloth, set, false), from);
  to = plane_entering(entrance(PASS cloth, set, true), to);
  return make4(interpolate3(XYZ(from), XYZ(to), time), interpolate(from.w, to.w, time));
}

FUNCTION(void) place_plane(CONTEXT int cloth, int set, int k, int to) {
  real4 now = plane_at(PASS cloth, set, k, CLOTH(cloth).step.time);
  real4 before = plane_at(PASS cloth, set, k, CLOTH(cloth).step.previous_time);
  real margin = CLOTH(cloth).settings.contact_margin;
  store_vector(PASS to, XYZ(now));
  STORE_TABLE_REAL(to + 3, now.w - margin);
  store_vector(PASS to + 4, XYZ(before));
  STORE_TABLE_REAL(to + 7, before.w - margin);
}

// The vector v of least length with M v = b, M the sum of n n^T over some directions; where a direction hardly counts in M,
// v has none of it.
FUNCTION(real3) least_solution(VALUE(Matrix) m, VALUE(real3) b) {
  real small = 1e-4f * (m.x.x + m.y.y + m.z.z) + CLOTHC_SMALLEST;
  real3 x = m.x + make3(small, 0.0f, 0.0f);
  real3 y = m.y + make3(0.0f, small, 0.0f);
  real3 z = m.z + make3(0.0f, 0.0f, small);
  real3 yz = cross3(y, z);
  real3 zx = cross3(z, x);
  real3 xy = cross3(x, y);
  real inverse = divide(1.0f, maximum(dot3(x, yz), CLOTHC_SMALLEST));
  return (yz * b.x + zx * b.y + xy * b.z) * inverse;
}

// planes: where those of the set are. How a convex has moved and turned in this iteration, to first order, from its planes: for each, the motion v and the turn
// w of a rigid body have n.v = d - d' and w x n = n' - n. The least such motion; a plane alone does not slide.
FUNCTION(void) place_convex(CONTEXT int cloth, int set, int begin, int end, int planes, int to) {
  Matrix along = diagonal(0.0f);
  Matrix across = diagonal(0.0f);
  real3 motion = make3(0.0f, 0.0f, 0.0f);
  real3 turn = motion;
  for (int k = begin; k < end; ++k) {
    real4 now = plane_at(PASS cloth, set, k, CLOTH(cloth).step.time);
    real4 before = plane_at(PASS cloth, set, k, CLOTH(cloth).step.previous_time);
    Matrix square = outer(XYZ(before), XYZ(before));
    along = sum_of(along, square);
    across = sum_of(across, sum_of(diagonal(1.0f), times(square, -1.0f)));
    motion = motion + XYZ(before) * (before.w - now.w);
    turn = turn + cross3(XYZ(before), XYZ(now));
  }
  motion = least_solution(along, motion);
  turn = least_solution(across, turn);
  store_vector(PASS to, motion);
  store_vector(PASS to + 3, turn);
  STORE_TABLE_INT(to + 6, planes + int(plane_words) * begin);
  STORE_TABLE_INT(to + 7, planes + int(plane_words) * end);
}

FUNCTION(void) store_pose(CONTEXT int to, VALUE(real4) q, VALUE(real3) translation, VALUE(real3) size) {
  Matrix m = rotation(q);
  store_vector(PASS to, m.x);
  store_vector(PASS to + 3, m.y);
  store_vector(PASS to + 6, m.z);
  store_vector(PASS to + int(posed_translation), translation);
  store_vector(PASS to + int(posed_size), size);
}

// Shape k of an array of centre, rotation and size, with the margin.
FUNCTION(void) place_posed(CONTEXT int cloth, int set, int starts, int targets, int k, int to) {
  Placement begin = entrance(PASS cloth, set, false);
  Placement end = entrance(PASS cloth, set, true);
  int from = starts + 10 * k;
  int goal = targets + 10 * k;
  real4 q = product(begin.rotation, table_row(PASS from + 3));
  real4 r = product(end.rotation, table_row(PASS goal + 3));
  real3 x = entering(begin, table_vector(PASS from));
  real3 y = entering(end, table_vector(PASS goal));
  real margin = CLOTH(cloth).settings.contact_margin;
  real3 wider = make3(margin, margin, margin);
  real3 size = table_vector(PASS from + 7) + wider;
  real3 size_after = table_vector(PASS goal + 7) + wider;
  real time = CLOTH(cloth).step.time;
  store_pose(PASS to, interpolate_rotation(q, r, time), interpolate3(x, y, time), interpolate3(size, size_after, time));
  time = CLOTH(cloth).step.previous_time;
  store_pose(PASS to + int(posed_before), interpolate_rotation(q, r, time), interpolate3(x, y, time),
             interpolate3(size, size_after, time));
}

// The triangles of a set are one body, whose own coordinates are those of the set.
FUNCTION(void) place_body(CONTEXT int cloth, int set, int to) {
  Placement begin = entrance(PASS cloth, set, false);
  Placement end = entrance(PASS cloth, set, true);
  real time = CLOTH(cloth).step.time;
  real reach = TABLE_REAL(set + int(collider_reach));
  real3 size = make3(reach, 0.0f, 0.0f);
  store_pose(PASS to, interpolate_rotation(begin.rotation, end.rotation, time),
             interpolate3(begin.translation, end.translation, time), size);
  time = CLOTH(cloth).step.previous_time;
  store_pose(PASS to + int(posed_before), interpolate_rotation(begin.rotation, end.rotation, time),
             interpolate3(begin.translation, end.translation, time), size);
  int tree = TABLE_INT(set + int(collider_tree));
  STORE_TABLE_INT(to + int(posed_asset), tree);
  STORE_TABLE_INT(to + int(posed_moves),
                  int(TABLE_INT(tree + int(tree_starts)) != TABLE_INT(tree + int(tree_targets))));
}

// Item i of the shapes of all sets: of each set its spheres, capsules, planes, convexes, ellipsoids, boxes and body.
KERNEL(place_shapes) {
  int cloth = OWN_CLOTH;
  int item = i;
  int sphere = int(CLOTH(cloth).settings.spheres);
  int capsule = int(CLOTH(cloth).settings.capsules);
  int plane = int(CLOTH(cloth).settings.planes);
  int convex = int(CLOTH(cloth).settings.convexes);
  int ellipsoid = int(CLOTH(cloth).settings.ellipsoids);
  int box = int(CLOTH(cloth).settings.boxes);
  int body = int(CLOTH(cloth).settings.bodies);
  for (int s = 0; s < int(CLOTH(cloth).settings.collider_count); ++s) {
    int set = TABLE_INT(int(CLOTH(cloth).settings.collider_table) + s);
    int spheres = TABLE_INT(set + int(collider_sphere_count));
    int capsules = TABLE_INT(set + int(collider_capsule_count));
    int planes = TABLE_INT(set + int(collider_plane_count));
    int convexes = TABLE_INT(set + int(collider_convex_count));
    int ellipsoids = TABLE_INT(set + int(collider_ellipsoid_count));
    int boxes = TABLE_INT(set + int(collider_box_count));
    int bodies = TABLE_INT(set + int(collider_body_count));
    int all = spheres + capsules + planes + convexes + ellipsoids + boxes + bodies;
    if (item < all) {
      // What stands still has been placed in the first iteration.
      if (0u < CLOTH(cloth).step.iteration && !is_in_motion(PASS cloth, set)) return;
      if (item < spheres) {
        place_sphere(PASS cloth, set, item, capsule, sphere + int(sphere_words) * item);
        return;
      }
      item = item - spheres;
      if (item < capsules) {
        place_capsule(PASS cloth, set, item, capsule + int(capsule_words) * item);
        return;
      }
      item = item - capsules;
      if (item < planes) {
        place_plane(PASS cloth, set, item, plane + int(plane_words) * item);
        return;
      }
      item = item - planes;
      if (item < convexes) {
        int ends = TABLE_INT(set + int(collider_convex_ends));
        int begin = 0;
        if (0 < item) begin = TABLE_INT(ends + item - 1);
        place_convex(PASS cloth, set, begin, TABLE_INT(ends + item), plane, convex + int(convex_words) * item);
        return;
      }
      item = item - convexes;
      if (item < ellipsoids) {
        place_posed(PASS cloth, set, TABLE_INT(set + int(collider_ellipsoid_starts)),
                    TABLE_INT(set + int(collider_ellipsoid_targets)), item, ellipsoid + int(posed_words) * item);
        return;
      }
      item = item - ellipsoids;
      if (item < boxes) {
        place_posed(PASS cloth, set, TABLE_INT(set + int(collider_box_starts)),
                    TABLE_INT(set + int(collider_box_targets)), item, box + int(posed_words) * item);
        return;
      }
      place_body(PASS cloth, set, body);
      return;
    }
    item = item - all;
    sphere = sphere + int(sphere_words) * spheres;
    capsule = capsule + int(capsule_words) * capsules;
    plane = plane + int(plane_words) * planes;
    convex = convex + int(convex_words) * convexes;
    ellipsoid = ellipsoid + int(posed_words) * ellipsoids;
    box = box + int(posed_words) * boxes;
    body = body + int(posed_words) * bodies;
  }
}

// Box around spheres [begin, end) of all sets, or the spheres of such capsules, over the whole update.
FUNCTION(void) bound_block(CONTEXT int cloth, bool of_capsules, int begin, int end, int to) {
  real3 low = make3(3e38f, 3e38f, 3e38f);
  real3 high = make3(-3e38f, -3e38f, -3e38f);
  int first = 0;  // of the set
  for (int s = 0; s < int(CLOTH(cloth).settings.collider_count); ++s) {
    int set = TABLE_INT(int(CLOTH(cloth).settings.collider_table) + s);
    int count = TABLE_INT(set + int(of_capsules ? collider_capsule_count : collider_sphere_count));
    for (int k = begin; k < end; ++k) {
      if (k < first || first + count <= k) continue;
      for (int e = 0; e < 2; ++e) {
        int sphere = k - first;
        if (of_capsules) sphere = TABLE_INT(TABLE_INT(set + int(collider_capsules)) + 2 * sphere + e);
        SphereWay way = sphere_way(PASS cloth, set, sphere);
        real r = maximum(way.start.w, way.target.w);
        low.x = minimum(low.x, minimum(way.start.x, way.target.x) - r);
        low.y = minimum(low.y, minimum(way.start.y, way.target.y) - r);
        low.z = minimum(low.z, minimum(way.start.z, way.target.z) - r);
        high.x = maximum(high.x, maximum(way.start.x, way.target.x) + r);
        high.y = maximum(high.y, maximum(way.start.y, way.target.y) + r);
        high.z = maximum(high.z, maximum(way.start.z, way.target.z) + r);
      }
    }
    first = first + count;
  }
  // Rounding of the way and of the distance to a surface.
  real3 slack = make3((absolute(low.x) + absolute(high.x)) * 1e-5f, (absolute(low.y) + absolute(high.y)) * 1e-5f,
                      (absolute(low.z) + absolute(high.z)) * 1e-5f);
  low = low - slack;
  high = high + slack;
  store_vector(PASS to, low);
  store_vector(PASS to + 3, high);
}

// Item i of the blocks of spheres, then of capsules.
KERNEL(bound_shapes) {
  int cloth = OWN_CLOTH;
  int per_block = int(shapes_per_block);
  int sphere_block_count = (int(CLOTH(cloth).settings.sphere_count) + per_block - 1) / per_block;
  bool of_capsules = sphere_block_count <= i;
  int block = i;
  int to = int(CLOTH(cloth).settings.sphere_blocks);
  if (of_capsules) {
    block = i - sphere_block_count;
    to = int(CLOTH(cloth).settings.capsule_blocks);
  }
  bound_block(PASS cloth, of_capsules, block * per_block, block * per_block + per_block, to + int(block_words) * block);
}
