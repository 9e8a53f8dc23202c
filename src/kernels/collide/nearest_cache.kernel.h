// nearest_cache.kernel.h - finds the triangle of a mesh instance that is nearest to a particle. The BVH
// (triangle_bvh.kernel.h) excludes triangles that are farther away than a known one, and triangles that the particle is
// in front of and too far from to be pushed. The others are cached per particle for the rest of the update. The cache
// is valid as long as the particle stays within a distance from where it was filled, so most iterations do not need the
// BVH. No result depends on which triangles are tested.

// Offsets of the cache of mesh instance number b, whose arrays are over the particles.
FUNCTION(int) cache_of(CONTEXT int b) {
  return SETTING_INT(triangle_cache) + int(cache_words) * SETTING_INT(padded_count) * b;
}
FUNCTION(int) counts_of(CONTEXT int b) { return cache_of(PASS b) + SETTING_INT(padded_count); }
FUNCTION(int) list_of(CONTEXT int b) { return cache_of(PASS b) + 2 * SETTING_INT(padded_count); }
FUNCTION(int) cache_positions_of(CONTEXT int b) {
  return SETTING_INT(cache_bounds) + int(cache_bound_words) * SETTING_INT(padded_count) * b;
}
FUNCTION(int) cache_radii_of(CONTEXT int b) { return cache_positions_of(PASS b) + 4 * SETTING_INT(padded_count); }

// Tests the cached triangles of mesh instance k.
FUNCTION(Candidate)
try_cached(CONTEXT int i, int k, VALUE(Candidate) begin, int list, VALUE(inum) count, VALUE(real3) x) {
  Candidate best = begin;
  int slot = 0;
  WHILE_ANY(I(slot) < count) {
    mask listed = I(slot) < count;
    inum leaf = select_int(listed, LOAD_INT(tables, list + slot * SETTING_INT(padded_count), i), I(0));
    best = try_nearest(PASS k, best, listed, leaf, x);
    ++slot;
  }
  return best;
}

// Appends a leaf to the cache where is_one holds; returns the number of cached leaves.
FUNCTION(inum) list_leaf(CONTEXT int i, int list, VALUE(inum) count, VALUE(inum) leaf, VALUE(mask) is_one) {
  SCATTER_INT(tables, list, count * I(SETTING_INT(padded_count)) + LANES(i), leaf, is_one);
  return count + select_int(is_one, I(1), I(0));
}

// A search for the triangle nearest to x.
struct NearestQuery {
  real3 x;
  real reach;
  real margin;
  // Upper bound on how far the particle is expected to move in the rest of the update.
  real travel;
  // Upper bound on how far a vertex moves in the rest of the update.
  real motion;
  // A particle that is farther than this in front of a triangle is expected to stay in front of it.
  real room;
  // Triangles that are farther away than this cannot come within reach.
  real farthest;
};

FUNCTION(NearestQuery)
query_near(CONTEXT int tree, VALUE(real3) x, VALUE(real) reach, VALUE(real) margin, VALUE(real) travel) {
  real slack = TABLE_REAL(tree + int(bvh_slack));
  NearestQuery query;
  query.x = x;
  query.reach = reach;
  query.margin = margin;
  query.travel = travel;
  query.motion = TABLE_REAL(tree + int(bvh_motion)) * (R(1.0001f) - STEP(time)) + slack;
  query.room = travel + slack + R(1e-5f) * manhattan_length(x);
  query.farthest = minimum(reach + travel + query.motion, R(1e18f));
  return query;
}

// The squared radius of a search around the particle, chosen so that the result is likely to stay valid for the update.
FUNCTION(real) searched2(VALUE(NearestQuery) query, VALUE(Candidate) nearest) {
  real more = select(R(0.5f) < nearest.behind, query.travel * R(0.75f) + query.motion * R(0.25f),
                     query.travel + query.travel + query.motion);
  real radius = minimum(square_root(nearest.key) + more, query.farthest);
  return maximum(radius * radius, nearest.key);
}

// is_entered: whether the search enters a node, given the result of gap2_or_front. least_in_front: the least squared
// distance of the nodes within the radius that it skips because the particle is in front of them.
FUNCTION(mask) is_entered(VALUE(real) gap2, VALUE(real) radius2, VALUE(real) guard2) {
  return mask_and(absolute(gap2) <= radius2, mask_not(gap2 < R(0.0f) - guard2));
}
FUNCTION(real) least_in_front(VALUE(real) least, VALUE(real) gap2, VALUE(real) radius2, VALUE(real) guard2) {
  mask is_passed = mask_and(absolute(gap2) <= radius2, gap2 < R(0.0f) - guard2);
  return select(is_passed, minimum(least, R(0.0f) - gap2), least);
}

// The begin of a search at the parent of a leaf.
struct Ascent {
  // Which siblings of the ancestors are to be entered, see triangle_bvh.kernel.h.
  inum trail;
  // Squared distance of the nearest sibling that is skipped because the particle is in front of it.
  real front2;
};

FUNCTION(Ascent)
ascend(CONTEXT int tree, VALUE(inum) leaf, VALUE(NearestQuery) query, VALUE(real) radius2, VALUE(real) guard2) {
  int nodes = TABLE_INT(tree + int(bvh_nodes));
  int leaf_count = TABLE_INT(tree + int(bvh_leaf_count));
  inum trail = I(leaf_count >> 1);
  real front2 = R(1e36f);
  for (int up = 1; (1 << up) < leaf_count; ++up) {
    inum sibling = sibling_of((I(leaf_count) + leaf) >> up);
    kept_indices row = KEEP_INDICES(sibling + sibling);
    real gap2 = gap2_or_front(GATHER_ROW(tables, nodes, row), GATHER_ROW(tables, nodes + 4, row), query.x, query.room);
    front2 = least_in_front(front2, gap2, radius2, guard2);
    trail = trail + select_int(is_entered(gap2, radius2, guard2), I(1 << (up - 1)), I(0));
  }
  Ascent ascent;
  ascent.trail = trail;
  ascent.front2 = front2;
  return ascent;
}

// Stores what a search found: the number of cached leaves, where the particle was, and how far it may move. distance is
// the distance of the nearest triangle that was known before the search.
FUNCTION(void)
keep_list(CONTEXT int i, int b, VALUE(mask) seeks, VALUE(NearestQuery) query, VALUE(inum) found, VALUE(mask) lost,
          VALUE(mask) is_clear, VALUE(real) distance, VALUE(real) radius2, VALUE(real) front2) {
  real radius = square_root(radius2);
  real front = square_root(front2);
  real unlisted = maximum(radius - query.reach, (radius - distance - query.motion) * R(0.5f));
  real clear = minimum(query.travel, unlisted * R(0.999f));
  if (IS_POSITIVE(SETTING(contact_margin))) clear = minimum(clear, front * R(0.999f) - query.margin);
  clear = select(mask_and(is_clear, mask_not(lost)), clear, R(0.0f));
  real4 place = make4(query.x, clear);
  real4 limits = make4(make3(select(lost, R(0.0f), query.travel), radius, front), R(0.0f));
  inum count = select_int(seeks, found, LOAD_INT(tables, counts_of(PASS b), i));
  STORE_BITS(tables, counts_of(PASS b), i, to_unsigned(count));
  STORE_ROW(tables, cache_positions_of(PASS b), i,
            select4(seeks, place, LOAD_ROW(tables, cache_positions_of(PASS b), i)));
  STORE_ROW(tables, cache_radii_of(PASS b), i, select4(seeks, limits, LOAD_ROW(tables, cache_radii_of(PASS b), i)));
}

// Searches for a triangle that is nearer than the nearest known one, and fills the particle's cache. It begins at a
// leaf.
FUNCTION(Candidate)
search_tree(CONTEXT int i, int k, int b, VALUE(mask) seeks, VALUE(NearestQuery) query, VALUE(inum) first,
            VALUE(Candidate) nearest) {
  int tree = TABLE_INT(k + int(posed_asset));
  int nodes = TABLE_INT(tree + int(bvh_nodes));
  int list = list_of(PASS b);
  inum leaves = I(TABLE_INT(tree + int(bvh_leaf_count)));
  real3 x = query.x;
  real room = query.room;
  real reach2 = query.reach * query.reach;
  real radius2 = searched2(query, nearest);
  // Triangles that could push the particle from their front are cached.
  real guard = query.margin + minimum(query.margin, query.room);
  real guard2 = guard * guard;
  Ascent ascent = ascend(PASS tree, first, query, radius2, guard2);
  inum trail = ascent.trail;
  real front2 = ascent.front2;
  inum node = (leaves + first) >> 1;
  Candidate best = nearest;
  mask lost = R(1.0f) < R(0.0f);
  inum found = I(0);
  mask goes = seeks;
  WHILE_ANY(goes) {
    mask walks = goes;
    mask steps = goes;
    WHILE_ANY(steps) {
      inum child = node + node;
      kept_indices row = KEEP_INDICES(child + child);
      real left_gap2 = gap2_or_front(GATHER_ROW(tables, nodes, row), GATHER_ROW(tables, nodes + 4, row), x, room);
      real right_gap2 = gap2_or_front(GATHER_ROW(tables, nodes + 8, row), GATHER_ROW(tables, nodes + 12, row), x, room);
      mask left = mask_and(steps, is_entered(left_gap2, radius2, guard2));
      mask right = mask_and(steps, is_entered(right_gap2, radius2, guard2));
      real passed2 = least_in_front(least_in_front(front2, left_gap2, radius2, guard2), right_gap2, radius2, guard2);
      front2 = select(steps, passed2, front2);
      mask at_leaves = leaves <= child;
      IF_ANY(mask_and(at_leaves, mask_or(left, right))) {
        found = list_leaf(PASS i, list, found, child - leaves, mask_and(at_leaves, left));
        found = list_leaf(PASS i, list, found, child + I(1) - leaves, mask_and(at_leaves, right));
      }
      mask inner = mask_not(at_leaves);
      left = mask_and(inner, left);
      right = mask_and(inner, right);
      mask goes_on = walk_goes_on(trail, left, right);
      inum next = next_node(node, trail, left, right);
      trail = select_int(steps, next_trail(trail, left, right), trail);
      node = select_int(steps, next, node);
      goes = mask_and(goes, mask_or(goes_on, mask_not(steps)));
      steps = mask_and(goes, found < I(int(cached_triangles) - 2));
    }
    // Tested triangles stay in the cache unless they are farther away than the limit.
    real limit = square_root(radius2) + query.motion;
    inum sifted = select_int(walks, found, I(0));
    inum kept = I(0);
    int slot = 0;
    WHILE_ANY(I(slot) < sifted) {
      mask is_listed = I(slot) < sifted;
      inum leaf = select_int(is_listed, LOAD_INT(tables, list + slot * SETTING_INT(padded_count), i), I(0));
      real4 corners = corners_of(PASS tree, leaf);
      Closest closest = closest_on(triangle_now(PASS k, corners), x);
      best = nearer_of(best, is_listed, closest, corners.w, leaf);
      real distance2 = dot3(closest.away, closest.away);
      kept = list_leaf(PASS i, list, kept, leaf, mask_and(is_listed, distance2 <= limit * limit));
      ++slot;
    }
    found = select_int(walks, kept, found);
    // Where the cache is still full, its content is dropped, and the result is valid for this iteration only.
    mask is_full = mask_and(goes, mask_not(found < I(int(cached_triangles) - 2)));
    lost = mask_or(lost, is_full);
    // Behind a triangle that may not be the nearest one: triangles that the particle is in front of are tested as well.
    mask is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
    mask again = mask_and(mask_and(walks, mask_not(goes)), mask_and(is_behind, front2 <= best.key));
    radius2 = select(mask_or(is_full, again), minimum(radius2, best.key), radius2);
    found = select_int(mask_or(is_full, again), I(0), found);
    guard2 = select(again, R(3e38f), guard2);
    front2 = select(again, R(1e36f), front2);
    node = select_int(again, I(1), node);
    trail = select_int(again, I(1), trail);
    goes = mask_or(goes, again);
  }
  // No cached triangle can come into contact with the particle.
  mask is_clear = mask_or(found == I(0), query.farthest * query.farthest <= best.key);
  keep_list(PASS i, b, seeks, query, found, lost, is_clear, square_root(nearest.key), radius2, front2);
  return best;
}

// The triangle of mesh instance k, number b, that is nearest to x, if it can act on the particle: if the particle is
// behind it and within reach, or in front of it and within the margin. Otherwise the result may be any triangle or
// none. travel is an upper bound on how far the particle is expected to move in the rest of the update.
FUNCTION(Candidate)
find_nearest(CONTEXT int i, int k, int b, VALUE(mask) wanted, VALUE(real3) x, VALUE(real) reach, VALUE(real) margin,
             VALUE(real) travel) {
  int tree = TABLE_INT(k + int(posed_asset));
  int list = list_of(PASS b);
  inum last = I(TABLE_INT(tree + int(bvh_triangle_count)) - 1);
  inum hint = clamp_int(LOAD_INT(tables, cache_of(PASS b), i), I(0), last);
  inum first = hint;
  inum count = I(1);
  // Every triangle nearer than listed is in the cache, unless the particle is at least the distance front in front of
  // it.
  real listed = R(0.0f);
  real front = R(0.0f);
  if (0 < STEP_INT(iteration)) {
    real3 way = x - XYZ(LOAD_ROW(tables, cache_positions_of(PASS b), i));
    real4 limits = LOAD_ROW(tables, cache_radii_of(PASS b), i);
    real gone = square_root(dot3(way, way));
    listed = maximum(limits.y * R(0.999f) - gone, R(0.0f));
    front = limits.z * R(0.999f) - gone;
    mask holds = mask_and(gone < limits.x, mask_or(margin <= R(0.0f), margin < front));
    front = maximum(front, R(0.0f));
    listed = select(holds, listed, R(0.0f));
    mask has_list = mask_or(holds, mask_not(wanted));
    first = select_int(has_list, LOAD_INT(tables, list, i), hint);
    count = select_int(has_list, LOAD_INT(tables, counts_of(PASS b), i), I(1));
  }
  STORE_BITS(tables, list, i, to_unsigned(first));
  STORE_BITS(tables, counts_of(PASS b), i, to_unsigned(count));
  NearestQuery query = query_near(PASS tree, x, reach, margin, travel);
  Candidate best = no_candidate(query.farthest * query.farthest);
  best.leaf = hint;
  best = try_cached(PASS i, k, best, list, select_int(wanted, count, I(0)), x);
  real reach2 = reach * reach;
  mask is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
  real known = select(is_behind, minimum(listed, front), listed);
  mask seeks = mask_and(wanted, mask_not(minimum(best.key, reach2) < known * known));
  IF_ANY(seeks) { best = search_tree(PASS i, k, b, seeks, query, first, best); }
  STORE_BITS(tables, cache_of(PASS b), i, to_unsigned(select_int(wanted, best.leaf, hint)));
  return best;
}
