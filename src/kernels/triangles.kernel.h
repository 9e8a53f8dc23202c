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

// Squared distances of the box from low to high, or of a point, from the boxes of a node's children.
struct Gaps {
  real left;
  real right;
};

FUNCTION(real) gap2_of(VALUE(real3) below, VALUE(real3) above) {
  real3 gap = upper_of(upper_of(below, above), make3(R(0.0f), R(0.0f), R(0.0f)));
  return dot3(gap, gap);
}

FUNCTION(Gaps) gaps_of(CONTEXT int tree, VALUE(inum) child, VALUE(real3) low, VALUE(real3) high) {
  int lows = TABLE_INT(tree + int(tree_lows));
  int highs = TABLE_INT(tree + int(tree_highs));
  kept_indices row = KEEP_INDICES(child);
  real3 below = XYZ(GATHER_ROW(tables, lows, row)) - high;
  real3 below_right = XYZ(GATHER_ROW(tables, lows + 4, row)) - high;
  real3 above = low - XYZ(GATHER_ROW(tables, highs, row));
  real3 above_right = low - XYZ(GATHER_ROW(tables, highs + 4, row));
  Gaps gaps;
  gaps.left = gap2_of(below, above);
  gaps.right = gap2_of(below_right, above_right);
  return gaps;
}

// Where a walk through a tree is, all that it enters of one branch before the next one: at an inner node. Bit k of the
// trail: of its k-th ancestor, itself being the 0th, the sibling to the right is still to be entered; the root's bit ends
// the walk.
struct Walk {
  mask goes;
  inum node;
  inum trail;
};

FUNCTION(Walk) walk_from_root(VALUE(mask) goes) {
  Walk walk;
  walk.goes = goes;
  walk.node = I(1);
  walk.trail = I(1);
  return walk;
}

// On from a node of which these children are to be entered.
FUNCTION(Walk) next_of(VALUE(Walk) walk, VALUE(mask) steps, VALUE(mask) left, VALUE(mask) right) {
  inum child = walk.node + walk.node;
  inum power = walk.trail & (I(0) - walk.trail);
  real inverse = as_real(I(0x7f000000) - as_int(to_real(power)));  // of a power of two below 2^24
  inum sibling = to_int(to_real(walk.node) * inverse) + I(1);
  inum rest = to_int(to_real(walk.trail) * inverse) - I(1);
  mask down = mask_or(left, right);
  inum below = walk.trail + walk.trail + select_int(mask_and(left, right), I(1), I(0));
  mask goes = mask_or(down, power < walk.trail);
  Walk next;
  next.goes = mask_and(walk.goes, mask_or(goes, mask_not(steps)));
  inum node = select_int(down, select_int(left, child, child + I(1)), sibling);
  next.node = select_int(steps, node, walk.node);
  next.trail = select_int(steps, select_int(down, below, rest), walk.trail);
  return next;
}

// The first triangle on the way from y to x that a particle goes through.
FUNCTION(Candidate) first_crossed(CONTEXT int tree, VALUE(mask) wanted, VALUE(real3) x, VALUE(real3) y) {
  Candidate best = no_candidate(R(2.0f));
  inum leaves = I(TABLE_INT(tree + int(tree_leaf_count)));
  real3 low = lower_of(x, y);
  real3 high = upper_of(x, y);
  Walk walk = walk_from_root(wanted);
  WHILE_ANY(walk.goes) {
    inum child = walk.node + walk.node;
    Gaps gaps = gaps_of(PASS tree, child, low, high);
    mask left = mask_and(walk.goes, gaps.left <= R(0.0f));
    mask right = mask_and(walk.goes, gaps.right <= R(0.0f));
    mask at_leaves = leaves <= child;
    IF_ANY(mask_and(at_leaves, mask_or(left, right))) {
      inum leaf = select_int(at_leaves, child - leaves, I(0));
      best = try_crossing(PASS tree, best, mask_and(at_leaves, left), leaf, x, y);
      leaf = select_int(at_leaves, leaf + I(1), I(0));
      best = try_crossing(PASS tree, best, mask_and(at_leaves, right), leaf, x, y);
    }
    mask inner = mask_not(at_leaves);
    walk = next_of(walk, walk.goes, mask_and(inner, left), mask_and(inner, right));
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
  int places = SETTING_INT(clearances) + (8 * b + 4) * padded;
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
    mask listed = R(0.0f) < sure;
    first = select_int(listed, LOAD_INT(tables, list, i), hint);
    count = select_int(listed, LOAD_INT(tables, counts, i), I(1));
  }
  STORE_BITS(tables, list, i, to_unsigned(first));
  Candidate best = no_candidate(reach * reach);
  best.leaf = hint;
  best = try_listed(PASS i, tree, best, list, 0, select_int(wanted, count, I(0)), x);
  mask seeks = mask_and(wanted, mask_not(best.key < sure * sure));
  IF_ANY(seeks) {
    real distance = square_root(best.key);
    real radius = minimum(distance + select(distance <= SETTING(contact_margin) + room, room * R(0.25f), R(0.0f)), R(1e18f));
    real radius2 = maximum(radius * radius, best.key);
    mask lost = R(1.0f) < R(0.0f);
    inum found = I(1);
    Walk walk = walk_from_root(seeks);
    WHILE_ANY(walk.goes) {
      mask steps = walk.goes;
      WHILE_ANY(steps) {
        inum child = walk.node + walk.node;
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
        walk = next_of(walk, steps, mask_and(inner, left), mask_and(inner, right));
        steps = mask_and(walk.goes, found < I(int(body_leaves) - 2));
      }
      best = try_listed(PASS i, tree, best, list, 1, select_int(seeks, found, I(1)), x);
      // Where the list is full, those in it are left behind.
      lost = mask_or(lost, walk.goes);
      radius2 = select(walk.goes, minimum(radius2, best.key), radius2);
      found = select_int(walk.goes, I(1), found);
    }
    STORE_BITS(tables, counts, i, to_unsigned(select_int(seeks, found, count)));
    real4 place = make4(x, select(lost, R(0.0f), radius));
    STORE_ROW(tables, places, i, select4(seeks, place, listed_at));
  }
  STORE_BITS(tables, hints, i, to_unsigned(select_int(wanted, best.leaf, hint)));
  return best;
}

// How far a particle must go to get from the front of a body to its back: so long it need not be looked at again in this
// update. Where it was, and how far that is.
FUNCTION(mask) is_clear(CONTEXT int i, int b, VALUE(real3) p) {
  mask clear = R(1.0f) < R(0.0f);
  if (0 < STEP_INT(iteration)) {
    real4 seen = GATHER_ROW(tables, SETTING_INT(clearances) + 8 * b * SETTING_INT(padded_count), LANES(i));
    real3 way = p - XYZ(seen);
    clear = mask_and(R(0.0f) < seen.w, dot3(way, way) < seen.w * seen.w);
  }
  return clear;
}

FUNCTION(void) note_clearance(CONTEXT int i, int b, VALUE(mask) clear, VALUE(real3) q, VALUE(real) distance) {
  int rows = SETTING_INT(clearances) + 8 * b * SETTING_INT(padded_count);
  real4 seen = GATHER_ROW(tables, rows, LANES(i));
  real4 next = make4(q, distance);
  STORE_ROW(tables, rows, i, select4(clear, seen, next));
}

// Body k, number b.
FUNCTION(Contacts)
touch_body(CONTEXT int i, VALUE(Contacts) contacts, int k, int b, VALUE(real3) x, VALUE(real3) before) {
  int tree = TABLE_INT(k + int(posed_asset));
  real margin = SETTING(contact_margin);
  real3 p = into_shape(PASS k, x);
  mask clear = is_clear(PASS i, b, p);
  Contacts sum = contacts;
  IF_ANY(mask_not(clear)) {
    real3 q = p;
    mask moved = R(1.0f) < R(0.0f);
    real nothing = R(-1.0f);
    if (HAS_COLLISION(collision_continuous)) {
      real3 p_before = into_shape(PASS k + int(posed_before), before);
      Candidate first = first_crossed(PASS tree, mask_not(clear), p, p_before);
      moved = mask_and(mask_not(clear), first.key < R(1.5f));
      IF_ANY(moved) {
        Closest found = closest_on(triangle_in(PASS tree, first.leaf, STEP(time)), p);
        real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
        q = select3(moved, p + found.normal * (inverse * (margin - found.height * inverse)), q);
      }
    }
    real reach = minimum(maximum(TABLE_REAL(k + int(posed_size)), margin), R(1e18f));
    // So far beyond its reach that what is not found there stays so for a while, at the particle's present speed.
    real3 way = x - before;
    real room = absolute(way.x) + absolute(way.y) + absolute(way.z);
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
      mask close = mask_and(in_front, mask_and(R(1e-15f) < distance, distance < margin));
      real free_way = distance - select(in_front, margin, reach) - TABLE_REAL(tree + int(tree_motion));
      clearance = select(is_near, select(behind, nothing, free_way * R(0.999f)), clearance);
      real inverse = divide(R(1.0f), square_root(dot3(found.normal, found.normal) + CLOTHC_SMALLEST));
      real3 push = found.normal * (inverse * (margin - found.height * inverse));
      q = select3(behind, q + push, q);
      q = select3(close, q + found.away * (divide(margin, distance) - R(1.0f)), q);
      moved = mask_or(moved, mask_or(behind, close));
      IF_ANY(moved) {
        real3 motion = x - out_of_shape(PASS k + int(posed_before), p);
        if (TABLE_INT(k + int(posed_moves)) != 0 && IS_POSITIVE(SETTING(friction))) {
          Triangle now = triangle_in(PASS tree, leaf, STEP(time));
          Triangle then = triangle_in(PASS tree, leaf, STEP(previous_time));
          real3 slid = now.a - then.a + (now.ab - then.ab) * found.s + (now.ac - then.ac) * found.t;
          motion = motion + along_shape(PASS k, slid);
        }
        real3 displacement = along_shape(PASS k, q - p);
        sum = add_contact(sum, moved, displacement, motion);
      }
    }
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
