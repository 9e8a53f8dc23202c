// nearest.kernel.h - which triangle of a body a particle touches: the nearest one, or the first one that it went through. The
// tree's boxes (tree.kernel.h) say which need not be looked at. What may be nearest in the rest of the update is kept in a
// list per particle, so that most iterations do without the tree. No result depends on what is looked at: the least key
// counts, of equal ones the least number, and what is left out has a greater one.
// Source: Ericson 2005, Real-Time Collision Detection, 5.1.5 (closest point).

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
FUNCTION(real3) vertex_of(CONTEXT int tree, VALUE(real) vertex, VALUE(real) time) {
  int start = TABLE_INT(tree + int(tree_starts));
  int target = TABLE_INT(tree + int(tree_targets));
  kept_indices row = KEEP_INDICES(to_int(vertex));
  real3 x = XYZ(GATHER_ROW(tables, target, row));
  if (start != target) x = toward(XYZ(GATHER_ROW(tables, start, row)), x, time);
  return x;
}

// The corners and the number of the triangle of a leaf, and where it is.
FUNCTION(real4) corners_of(CONTEXT int tree, VALUE(inum) leaf) {
  return GATHER_ROW(tables, TABLE_INT(tree + int(tree_corners)), leaf);
}

FUNCTION(Triangle) triangle_at(CONTEXT int tree, VALUE(real4) corners, VALUE(real) time) {
  return triangle_of(vertex_of(PASS tree, corners.x, time), vertex_of(PASS tree, corners.y, time),
                     vertex_of(PASS tree, corners.z, time));
}

FUNCTION(Triangle) triangle_in(CONTEXT int tree, VALUE(inum) leaf, VALUE(real) time) {
  real4 corners = corners_of(PASS tree, leaf);
  return triangle_at(PASS tree, corners, time);
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

// The best triangle so far: the least key, and of equal ones the least number, which is below that of none.
#define CLOTHC_NO_NUMBER 16777216.0f
struct Candidate {
  real key;
  real number;
  inum leaf;
};

FUNCTION(Candidate) no_candidate(VALUE(real) key) {
  Candidate none;
  none.key = key;
  none.number = R(CLOTHC_NO_NUMBER);
  none.leaf = I(0);
  return none;
}

FUNCTION(Candidate)
better_of(VALUE(Candidate) best, VALUE(mask) counts, VALUE(real) key, VALUE(real) number, VALUE(inum) leaf) {
  mask nearer = mask_or(key < best.key, mask_and(key <= best.key, number < best.number));
  mask better = mask_and(counts, nearer);
  Candidate next;
  next.key = select(better, key, best.key);
  next.number = select(better, number, best.number);
  next.leaf = select_int(better, leaf, best.leaf);
  return next;
}

FUNCTION(Candidate)
try_nearest(CONTEXT int tree, VALUE(Candidate) best, VALUE(mask) counts, VALUE(inum) leaf, VALUE(real3) x) {
  real4 corners = corners_of(PASS tree, leaf);
  Closest found = closest_on(triangle_at(PASS tree, corners, STEP(time)), x);
  real distance2 = dot3(found.away, found.away);
  real key = select(found.height < R(0.0f), distance2 * R(CLOTHC_BEHIND), distance2);
  return better_of(best, mask_and(counts, found.is_triangle), key, corners.w, leaf);
}

// x now, y at the iteration's begin. The key is the time at which the particle goes through.
FUNCTION(Candidate)
try_crossing(CONTEXT int tree, VALUE(Candidate) best, VALUE(mask) counts, VALUE(inum) leaf, VALUE(real3) x,
             VALUE(real3) y) {
  real4 corners = corners_of(PASS tree, leaf);
  Triangle now = triangle_at(PASS tree, corners, STEP(time));
  Triangle before = triangle_at(PASS tree, corners, STEP(previous_time));
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
    next = better_of(best, mask_and(through, mask_and(within, R(CLOTHC_SMALLEST) < area2)), time, corners.w, leaf);
  }
  return next;
}

// The first triangle on the way from y to x that a particle goes through.
FUNCTION(Candidate) first_crossed(CONTEXT int tree, VALUE(mask) wanted, VALUE(real3) x, VALUE(real3) y) {
  Candidate best = no_candidate(R(2.0f));
  inum leaves = I(TABLE_INT(tree + int(tree_leaf_count)));
  real3 low = lower_of(x, y);
  real3 high = upper_of(x, y);
  mask goes = wanted;
  inum node = I(1);
  inum trail = I(1);
  WHILE_ANY(goes) {
    inum child = node + node;
    Gaps gaps = gaps_of(PASS tree, child, low, high);
    mask left = mask_and(goes, gaps.left <= R(0.0f));
    mask right = mask_and(goes, gaps.right <= R(0.0f));
    mask at_leaves = leaves <= child;
    IF_ANY(mask_and(at_leaves, mask_or(left, right))) {
      for (int side = 0; side < 2; ++side) {
        mask enters = left;
        if (side == 1) enters = right;
        inum leaf = select_int(at_leaves, child + I(side) - leaves, I(0));
        best = try_crossing(PASS tree, best, mask_and(at_leaves, enters), leaf, x, y);
      }
    }
    mask inner = mask_not(at_leaves);
    left = mask_and(inner, left);
    right = mask_and(inner, right);
    mask goes_on = walk_goes_on(trail, left, right);
    inum next = next_node(node, trail, left, right);
    trail = select_int(goes, next_trail(trail, left, right), trail);
    node = select_int(goes, next, node);
    goes = mask_and(goes, goes_on);
  }
  return best;
}

// The candidates in a particle's list, from one of them on.
FUNCTION(Candidate)
try_listed(CONTEXT int i, int tree, VALUE(Candidate) begin, int list, int from, VALUE(inum) count, VALUE(real3) x) {
  Candidate best = begin;
  int slot = from;
  WHILE_ANY(I(slot) < count) {
    mask listed = I(slot) < count;
    inum leaf = select_int(listed, LOAD_INT(tables, list + slot * SETTING_INT(padded_count), i), I(0));
    best = try_nearest(PASS tree, best, listed, leaf, x);
    ++slot;
  }
  return best;
}

// The triangle of body b nearest to x, if that is within reach. The leaves whose boxes are within some room more are
// listed: as long as the particle does not leave that, in this update, no others need be looked at.
FUNCTION(Candidate)
find_nearest(CONTEXT int i, int b, int tree, VALUE(mask) wanted, VALUE(real3) x, VALUE(real) reach, VALUE(real) room) {
  int padded = SETTING_INT(padded_count);
  int hints = SETTING_INT(hints) + int(body_hints) * padded * b;
  int counts = hints + padded;
  int list = counts + padded;
  int places = SETTING_INT(clearances) + (int(body_clearances) * b + 4) * padded;
  inum leaves = I(TABLE_INT(tree + int(tree_leaf_count)));
  inum hint = clamp_int(LOAD_INT(tables, hints, i), I(0), I(TABLE_INT(tree + int(tree_triangle_count)) - 1));
  inum first = hint;
  inum count = I(1);
  // How far away the nearest one may be, so that it is surely in the list.
  real sure = R(0.0f);
  real4 listed_at = GATHER_ROW(tables, places, LANES(i));
  if (0 < STEP_INT(iteration)) {
    real3 way = x - XYZ(listed_at);
    sure = maximum(listed_at.w * R(0.999f) - square_root(dot3(way, way)), R(0.0f));
    mask listed = mask_or(R(0.0f) < sure, mask_not(wanted));
    first = select_int(listed, LOAD_INT(tables, list, i), hint);
    count = select_int(listed, LOAD_INT(tables, counts, i), I(1));
  }
  STORE_BITS(tables, list, i, to_unsigned(first));
  real reach2 = reach * reach;
  Candidate best = no_candidate(reach2);
  best.leaf = hint;
  best = try_listed(PASS i, tree, best, list, 0, select_int(wanted, count, I(0)), x);
  mask seeks = mask_and(wanted, mask_not(best.key < sure * sure));
  IF_ANY(seeks) {
    // Particles that are far away are soon clear (triangles.kernel.h), the others mostly need a part of the room.
    real distance = square_root(best.key);
    real more = select(distance <= SETTING(contact_margin) + room, room * R(0.25f), R(0.0f));
    real radius = minimum(distance + more, R(1e18f));
    real radius2 = maximum(radius * radius, best.key);
    mask lost = R(1.0f) < R(0.0f);
    inum found = I(1);
    mask goes = seeks;
    inum node = I(1);
    inum trail = I(1);
    WHILE_ANY(goes) {
      mask steps = goes;
      WHILE_ANY(steps) {
        inum child = node + node;
        Gaps gaps = gaps_of(PASS tree, child, x, x);
        mask left = mask_and(steps, gaps.left <= radius2);
        mask right = mask_and(steps, gaps.right <= radius2);
        mask at_leaves = leaves <= child;
        IF_ANY(mask_and(at_leaves, mask_or(left, right))) {
          inum leaf = child - leaves;
          mask arrives = mask_and(mask_and(at_leaves, left), mask_not(leaf == first));
          SCATTER_INT(tables, list, found * I(padded) + LANES(i), leaf, arrives);
          found = found + select_int(arrives, I(1), I(0));
          leaf = leaf + I(1);
          arrives = mask_and(mask_and(at_leaves, right), mask_not(leaf == first));
          SCATTER_INT(tables, list, found * I(padded) + LANES(i), leaf, arrives);
          found = found + select_int(arrives, I(1), I(0));
        }
        mask inner = mask_not(at_leaves);
        left = mask_and(inner, left);
        right = mask_and(inner, right);
        mask goes_on = walk_goes_on(trail, left, right);
        inum next = next_node(node, trail, left, right);
        trail = select_int(steps, next_trail(trail, left, right), trail);
        node = select_int(steps, next, node);
        goes = mask_and(goes, mask_or(goes_on, mask_not(steps)));
        steps = mask_and(goes, found < I(int(body_leaves) - 2));
      }
      best = try_listed(PASS i, tree, best, list, 1, select_int(seeks, found, I(1)), x);
      // Where the list is full, what is in it is left behind: it holds for this iteration only.
      lost = mask_or(lost, goes);
      radius2 = select(goes, minimum(radius2, best.key), radius2);
      found = select_int(goes, I(1), found);
    }
    STORE_BITS(tables, counts, i, to_unsigned(select_int(seeks, found, count)));
    real4 place = make4(x, select(lost, R(0.0f), radius));
    STORE_ROW(tables, places, i, select4(seeks, place, listed_at));
  }
  STORE_BITS(tables, hints, i, to_unsigned(select_int(wanted, best.leaf, hint)));
  return best;
}
