// nearest_search.kernel.h - finds the triangle of a mesh instance that is nearest to a particle. The BVH
// (triangle_bvh.kernel.h) excludes triangles that are farther away than a known one, and triangles that the particle is
// in front of and too far from to be pushed. The others are cached (nearest_cache.kernel.h), so that most iterations do
// not need the BVH. No result depends on which triangles are tested.

// A search for the triangle nearest to a position.
struct NearestQuery {
  real3 position;
  real reach;
  real margin;
  // Upper bound on how far the particle is expected to move in the rest of the update.
  real travel;
  // Upper bound on how far a vertex moves in the rest of the update, unless the vertices creep.
  real motion;
  // Upper bound on how far rounding moves the particle or a triangle.
  real slack;
  // A particle that is farther than this in front of a triangle is expected to stay in front of it.
  real safe_front;
  // Triangles that are farther away than this cannot come within reach.
  real farthest;
};

FUNCTION(NearestQuery)
query_near(CONTEXT VALUE(int) bvh, VALUE(real3) position, VALUE(real) reach, VALUE(real) margin, VALUE(real) travel) {
  real slack = TABLE_REAL(bvh + int(bvh_slack));
  NearestQuery query;
  query.position = position;
  query.reach = reach;
  query.margin = margin;
  query.travel = travel;
  query.motion = slack;
  if (TABLE_INT(bvh + int(bvh_moved)) == 0)
    query.motion = query.motion + TABLE_REAL(bvh + int(bvh_motion)) * (R(1.0001f) - STEP(time));
  query.slack = slack + R(1e-5f) * manhattan_length(position);
  query.safe_front = travel + query.slack;
  query.farthest = minimum(reach + travel + query.motion, R(1e18f));
  return query;
}

// The squared radius of a search around the particle, chosen so that the result is likely to stay valid for the update.
FUNCTION(real) searched2(VALUE(NearestQuery) query, VALUE(Candidate) nearest) {
  real extra = select(R(0.5f) < nearest.behind, query.travel * R(0.75f) + query.motion * R(0.25f),
                      query.travel + query.travel + query.motion);
  real radius = minimum(square_root(nearest.key) + extra, query.farthest);
  return maximum(radius * radius, nearest.key);
}

// is_entered: whether the search enters a node, given the result of gap2_or_front. least_in_front: the least squared
// distance of the nodes within the radius that it skips because the particle is in front of them.
FUNCTION(mask) is_entered(VALUE(real) gap2, VALUE(real) radius2, VALUE(real) push_range2) {
  return mask_and(absolute(gap2) <= radius2, mask_not(gap2 < push_range2 * R(-1.0f)));
}
FUNCTION(real) least_in_front(VALUE(real) least, VALUE(real) gap2, VALUE(real) radius2, VALUE(real) push_range2) {
  mask is_passed = mask_and(absolute(gap2) <= radius2, gap2 < push_range2 * R(-1.0f));
  return select(is_passed, minimum(least, gap2 * R(-1.0f)), least);
}

// The begin of a search at the parent of a leaf.
struct Ascent {
  // Which siblings of the ancestors are to be entered, see triangle_bvh.kernel.h.
  inum trail;
  // Squared distance of the nearest sibling that is skipped because the particle is in front of it.
  real front2;
};

FUNCTION(Ascent)
ascend(CONTEXT VALUE(int) bvh, VALUE(inum) leaf, VALUE(NearestQuery) query, VALUE(real) radius2,
       VALUE(real) push_range2) {
  int nodes = TABLE_INT(bvh + int(bvh_nodes));
  int leaf_count = TABLE_INT(bvh + int(bvh_leaf_count));
  inum trail = I(leaf_count >> 1);
  real front2 = R(1e36f);
  for (int up = 1; (1 << (up & 31)) < leaf_count; ++up) {
    inum sibling = sibling_of((I(leaf_count) + leaf) >> (up & 31));
    kept_indices row = KEEP_INDICES(sibling + sibling);
    real gap2 = gap2_or_front(GATHER_ROW(tables, nodes, row), GATHER_ROW(tables, nodes + 4, row), query.position,
                              query.safe_front);
    front2 = least_in_front(front2, gap2, radius2, push_range2);
    trail = trail + select_int(is_entered(gap2, radius2, push_range2), I(1 << ((up - 1) & 31)), I(0));
  }
  Ascent ascent;
  ascent.trail = trail;
  ascent.front2 = front2;
  return ascent;
}

// What a tested triangle leaves of the freedom of a particle at the position of a query: how far the particle may move
// until the triangle can act on it, and how far a path may lead until it can go through the triangle.
struct Freedom {
  real clear;
  real uncrossed;
};

// open: the open distance of the triangle. nearest: the distance of some triangle. stands_still: whether the triangles
// do not move in the update.
FUNCTION(Freedom)
freedom_beside(VALUE(Closest) closest, VALUE(real) open, VALUE(NearestQuery) query, VALUE(real) nearest,
               VALUE(bool) stands_still) {
  real distance = square_root(dot3(closest.away, closest.away));
  // The particle stays in front for as far as it is, unless the triangle turns.
  mask has_front = closest.is_triangle;
  if (!stands_still) has_front = R(1.0f) < R(0.0f);
  real length = square_root(dot3(closest.normal, closest.normal) + CLOTHC_SMALLEST);
  real front = select(has_front, divide(closest.height, length), R(-1e18f));
  // A triangle that is farther than another one by twice the motion is not the nearest one.
  real others = (distance - nearest * R(1.0001f)) * R(0.5f) - query.motion;
  real clear = maximum(maximum(others, distance - query.reach - query.motion), minimum(front, distance - query.margin));
  Freedom freedom;
  freedom.clear = select(closest.is_triangle, clear, R(1e18f));
  freedom.uncrossed = maximum(front, open);
  return freedom;
}

// Searches for a triangle that is nearer than the nearest known one, and fills the particle's cache. It begins at a
// leaf.
FUNCTION(Candidate)
search_bvh(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number, VALUE(mask) searches,
           VALUE(NearestQuery) query, VALUE(inum) first, VALUE(Candidate) nearest, INOUT(real) uncrossed_before_end) {
  int bvh = TABLE_INT(mesh + int(posed_asset));
  int nodes = TABLE_INT(bvh + int(bvh_nodes));
  int list = cached(PASS mesh_number, cached_leaves);
  int stride = SETTING_INT(particle_stride);
  inum leaves = I(TABLE_INT(bvh + int(bvh_leaf_count)));
  bool creeps = TABLE_INT(bvh + int(bvh_moved)) != 0;
  bool stands_still = !creeps && TABLE_INT(bvh + int(bvh_starts)) == TABLE_INT(bvh + int(bvh_targets));
  real3 position = query.position;
  real safe_front = query.safe_front;
  real reach2 = query.reach * query.reach;
  real radius2 = searched2(query, nearest);
  // Triangles that could push the particle from their front are cached.
  real push_range = query.margin + minimum(query.margin, query.safe_front);
  real push_range2 = push_range * push_range;
  // Triangles that creep turn in later updates, so that the particle need not stay in front of any of them.
  if (creeps) push_range2 = R(3e38f);
  Ascent ascent = ascend(PASS bvh, first, query, radius2, push_range2);
  inum trail = ascent.trail;
  real front2 = ascent.front2;
  inum node = (leaves + first) >> 1;
  Candidate best = nearest;
  mask lost = R(1.0f) < R(0.0f);
  // Number of cached leaves, and how many of them have been tested.
  inum found = I(0);
  inum sifted = I(0);
  // Least freedom beside the triangles that were tested.
  real clear = R(1e18f);
  real uncrossed = R(1e18f);
  real before_end = R(1e18f);
  mask searching = searches;
  WHILE_ANY(searching) {
    mask walked = searching;
    mask steps = mask_and(searching, found < I(int(cached_triangles) - 2));
    WHILE_ANY(steps) {
      inum child = node + node;
      kept_indices row = KEEP_INDICES(child + child);
      real left_gap2 =
          gap2_or_front(GATHER_ROW(tables, nodes, row), GATHER_ROW(tables, nodes + 4, row), position, safe_front);
      real right_gap2 =
          gap2_or_front(GATHER_ROW(tables, nodes + 8, row), GATHER_ROW(tables, nodes + 12, row), position, safe_front);
      mask left = mask_and(steps, is_entered(left_gap2, radius2, push_range2));
      mask right = mask_and(steps, is_entered(right_gap2, radius2, push_range2));
      real passed2 =
          least_in_front(least_in_front(front2, left_gap2, radius2, push_range2), right_gap2, radius2, push_range2);
      front2 = select(steps, passed2, front2);
      mask at_leaves = leaves <= child;
      IF_ANY(mask_and(at_leaves, mask_or(left, right))) {
        found = cache_leaf(PASS i, list, found, child - leaves, mask_and(at_leaves, left));
        found = cache_leaf(PASS i, list, found, child + I(1) - leaves, mask_and(at_leaves, right));
      }
      mask inner = mask_not(at_leaves);
      left = mask_and(inner, left);
      right = mask_and(inner, right);
      mask goes_on = walk_goes_on(trail, left, right);
      inum next = next_node(node, trail, left, right);
      trail = select_int(steps, next_trail(trail, left, right), trail);
      node = select_int(steps, next, node);
      searching = mask_and(searching, mask_or(goes_on, mask_not(steps)));
      steps = mask_and(searching, found < I(int(cached_triangles) - 2));
    }
    // Tested triangles stay in the cache unless they are farther away than the limit.
    real limit = square_root(radius2) + query.motion;
    inum tested = select_int(walked, found, I(0));
    inum remaining = sifted;
    int slot = 0;
    WHILE_ANY(I(slot) < tested) {
      mask is_cached = mask_and(sifted <= I(slot), I(slot) < tested);
      IF_ANY(is_cached) {
        inum leaf = select_int(is_cached, LOAD_INT(written_tables, list + slot * stride, i), I(0));
        real4 corners = corners_of(PASS bvh, leaf);
        Triangle triangle = triangle_now(PASS mesh, corners);
        Closest closest = closest_on(triangle, position);
        best = nearer_of(best, is_cached, closest, corners.w, leaf);
        real open = open_distance(triangle, closest, position);
        Freedom freedom = freedom_beside(closest, open, query, square_root(best.key), stands_still);
        clear = select(is_cached, minimum(clear, freedom.clear), clear);
        uncrossed = select(is_cached, minimum(uncrossed, freedom.uncrossed), uncrossed);
        before_end = select(is_cached, minimum(before_end, uncrossed_before(closest, open)), before_end);
        mask stays = mask_and(is_cached, open <= limit);
        open = open - query.motion - query.slack;
        remaining = insert_leaf(PASS i, mesh_number, remaining, slot, leaf, open, stays);
      }
      ++slot;
    }
    found = select_int(walked, remaining, found);
    // Where the cache is still full, it keeps the nearer half. Where that would not help, its content is dropped, and
    // the result is valid for this iteration only.
    mask is_full = mask_and(searching, mask_not(found < I(int(cached_triangles) - 2)));
    int nearer = int(cached_triangles) / 2;
    real shorter = LOAD_REAL(written_tables, cached(PASS mesh_number, cached_distances) + nearer * stride, i);
    mask halves = mask_and(is_full, square_root(best.key) + query.slack < shorter);
    radius2 = select(halves, minimum(radius2, shorter * shorter), radius2);
    found = select_int(halves, I(nearer), found);
    mask drops = mask_and(is_full, mask_not(halves));
    lost = mask_or(lost, drops);
    // Behind a triangle that may not be the nearest one: triangles that the particle is in front of are tested as well.
    mask is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
    mask again = mask_and(mask_and(walked, mask_not(searching)), mask_and(is_behind, front2 <= best.key));
    radius2 = select(mask_or(drops, again), minimum(radius2, best.key), radius2);
    found = select_int(mask_or(drops, again), I(0), found);
    sifted = found;
    push_range2 = select(again, R(3e38f), push_range2);
    front2 = select(again, R(1e36f), front2);
    node = select_int(again, I(1), node);
    trail = select_int(again, I(1), trail);
    searching = mask_or(searching, again);
  }
  real radius = square_root(radius2);
  real front = square_root(front2);
  real nearest_distance = square_root(best.key) * R(1.0001f);
  // Triangles that were not tested are farther away than the radius, or the particle is in front of them.
  real untested = maximum(radius - query.reach, (radius - nearest_distance - query.motion) * R(0.5f));
  clear = minimum(minimum(clear, untested * R(0.999f)), query.travel);
  if (IS_POSITIVE(SETTING(contact_margin))) clear = minimum(clear, front * R(0.999f) - query.margin);
  uncrossed = minimum(uncrossed - TABLE_REAL(bvh + int(bvh_motion)),
                      minimum(radius * R(0.999f), maximum(query.travel, front * R(0.999f))));
  Surroundings surroundings;
  surroundings.position = position;
  surroundings.reach = query.reach;
  surroundings.margin = query.margin;
  surroundings.count = found;
  surroundings.clear = select(lost, R(0.0f), clear - query.slack);
  surroundings.valid = select(lost, R(0.0f), creeps ? R(1e18f) : query.travel);
  surroundings.radius = radius;
  surroundings.front = front;
  surroundings.uncrossed = select(lost, R(0.0f), uncrossed - query.slack);
  store_cache(PASS i, mesh, mesh_number, searches, surroundings);
  uncrossed_before_end = select(searches, minimum(before_end, radius * R(0.999f)), uncrossed_before_end);
  return best;
}

// The triangle of a mesh instance that is nearest to a position, if it can act on the particle: if the particle is
// behind it and within reach, or in front of it and within the margin. Otherwise the result may be any triangle or
// none. travel: how far the particle should be able to move before the next search. path: how far the path to the
// position has led. uncrossed: becomes a lower bound on how far a path leads to there that goes through a triangle.
FUNCTION(Candidate)
find_nearest(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number, VALUE(mask) needed, VALUE(real3) position,
             VALUE(real) reach, VALUE(real) margin, VALUE(real) travel, VALUE(real) path, INOUT(real) uncrossed) {
  int bvh = TABLE_INT(mesh + int(posed_asset));
  int list = cached(PASS mesh_number, cached_leaves);
  inum last_leaf = last_nearest(PASS i, bvh, mesh_number);
  // Every triangle nearer than cached_radius is in the cache, unless the particle is in front of it; those are in the
  // cache if they are nearer than front.
  real3 displacement = position - XYZ(LOAD_ROW(written_tables, cache_positions_of(PASS mesh_number), i));
  real4 limits = LOAD_ROW(written_tables, cache_radii_of(PASS mesh_number), i);
  real moved = square_root(dot3(displacement, displacement)) + crept(PASS i, mesh, mesh_number);
  real front = limits.z * R(0.999f) - moved;
  mask holds = mask_and(is_current(PASS i, mesh, mesh_number), moved < limits.x);
  holds = mask_and(holds, mask_or(margin <= R(0.0f), margin < front));
  real cached_radius = select(holds, maximum(limits.y * R(0.999f) - moved, R(0.0f)), R(0.0f));
  front = select(holds, maximum(front, R(0.0f)), R(0.0f));
  // Without a list, the search begins at the last nearest triangle.
  mask has_list = mask_or(holds, mask_not(needed));
  inum first = select_int(has_list, LOAD_INT(written_tables, list, i), last_leaf);
  inum count = select_int(has_list, LOAD_INT(written_tables, cached(PASS mesh_number, cached_count), i), I(1));
  STORE_BITS(tables, list, i, to_unsigned(first));
  STORE_BITS(tables, cached(PASS mesh_number, cached_count), i, to_unsigned(count));
  NearestQuery query = query_near(PASS bvh, position, reach, margin, travel);
  Candidate best = no_candidate(query.farthest * query.farthest);
  best.leaf = last_leaf;
  best = try_cached(PASS i, mesh, mesh_number, best, select_int(needed, count, I(0)), moved, path, position, uncrossed);
  real reach2 = reach * reach;
  mask is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
  real known = select(is_behind, minimum(cached_radius, front), cached_radius);
  mask searches = mask_and(needed, mask_not(minimum(best.key, reach2) < known * known));
  uncrossed = minimum(uncrossed, cached_radius);
  IF_ANY(searches) { best = search_bvh(PASS i, mesh, mesh_number, searches, query, first, best, uncrossed); }
  uncrossed = uncrossed - TABLE_REAL(bvh + int(bvh_motion)) - query.slack;
  STORE_BITS(tables, cached(PASS mesh_number, cached_nearest), i,
             to_unsigned(select_int(needed, best.leaf, last_leaf)));
  return best;
}
