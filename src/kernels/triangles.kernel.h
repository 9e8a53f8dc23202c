// triangles.kernel.h - triangles keep particles on their front. A particle behind the triangle of a body that is nearest to it
// is put onto that triangle's plane; with continuous collision, first onto that of the triangle that it went through.
// Triangles that are too far away are found by the boxes of the body's tree (tree.kernel.h). Lanes go through a tree
// together, but every lane looks only at what its own particle calls for, in one order: so it finds the same in any company.
// Source: PhysX 3.4 manual, Cloth, "Collision shapes"; Flex manual, "Triangle Meshes"; Ericson 2005, Real-Time Collision
// Detection, 5.1.5 (closest point).

// Triangles that a particle is behind count as further away by this part, so that of two that share the nearest point the
// one that the particle is in front of counts.
#define CLOTHC_BEHIND 1.0001f

// A way through a triangle that passes its edges by this part counts, so that there are no cracks between triangles.
#define CLOTHC_CRACK 1e-3f

struct Triangle {
  real3 a;
  real3 ab;
  real3 ac;
};

FUNCTION(Triangle) triangle_of(VALUE(real3) a, VALUE(real3) b, VALUE(real3) c) {
  Triangle t;
  t.a = a;
  t.ab = b - a;
  t.ac = c - a;
  return t;
}

FUNCTION(real3) toward(VALUE(real3) a, VALUE(real3) b, VALUE(real) t) {
  return make3(interpolate(a.x, b.x, t), interpolate(a.y, b.y, t), interpolate(a.z, b.z, t));
}

// A vertex at a time, the same for all lanes, and one per lane.
FUNCTION(real3) common_vertex(CONTEXT int tree, int vertex, VALUE(real) time) {
  int start = TABLE_INT(tree + int(tree_starts));
  int target = TABLE_INT(tree + int(tree_targets));
  real3 x = vector_at(PASS target + 4 * vertex);
  if (start != target) x = toward(vector_at(PASS start + 4 * vertex), x, time);
  return x;
}

FUNCTION(real3) own_vertex(CONTEXT int tree, VALUE(inum) vertex, VALUE(real) time) {
  int start = TABLE_INT(tree + int(tree_starts));
  int target = TABLE_INT(tree + int(tree_targets));
  real3 x = XYZ(GATHER_ROW(tables, target, vertex));
  if (start != target) x = toward(XYZ(GATHER_ROW(tables, start, vertex)), x, time);
  return x;
}

FUNCTION(Triangle) common_triangle(CONTEXT int tree, int slot, int leaf, VALUE(real) time) {
  int leaves = TABLE_INT(tree + int(tree_leaf_count));
  int step = TABLE_INT(tree + int(tree_leaf_size)) * leaves;
  int corner = TABLE_INT(tree + int(tree_corners)) + slot * leaves + leaf;
  return triangle_of(common_vertex(PASS tree, TABLE_INT(corner), time),
                     common_vertex(PASS tree, TABLE_INT(corner + step), time),
                     common_vertex(PASS tree, TABLE_INT(corner + 2 * step), time));
}

FUNCTION(Triangle) own_triangle(CONTEXT int tree, VALUE(inum) number, VALUE(real) time) {
  int corners = TABLE_INT(tree + int(tree_triangles));
  inum first = number * I(3);
  return triangle_of(own_vertex(PASS tree, GATHER_INT(tables, corners, first), time),
                     own_vertex(PASS tree, GATHER_INT(tables, corners, first + I(1)), time),
                     own_vertex(PASS tree, GATHER_INT(tables, corners, first + I(2)), time));
}

// The point of a triangle that is closest to a point d from its corner a: a + ab s + ac t.
struct Closest {
  mask is_triangle;  // it has an area
  real s;
  real t;
  real3 away;    // from there to the point
  real3 normal;  // not of length 1
  real height;   // above the plane, times that length
};

FUNCTION(real) clamped(VALUE(real) v) { return minimum(maximum(v, R(0.0f)), R(1.0f)); }

FUNCTION(Closest) closest_on(VALUE(Triangle) triangle, VALUE(real3) x) {
  real3 d = x - triangle.a;
  real bb = dot3(triangle.ab, triangle.ab);
  real bc = dot3(triangle.ab, triangle.ac);
  real cc = dot3(triangle.ac, triangle.ac);
  real db = dot3(d, triangle.ab);
  real dc = dot3(d, triangle.ac);
  real area2 = bb * cc - bc * bc;
  Closest found;
  found.normal = cross3(triangle.ab, triangle.ac);
  found.height = dot3(found.normal, d);
  // Thinner than a millionth of its length, or smaller than lengths may be.
  found.is_triangle = mask_and(R(1e-12f) * bb * cc < area2, R(CLOTHC_SMALLEST) < area2);
  real inverse = divide(R(1.0f), select(found.is_triangle, area2, R(1.0f)));
  real s = (cc * db - bc * dc) * inverse;
  real t = (bb * dc - bc * db) * inverse;
  mask within = mask_and(mask_and(R(0.0f) <= s, R(0.0f) <= t), s + t <= R(1.0f));
  IF_ANY(mask_not(within)) {
    // The nearest of the closest points of the three edges.
    real one = R(1.0f);
    real aa = bb + cc - bc - bc;
    real on_ab = clamped(divide(db, select(found.is_triangle, bb, one)));
    real on_ac = clamped(divide(dc, select(found.is_triangle, cc, one)));
    real on_bc = clamped(divide(dc - db + bb - bc, select(found.is_triangle, aa, one)));
    real3 from_ab = d - triangle.ab * on_ab;
    real3 from_ac = d - triangle.ac * on_ac;
    real3 from_bc = d - triangle.ab - (triangle.ac - triangle.ab) * on_bc;
    real least = dot3(from_ab, from_ab);
    real edge_s = on_ab;
    real edge_t = R(0.0f);
    real next = dot3(from_ac, from_ac);
    mask nearer = next < least;
    edge_s = select(nearer, R(0.0f), edge_s);
    edge_t = select(nearer, on_ac, edge_t);
    least = select(nearer, next, least);
    nearer = dot3(from_bc, from_bc) < least;
    edge_s = select(nearer, one - on_bc, edge_s);
    edge_t = select(nearer, on_bc, edge_t);
    s = select(within, s, edge_s);
    t = select(within, t, edge_t);
  }
  found.s = s;
  found.t = t;
  found.away = d - triangle.ab * s - triangle.ac * t;
  return found;
}

// The best triangle so far: the least key, and of equal ones the least number.
struct Candidate {
  real key;
  inum number;
};

FUNCTION(Candidate) better_of(VALUE(Candidate) best, VALUE(mask) counts, VALUE(real) key, VALUE(inum) number) {
  mask better = mask_and(counts, mask_or(key < best.key, mask_and(key == best.key, number < best.number)));
  Candidate next;
  next.key = select(better, key, best.key);
  next.number = select_int(better, number, best.number);
  return next;
}

FUNCTION(Candidate) try_nearest(VALUE(Candidate) best, VALUE(mask) counts, VALUE(Triangle) triangle, VALUE(inum) number, VALUE(real3) x) {
  Closest found = closest_on(triangle, x);
  real distance2 = dot3(found.away, found.away);
  real key = select(found.height < R(0.0f), distance2 * R(CLOTHC_BEHIND), distance2);
  return better_of(best, mask_and(counts, found.is_triangle), key, number);
}

// x now, y at the iteration's begin. The key is the time at which the particle goes through.
FUNCTION(Candidate) try_crossing(VALUE(Candidate) best, VALUE(mask) counts, VALUE(Triangle) now, VALUE(Triangle) before, VALUE(inum) number, VALUE(real3) x, VALUE(real3) y) {
  real3 normal = cross3(now.ab, now.ac);
  real3 normal_before = cross3(before.ab, before.ac);
  real length2 = dot3(normal, normal);
  real length2_before = dot3(normal_before, normal_before);
  mask is_triangle = mask_and(R(CLOTHC_SMALLEST) < length2, R(CLOTHC_SMALLEST) < length2_before);
  real one = R(1.0f);
  real height = divide(dot3(normal, x - now.a), square_root(select(is_triangle, length2, one)));
  real height_before =
      divide(dot3(normal_before, y - before.a), square_root(select(is_triangle, length2_before, one)));
  real fall = height_before - height;
  mask falls = mask_and(R(CLOTHC_SMALLEST) < fall, height < R(0.0f));
  falls = mask_and(falls, R(0.0f - CLOTHC_ENTRY_SKIN) * fall <= height_before);
  mask through = mask_and(mask_and(counts, is_triangle), falls);
  Candidate next = best;
  IF_ANY(through) {
    real time = maximum(divide(height_before, select(falls, fall, one)), R(0.0f));
    real3 ab = toward(before.ab, now.ab, time);
    real3 ac = toward(before.ac, now.ac, time);
    real3 d = toward(y, x, time) - toward(before.a, now.a, time);
    real bb = dot3(ab, ab);
    real bc = dot3(ab, ac);
    real cc = dot3(ac, ac);
    real db = dot3(d, ab);
    real dc = dot3(d, ac);
    real area2 = bb * cc - bc * bc;
    real s = cc * db - bc * dc;
    real t = bb * dc - bc * db;
    real least = R(0.0f - CLOTHC_CRACK) * area2;
    mask within = mask_and(mask_and(least <= s, least <= t), s + t <= area2 - least);
    next = better_of(best, mask_and(through, mask_and(within, R(CLOTHC_SMALLEST) < area2)), time, number);
  }
  return next;
}

// Goes through a tree. Crossing: the first triangle on the way from y to x that it goes through; otherwise the nearest to x.
// Lanes whose key begins below zero find nothing.
FUNCTION(Candidate) search(CONTEXT int tree, VALUE(Candidate) begin, VALUE(real3) x, VALUE(real3) y, bool crossing) {
  Candidate best = begin;
  mask seeks = R(0.0f) <= begin.key;
  int leaves = TABLE_INT(tree + int(tree_leaf_count));
  int triangles = TABLE_INT(tree + int(tree_triangle_count));
  int each = triangles / leaves;
  int more = triangles - each * leaves;
  int lows = TABLE_INT(tree + int(tree_lows));
  int highs = TABLE_INT(tree + int(tree_highs));
  real3 least = lower_of(x, y);
  real3 greatest = upper_of(x, y);
  int node = 1;
  int depth = 0;
  inum left_at = I(99);  // depth of the node that a lane has not entered, until the others have left it too
  while (0 < node) {
    real3 below = vector_at(PASS lows + 4 * node) - greatest;
    real3 above = least - vector_at(PASS highs + 4 * node);
    real3 gap = upper_of(upper_of(below, above), make3(R(0.0f), R(0.0f), R(0.0f)));
    real reach = best.key;
    if (crossing) reach = R(0.0f);
    mask arrives = I(depth) <= left_at;
    mask enters = mask_and(mask_and(arrives, seeks), dot3(gap, gap) <= reach);
    left_at = select_int(arrives, select_int(enters, I(99), I(depth)), left_at);
    bool goes_down = false;
    IF_ANY(enters) {
      if (node < leaves) {
        goes_down = true;
      } else {
        int leaf = node - leaves;
        int count = each;
        if (leaf < more) count = count + 1;
        for (int slot = 0; slot < count; ++slot) {
          inum number = I(TABLE_INT(TABLE_INT(tree + int(tree_numbers)) + slot * leaves + leaf));
          Triangle now = common_triangle(PASS tree, slot, leaf, STEP(time));
          if (crossing) {
            Triangle before = common_triangle(PASS tree, slot, leaf, STEP(previous_time));
            best = try_crossing(best, enters, now, before, number, x, y);
          } else {
            best = try_nearest(best, enters, now, number, x);
          }
        }
      }
    }
    if (goes_down) {
      node = 2 * node;
      depth = depth + 1;
    } else {
      while (node % 2 == 1) {
        node = node / 2;
        depth = depth - 1;
      }
      if (0 < node) node = node + 1;
    }
  }
  return best;
}

// Body k, number b: hints are where the particle's nearest triangle was.
FUNCTION(Contacts) touch_body(CONTEXT int i, VALUE(Contacts) contacts, int k, int b, VALUE(real3) x, VALUE(real3) before) {
  int tree = TABLE_INT(k + int(posed_asset));
  int hints = SETTING_INT(hints) + b * SETTING_INT(padded_count);
  real margin = SETTING(contact_margin);
  real3 p = into_shape(PASS k, x);
  real3 q = p;
  mask moved = R(1.0f) < R(0.0f);
  if (HAS_COLLISION(collision_continuous)) {
    real3 p_before = into_shape(PASS k + int(posed_before), before);
    Candidate first;
    first.key = R(2.0f);
    first.number = I(0x7fffffff);
    first = search(PASS tree, first, p, p_before, true);
    mask crossed = first.key < R(1.5f);
    IF_ANY(crossed) {
      Closest found = closest_on(own_triangle(PASS tree, select_int(crossed, first.number, I(0)), STEP(time)), p);
      real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
      real3 push = found.normal * (inverse * (margin - found.height * inverse));
      q = select3(crossed, p + push, q);
      moved = crossed;
    }
  }
  real reach = minimum(maximum(TABLE_REAL(k + int(posed_size)), margin), R(1e18f));
  Candidate nearest;
  nearest.key = reach * reach;
  nearest.number = I(0x7fffffff);
  inum hint = clamp_int(LOAD_INT(tables, hints, i), I(0), I(TABLE_INT(tree + int(tree_triangle_count)) - 1));
  nearest = try_nearest(nearest, R(0.0f) <= reach, own_triangle(PASS tree, hint, STEP(time)), hint, q);
  nearest = search(PASS tree, nearest, q, q, false);
  mask is_near = nearest.number < I(0x7fffffff);
  inum number = select_int(is_near, nearest.number, hint);
  STORE_BITS(tables, hints, i, to_unsigned(number));
  Contacts sum = contacts;
  IF_ANY(mask_or(is_near, moved)) {
    Closest found = closest_on(own_triangle(PASS tree, number, STEP(time)), q);
    real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
    real3 push = found.normal * (inverse * (margin - found.height * inverse));
    mask behind = mask_and(is_near, found.height < R(0.0f));
    // In front, but within the margin: away from the closest point.
    real distance2 = dot3(found.away, found.away);
    real distance = square_root(distance2 + CLOTHC_SMALLEST);
    mask close = mask_and(mask_and(is_near, R(0.0f) < distance2), mask_and(mask_not(behind), distance < margin));
    q = select3(behind, q + push, q);
    q = select3(close, q + found.away * (divide(margin, distance) - R(1.0f)), q);
    moved = mask_or(moved, mask_or(behind, close));
    IF_ANY(moved) {
      real3 motion = x - out_of_shape(PASS k + int(posed_before), p);
      if (TABLE_INT(k + int(posed_moves)) != 0 && IS_POSITIVE(SETTING(friction))) {
        Triangle now = own_triangle(PASS tree, number, STEP(time));
        Triangle then = own_triangle(PASS tree, number, STEP(previous_time));
        real3 slid = now.a - then.a + (now.ab - then.ab) * found.s + (now.ac - then.ac) * found.t;
        motion = motion + along_shape(PASS k, slid);
      }
      real3 displacement = along_shape(PASS k, q - p);
      sum = add_contact(sum, moved, displacement, motion);
    }
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
