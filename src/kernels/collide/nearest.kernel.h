// nearest.kernel.h - how far a particle is from a triangle, whether it went through the triangle, and which triangle it
// went through first. The candidate with the least key wins, and among equal keys the one with the least number, so
// that no result depends on the order of tests.

// Squared distances of triangles that a particle is behind are multiplied by this factor, so that of two triangles that
// share the closest point the one that the particle is in front of wins.
#define CLOTHC_BEHIND 1.0001f

// A path that passes outside of a triangle's edges by up to this part still counts as going through it, so that there
// are no cracks between triangles.
#define CLOTHC_CRACK 1e-3f

struct Triangle {
  real3 a;
  real3 ab;
  real3 ac;
};

FUNCTION(real3) toward(VALUE(real3) a, VALUE(real3) b, VALUE(real) t) {
  return make3(interpolate(a.x, b.x, t), interpolate(a.y, b.y, t), interpolate(a.z, b.z, t));
}

// One vertex per lane, at a time between those of the rows of start and target.
FUNCTION(real3) vertex_between(CONTEXT VALUE(int) start, VALUE(int) target, VALUE(real) vertex, VALUE(real) time) {
  kept_indices row = KEEP_INDICES(to_int(vertex));
  real3 position = XYZ(GATHER_ROW(tables, target, row));
  if (start != target) position = toward(XYZ(GATHER_ROW(tables, start, row)), position, time);
  return position;
}

// The vertices of the triangle of a leaf; w is the number of the triangle.
FUNCTION(real4) corners_of(CONTEXT VALUE(int) bvh, VALUE(inum) leaf) {
  return GATHER_ROW(tables, TABLE_INT(bvh + int(bvh_corners)), leaf);
}

FUNCTION(Triangle)
triangle_between(CONTEXT VALUE(int) start, VALUE(int) target, VALUE(real4) corners, VALUE(real) time) {
  Triangle triangle;
  triangle.a = make3(R(0.0f), R(0.0f), R(0.0f));
  triangle.ab = triangle.a;
  triangle.ac = triangle.a;
  UNROLLED for (int corner = 0; corner < 3; ++corner) {
    real vertex = corners.x;
    if (corner == 1) vertex = corners.y;
    if (corner == 2) vertex = corners.z;
    real3 position = vertex_between(PASS start, target, vertex, time);
    if (corner == 0) triangle.a = position;
    if (corner == 1) triangle.ab = position - triangle.a;
    if (corner == 2) triangle.ac = position - triangle.a;
  }
  return triangle;
}

// The triangle at a time of the update.
FUNCTION(Triangle) triangle_at(CONTEXT VALUE(int) bvh, VALUE(real4) corners, VALUE(real) time) {
  return triangle_between(PASS TABLE_INT(bvh + int(bvh_starts)), TABLE_INT(bvh + int(bvh_targets)), corners, time);
}

// The triangle of a mesh instance in this iteration. Some have their vertices of this iteration in rows of their own.
FUNCTION(Triangle) triangle_now(CONTEXT VALUE(int) mesh, VALUE(real4) corners) {
  int bvh = TABLE_INT(mesh + int(posed_asset));
  int start = TABLE_INT(mesh + int(posed_vertices));
  int target = start;
  if (start == 0) {
    start = TABLE_INT(bvh + int(bvh_starts));
    target = TABLE_INT(bvh + int(bvh_targets));
  }
  return triangle_between(PASS start, target, corners, STEP(time));
}

FUNCTION(Triangle) triangle_in(CONTEXT VALUE(int) bvh, VALUE(inum) leaf, VALUE(real) time) {
  real4 corners = corners_of(PASS bvh, leaf);
  return triangle_at(PASS bvh, corners, time);
}

// The point a + ab s + ac t of a triangle that is closest to a given point.
struct Closest {
  // Whether the triangle has an area.
  mask is_triangle;
  real s;
  real t;
  // From the closest point to the given point.
  real3 away;
  // Normal of the triangle, not normalised.
  real3 normal;
  // Height above the triangle's plane, times the length of normal.
  real height;
};

FUNCTION(real) clamped(VALUE(real) v) { return minimum(maximum(v, R(0.0f)), R(1.0f)); }

FUNCTION(Closest) closest_on(VALUE(Triangle) triangle, VALUE(real3) point) {
  real3 relative = point - triangle.a;
  real bb = dot3(triangle.ab, triangle.ab);
  real bc = dot3(triangle.ab, triangle.ac);
  real cc = dot3(triangle.ac, triangle.ac);
  real db = dot3(relative, triangle.ab);
  real dc = dot3(relative, triangle.ac);
  real area2 = bb * cc - bc * bc;
  Closest found;
  found.normal = cross3(triangle.ab, triangle.ac);
  found.height = dot3(found.normal, relative);
  // False if the triangle is thinner than a millionth of its length, or smaller than lengths may be.
  found.is_triangle = mask_and(R(1e-12f) * bb * cc < area2, R(CLOTHC_SMALLEST) < area2);
  real inverse = divide(R(1.0f), select(found.is_triangle, area2, R(1.0f)));
  real s = (cc * db - bc * dc) * inverse;
  real t = (bb * dc - bc * db) * inverse;
  mask within = mask_and(mask_and(R(0.0f) <= s, R(0.0f) <= t), s + t <= R(1.0f));
  IF_ANY(mask_not(within)) {
    // The closest point is on one of the three edges.
    real one = R(1.0f);
    real aa = bb + cc - bc - bc;
    real on_ab = clamped(divide(db, select(found.is_triangle, bb, one)));
    real on_ac = clamped(divide(dc, select(found.is_triangle, cc, one)));
    real on_bc = clamped(divide(dc - db + bb - bc, select(found.is_triangle, aa, one)));
    real3 from_ab = relative - triangle.ab * on_ab;
    real3 from_ac = relative - triangle.ac * on_ac;
    real3 from_bc = relative - triangle.ab - (triangle.ac - triangle.ab) * on_bc;
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
  found.away = relative - triangle.ab * s - triangle.ac * t;
  return found;
}

// Number of a candidate that is no triangle, above the numbers of all triangles.
#define CLOTHC_NO_NUMBER 16777216.0f

// The best triangle so far: the one with the least key and, among equal keys, with the least number.
struct Candidate {
  real key;
  real number;
  // 1 = the particle is behind the triangle, 0 = in front of it.
  real behind;
  inum leaf;
};

FUNCTION(Candidate) no_candidate(VALUE(real) key) {
  Candidate none;
  none.key = key;
  none.number = R(CLOTHC_NO_NUMBER);
  none.behind = R(0.0f);
  none.leaf = I(0);
  return none;
}

FUNCTION(Candidate)
better_of(VALUE(Candidate) best, VALUE(mask) counts, VALUE(real) key, VALUE(real) number, VALUE(real) behind,
          VALUE(inum) leaf) {
  mask nearer = mask_or(key < best.key, mask_and(key <= best.key, number < best.number));
  mask better = mask_and(counts, nearer);
  Candidate next;
  next.key = select(better, key, best.key);
  next.number = select(better, number, best.number);
  next.behind = select(better, behind, best.behind);
  next.leaf = select_int(better, leaf, best.leaf);
  return next;
}

// The better of a candidate and a triangle whose closest point is known.
FUNCTION(Candidate)
nearer_of(VALUE(Candidate) best, VALUE(mask) counts, VALUE(Closest) found, VALUE(real) number, VALUE(inum) leaf) {
  real distance2 = dot3(found.away, found.away);
  mask is_behind = found.height < R(0.0f);
  real key = select(is_behind, distance2 * R(CLOTHC_BEHIND), distance2);
  real behind = select(is_behind, R(1.0f), R(0.0f));
  return better_of(best, mask_and(counts, found.is_triangle), key, number, behind, leaf);
}

FUNCTION(Candidate)
try_nearest(CONTEXT VALUE(int) mesh, VALUE(Candidate) best, VALUE(mask) counts, VALUE(inum) leaf,
            VALUE(real3) position) {
  real4 corners = corners_of(PASS TABLE_INT(mesh + int(posed_asset)), leaf);
  Closest found = closest_on(triangle_now(PASS mesh, corners), position);
  return nearer_of(best, counts, found, corners.w, leaf);
}

// The key of a crossing is the time at which the particle goes through the triangle, in the iteration.
FUNCTION(Candidate)
try_crossing(CONTEXT VALUE(int) bvh, VALUE(Candidate) best, VALUE(mask) counts, VALUE(inum) leaf, VALUE(real3) position,
             VALUE(real3) previous) {
  real4 corners = corners_of(PASS bvh, leaf);
  Triangle now = triangle_at(PASS bvh, corners, STEP(time));
  Triangle before = triangle_at(PASS bvh, corners, STEP(previous_time));
  real3 normal = cross3(now.ab, now.ac);
  real3 normal_before = cross3(before.ab, before.ac);
  real length2 = dot3(normal, normal);
  real length2_before = dot3(normal_before, normal_before);
  mask is_triangle = mask_and(R(CLOTHC_SMALLEST) < length2, R(CLOTHC_SMALLEST) < length2_before);
  real one = R(1.0f);
  real height = divide(dot3(normal, position - now.a), square_root(select(is_triangle, length2, one)));
  real height_before =
      divide(dot3(normal_before, previous - before.a), square_root(select(is_triangle, length2_before, one)));
  real fall = height_before - height;
  mask falls = mask_and(R(CLOTHC_SMALLEST) < fall, height < R(0.0f));
  falls = mask_and(falls, R(0.0f - CLOTHC_ENTRY_SKIN) * fall <= height_before);
  mask through = mask_and(mask_and(counts, is_triangle), falls);
  Candidate next = best;
  IF_ANY(through) {
    real time = maximum(divide(height_before, select(falls, fall, one)), R(0.0f));
    real3 ab = toward(before.ab, now.ab, time);
    real3 ac = toward(before.ac, now.ac, time);
    real3 relative = toward(previous, position, time) - toward(before.a, now.a, time);
    real bb = dot3(ab, ab);
    real bc = dot3(ab, ac);
    real cc = dot3(ac, ac);
    real db = dot3(relative, ab);
    real dc = dot3(relative, ac);
    real area2 = bb * cc - bc * bc;
    real s = cc * db - bc * dc;
    real t = bb * dc - bc * db;
    real least = R(0.0f - CLOTHC_CRACK) * area2;
    mask within = mask_and(mask_and(least <= s, least <= t), s + t <= area2 - least);
    next = better_of(best, mask_and(through, mask_and(within, R(CLOTHC_SMALLEST) < area2)), time, corners.w, one, leaf);
  }
  return next;
}

// The first triangle that a particle goes through on its path from the previous position to the current one.
FUNCTION(Candidate)
first_crossed(CONTEXT VALUE(int) bvh, VALUE(mask) needed, VALUE(real3) position, VALUE(real3) previous) {
  Candidate best = no_candidate(R(2.0f));
  inum leaves = I(TABLE_INT(bvh + int(bvh_leaf_count)));
  real3 low = lower_of(position, previous);
  real3 high = upper_of(position, previous);
  mask searching = needed;
  inum node = I(1);
  inum trail = I(1);
  WHILE_ANY(searching) {
    inum child = node + node;
    Gaps gaps = gaps_of(PASS bvh, child, low, high);
    mask left = mask_and(searching, gaps.left <= R(0.0f));
    mask right = mask_and(searching, gaps.right <= R(0.0f));
    mask at_leaves = leaves <= child;
    IF_ANY(mask_and(at_leaves, mask_or(left, right))) {
      for (int side = 0; side < 2; ++side) {
        mask enters = left;
        if (side == 1) enters = right;
        inum leaf = select_int(at_leaves, child + I(side) - leaves, I(0));
        best = try_crossing(PASS bvh, best, mask_and(at_leaves, enters), leaf, position, previous);
      }
    }
    mask inner = mask_not(at_leaves);
    left = mask_and(inner, left);
    right = mask_and(inner, right);
    mask goes_on = walk_goes_on(trail, left, right);
    inum next = next_node(node, trail, left, right);
    trail = select_int(searching, next_trail(trail, left, right), trail);
    node = select_int(searching, next, node);
    searching = mask_and(searching, goes_on);
  }
  return best;
}
