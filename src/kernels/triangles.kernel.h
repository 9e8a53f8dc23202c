// triangles.kernel.h - triangles keep particles on their front. A particle behind the triangle of a body that is nearest to it
// is put onto that triangle's plane; with continuous collision, first onto that of the triangle that it went through.
// Triangles that are too far away are found by the boxes of the body's tree (tree.kernel.h), and left out. A particle that is
// seen in front of a body by some distance is not looked at again in that update until it has gone that far.
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

// A vertex per lane, at a time of the update.
FUNCTION(real3) vertex_of(CONTEXT int tree, VALUE(inum) vertex, VALUE(real) time) {
  int start = TABLE_INT(tree + int(tree_starts));
  int target = TABLE_INT(tree + int(tree_targets));
  real3 x = XYZ(GATHER_ROW(tables, target, vertex));
  if (start != target) x = toward(XYZ(GATHER_ROW(tables, start, vertex)), x, time);
  return x;
}

// The triangle of a leaf.
FUNCTION(Triangle) triangle_in(CONTEXT int tree, VALUE(inum) leaf, VALUE(real) time) {
  int corners = TABLE_INT(tree + int(tree_corners));
  int leaves = TABLE_INT(tree + int(tree_leaf_count));
  return triangle_of(vertex_of(PASS tree, GATHER_INT(tables, corners, leaf), time),
                     vertex_of(PASS tree, GATHER_INT(tables, corners + leaves, leaf), time),
                     vertex_of(PASS tree, GATHER_INT(tables, corners + 2 * leaves, leaf), time));
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
  inum leaf;
};

FUNCTION(Candidate) no_candidate(VALUE(real) key) {
  Candidate none;
  none.key = key;
  none.number = I(0x7fffffff);
  none.leaf = I(0);
  return none;
}

FUNCTION(Candidate)
better_of(CONTEXT int tree, VALUE(Candidate) best, VALUE(mask) counts, VALUE(real) key, VALUE(inum) leaf) {
  mask good = mask_and(counts, key <= best.key);
  Candidate next = best;
  IF_ANY(good) {
    inum number = GATHER_INT(tables, TABLE_INT(tree + int(tree_numbers)), leaf);
    mask better = mask_and(good, mask_or(key < best.key, number < best.number));
    next.key = select(better, key, best.key);
    next.number = select_int(better, number, best.number);
    next.leaf = select_int(better, leaf, best.leaf);
  }
  return next;
}

FUNCTION(Candidate)
try_nearest(CONTEXT int tree, VALUE(Candidate) best, VALUE(mask) counts, VALUE(inum) leaf, VALUE(real3) x) {
  Closest found = closest_on(triangle_in(PASS tree, leaf, STEP(time)), x);
  real distance2 = dot3(found.away, found.away);
  real key = select(found.height < R(0.0f), distance2 * R(CLOTHC_BEHIND), distance2);
  return better_of(PASS tree, best, mask_and(counts, found.is_triangle), key, leaf);
}

// x now, y at the iteration's begin. The key is the time at which the particle goes through.
FUNCTION(Candidate)
try_crossing(CONTEXT int tree, VALUE(Candidate) best, VALUE(mask) counts, VALUE(inum) leaf, VALUE(real3) x,
             VALUE(real3) y) {
  Triangle now = triangle_in(PASS tree, leaf, STEP(time));
  Triangle before = triangle_in(PASS tree, leaf, STEP(previous_time));
  real3 normal = cross3(now.ab, now.ac);
  real3 normal_before = cross3(before.ab, before.ac);
  real length2 = dot3(normal, normal);
  real length2_before = dot3(normal_before, normal_before);
  mask is_triangle = mask_and(R(CLOTHC_SMALLEST) < length2, R(CLOTHC_SMALLEST) < length2_before);
  real one = R(1.0f);
  real height = divide(dot3(normal, x - now.a), square_root(select(is_triangle, length2, one)));
  real height_before = divide(dot3(normal_before, y - before.a), square_root(select(is_triangle, length2_before, one)));
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
    next = better_of(PASS tree, best, mask_and(through, mask_and(within, R(CLOTHC_SMALLEST) < area2)), time, leaf);
  }
  return next;
}

// The node behind a node's branch, in the order of parents before children: the next one to the right, or that of the
// nearest ancestor that has one. 1 behind the last one.
FUNCTION(inum) node_behind(VALUE(inum) node) {
  inum next = node + I(1);
  inum power = next & (I(0) - next);
  real inverse = as_real(I(0x7f000000) - as_int(to_real(power)));  // of a power of two below 2^24
  return to_int(to_real(next) * inverse);
}

// Goes through a tree. Crossing: the first triangle on the way from y to x that it goes through; otherwise the nearest to x.
// Lanes whose key begins below zero find nothing.
FUNCTION(Candidate) search(CONTEXT int tree, VALUE(Candidate) begin, VALUE(real3) x, VALUE(real3) y, bool crossing) {
  Candidate best = begin;
  inum leaves = I(TABLE_INT(tree + int(tree_leaf_count)));
  int lows = TABLE_INT(tree + int(tree_lows));
  int highs = TABLE_INT(tree + int(tree_highs));
  real3 least = lower_of(x, y);
  real3 greatest = upper_of(x, y);
  inum node = I(1);
  mask seeks = R(0.0f) <= begin.key;
  WHILE_ANY(seeks) {
    real3 below = XYZ(GATHER_ROW(tables, lows, node)) - greatest;
    real3 above = least - XYZ(GATHER_ROW(tables, highs, node));
    real3 gap = upper_of(upper_of(below, above), make3(R(0.0f), R(0.0f), R(0.0f)));
    real reach = best.key;
    if (crossing) reach = R(0.0f);
    mask enters = mask_and(seeks, dot3(gap, gap) <= reach);
    mask is_leaf = leaves <= node;
    mask arrives = mask_and(enters, is_leaf);
    IF_ANY(arrives) {
      inum leaf = select_int(is_leaf, node - leaves, I(0));
      if (crossing) {
        best = try_crossing(PASS tree, best, arrives, leaf, x, y);
      } else {
        best = try_nearest(PASS tree, best, arrives, leaf, x);
      }
    }
    inum next = select_int(mask_and(enters, mask_not(is_leaf)), node + node, node_behind(node));
    node = select_int(seeks, next, I(1));
    seeks = I(1) < node;
  }
  return best;
}

// How far a particle must go to get from the front of a body to its back: so long it need not be looked at again in this
// update. Where it was, and how far that is.
FUNCTION(mask) is_clear(CONTEXT int i, int b, VALUE(real3) p) {
  mask clear = R(1.0f) < R(0.0f);
  if (0 < STEP_INT(iteration)) {
    real4 seen = GATHER_ROW(tables, SETTING_INT(clearances) + 4 * b * SETTING_INT(padded_count), LANES(i));
    real3 way = p - XYZ(seen);
    clear = mask_and(R(0.0f) < seen.w, dot3(way, way) < seen.w * seen.w);
  }
  return clear;
}

FUNCTION(void) note_clearance(CONTEXT int i, int b, VALUE(mask) clear, VALUE(real3) q, VALUE(real) distance) {
  int rows = SETTING_INT(clearances) + 4 * b * SETTING_INT(padded_count);
  real4 seen = GATHER_ROW(tables, rows, LANES(i));
  real4 next = make4(q, distance);
  STORE_ROW(tables, rows, i, select4(clear, seen, next));
}

// Body k, number b.
FUNCTION(Contacts)
touch_body(CONTEXT int i, VALUE(Contacts) contacts, int k, int b, VALUE(real3) x, VALUE(real3) before) {
  int tree = TABLE_INT(k + int(posed_asset));
  int hints = SETTING_INT(hints) + b * SETTING_INT(padded_count);
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
      Candidate first = search(PASS tree, no_candidate(select(clear, nothing, R(2.0f))), p, p_before, true);
      moved = mask_and(mask_not(clear), first.key < R(1.5f));
      IF_ANY(moved) {
        Closest found = closest_on(triangle_in(PASS tree, first.leaf, STEP(time)), p);
        real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
        q = select3(moved, p + found.normal * (inverse * (margin - found.height * inverse)), q);
      }
    }
    real reach = minimum(maximum(TABLE_REAL(k + int(posed_reach)), margin), R(1e18f));
    // So far beyond its reach that what is not found there stays so for a while, at the particle's present speed.
    real3 way = x - before;
    real room = absolute(way.x) + absolute(way.y) + absolute(way.z);
    room = room * inverse_scale;
    room = room * (R(2.0f) * to_real(I(STEP_INT(iteration_count)))) + TABLE_REAL(tree + int(tree_motion));
    real search_reach = minimum(reach + room, R(1e18f));
    Candidate nearest = no_candidate(select(clear, nothing, search_reach * search_reach));
    inum hint = clamp_int(LOAD_INT(tables, hints, i), I(0), I(TABLE_INT(tree + int(tree_triangle_count)) - 1));
    nearest = try_nearest(PASS tree, nearest, mask_not(clear), hint, q);
    nearest = search(PASS tree, nearest, q, q, false);
    mask is_near = nearest.number < I(0x7fffffff);
    inum leaf = select_int(is_near, nearest.leaf, hint);
    STORE_BITS(tables, hints, i, to_unsigned(leaf));
    real clearance = room - TABLE_REAL(tree + int(tree_motion));
    IF_ANY(mask_or(is_near, moved)) {
      Closest found = closest_on(triangle_in(PASS tree, leaf, STEP(time)), q);
      real distance = square_root(dot3(found.away, found.away) + CLOTHC_SMALLEST);
      mask in_front = mask_and(is_near, R(0.0f) <= found.height);
      mask behind = mask_and(mask_and(is_near, mask_not(in_front)), distance <= reach);
      // In front, but within the margin: away from the closest point.
      mask close = mask_and(in_front, mask_and(R(1e-15f) < distance, distance < margin));
      real free_way = distance - select(in_front, margin, reach) - TABLE_REAL(tree + int(tree_motion));
      clearance = select(is_near, select(behind, nothing, free_way * R(0.999f)), clearance);
      real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
      real3 push = found.normal * (inverse * (margin - found.height * inverse));
      q = select3(behind, q + push, q);
      q = select3(close, q + found.away * (divide(margin, distance) - R(1.0f)), q);
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
