// nearest_cache.kernel.h - finds the triangle of a mesh instance that is nearest to a particle. The BVH
// (triangle_bvh.kernel.h) excludes triangles that are farther away than a known one, and triangles that the particle is
// in front of and too far from to be pushed. The others are cached per particle for the rest of the update. The cache
// is valid as long as the particle stays within a distance from where it was filled, so most iterations do not need the
// BVH. No result depends on which triangles are tested.

// Offsets of the cache of a mesh instance, given its number. The arrays are over the particles.
FUNCTION(int) cache_of(CONTEXT int mesh_number) {
  return SETTING_INT(triangle_cache) + int(cache_words) * SETTING_INT(particle_stride) * mesh_number;
}
FUNCTION(int) cached_counts_of(CONTEXT int mesh_number) {
  return cache_of(PASS mesh_number) + SETTING_INT(particle_stride);
}
FUNCTION(int) cached_leaves_of(CONTEXT int mesh_number) {
  return cache_of(PASS mesh_number) + 2 * SETTING_INT(particle_stride);
}
FUNCTION(int) cache_positions_of(CONTEXT int mesh_number) {
  return SETTING_INT(cache_bounds) + int(cache_bound_words) * SETTING_INT(particle_stride) * mesh_number;
}
FUNCTION(int) cache_radii_of(CONTEXT int mesh_number) {
  return cache_positions_of(PASS mesh_number) + 4 * SETTING_INT(particle_stride);
}

// Tests the cached triangles of a mesh instance.
FUNCTION(Candidate)
try_cached(CONTEXT int i, int mesh, VALUE(Candidate) begin, int cached, VALUE(inum) count, VALUE(real3) position) {
  Candidate best = begin;
  int slot = 0;
  WHILE_ANY(I(slot) < count) {
    mask is_cached = I(slot) < count;
    inum leaf = select_int(is_cached, LOAD_INT(written_tables, cached + slot * SETTING_INT(particle_stride), i), I(0));
    best = try_nearest(PASS mesh, best, is_cached, leaf, position);
    ++slot;
  }
  return best;
}

// Appends a leaf to the cache where it belongs there; returns the number of cached leaves.
FUNCTION(inum) cache_leaf(CONTEXT int i, int cached, VALUE(inum) count, VALUE(inum) leaf, VALUE(mask) belongs) {
  SCATTER_INT(tables, cached, count * I(SETTING_INT(particle_stride)) + LANES(i), leaf, belongs);
  return count + select_int(belongs, I(1), I(0));
}

// A search for the triangle nearest to a position.
struct NearestQuery {
  real3 position;
  real reach;
  real margin;
  // Upper bound on how far the particle is expected to move in the rest of the update.
  real travel;
  // Upper bound on how far a vertex moves in the rest of the update.
  real motion;
  // A particle that is farther than this in front of a triangle is expected to stay in front of it.
  real safe_front;
  // Triangles that are farther away than this cannot come within reach.
  real farthest;
};

FUNCTION(NearestQuery)
query_near(CONTEXT int bvh, VALUE(real3) position, VALUE(real) reach, VALUE(real) margin, VALUE(real) travel) {
  real slack = TABLE_REAL(bvh + int(bvh_slack));
  NearestQuery query;
  query.position = position;
  query.reach = reach;
  query.margin = margin;
  query.travel = travel;
  query.motion = TABLE_REAL(bvh + int(bvh_motion)) * (R(1.0001f) - STEP(time)) + slack;
  query.safe_front = travel + slack + R(1e-5f) * manhattan_length(position);
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
  return mask_and(absolute(gap2) <= radius2, mask_not(gap2 < R(0.0f) - push_range2));
}
FUNCTION(real) least_in_front(VALUE(real) least, VALUE(real) gap2, VALUE(real) radius2, VALUE(real) push_range2) {
  mask is_passed = mask_and(absolute(gap2) <= radius2, gap2 < R(0.0f) - push_range2);
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
ascend(CONTEXT int bvh, VALUE(inum) leaf, VALUE(NearestQuery) query, VALUE(real) radius2, VALUE(real) push_range2) {
  int nodes = TABLE_INT(bvh + int(bvh_nodes));
  int leaf_count = TABLE_INT(bvh + int(bvh_leaf_count));
  inum trail = I(leaf_count >> 1);
  real front2 = R(1e36f);
  for (int up = 1; (1 << up) < leaf_count; ++up) {
    inum sibling = sibling_of((I(leaf_count) + leaf) >> up);
    kept_indices row = KEEP_INDICES(sibling + sibling);
    real gap2 = gap2_or_front(GATHER_ROW(tables, nodes, row), GATHER_ROW(tables, nodes + 4, row), query.position,
                              query.safe_front);
    front2 = least_in_front(front2, gap2, radius2, push_range2);
    trail = trail + select_int(is_entered(gap2, radius2, push_range2), I(1 << (up - 1)), I(0));
  }
  Ascent ascent;
  ascent.trail = trail;
  ascent.front2 = front2;
  return ascent;
}

// Stores what a search found: the number of cached leaves, where the particle was, and how far it may move. distance is
// the distance of the nearest triangle that was known before the search.
FUNCTION(void)
store_cache(CONTEXT int i, int mesh_number, VALUE(mask) searches, VALUE(NearestQuery) query, VALUE(inum) found,
            VALUE(mask) lost, VALUE(mask) is_clear, VALUE(real) distance, VALUE(real) radius2, VALUE(real) front2) {
  real radius = square_root(radius2);
  real front = square_root(front2);
  real uncached = maximum(radius - query.reach, (radius - distance - query.motion) * R(0.5f));
  real clear = minimum(query.travel, uncached * R(0.999f));
  if (IS_POSITIVE(SETTING(contact_margin))) clear = minimum(clear, front * R(0.999f) - query.margin);
  clear = select(mask_and(is_clear, mask_not(lost)), clear, R(0.0f));
  real4 position_bound = make4(query.position, clear);
  real4 limits = make4(make3(select(lost, R(0.0f), query.travel), radius, front), R(0.0f));
  inum count = select_int(searches, found, LOAD_INT(written_tables, cached_counts_of(PASS mesh_number), i));
  STORE_BITS(tables, cached_counts_of(PASS mesh_number), i, to_unsigned(count));
  STORE_ROW(tables, cache_positions_of(PASS mesh_number), i,
            select4(searches, position_bound, LOAD_ROW(tables, cache_positions_of(PASS mesh_number), i)));
  STORE_ROW(tables, cache_radii_of(PASS mesh_number), i,
            select4(searches, limits, LOAD_ROW(tables, cache_radii_of(PASS mesh_number), i)));
}

// Searches for a triangle that is nearer than the nearest known one, and fills the particle's cache. It begins at a
// leaf.
FUNCTION(Candidate)
search_bvh(CONTEXT int i, int mesh, int mesh_number, VALUE(mask) searches, VALUE(NearestQuery) query, VALUE(inum) first,
           VALUE(Candidate) nearest) {
  int bvh = TABLE_INT(mesh + int(posed_asset));
  int nodes = TABLE_INT(bvh + int(bvh_nodes));
  int cached = cached_leaves_of(PASS mesh_number);
  inum leaves = I(TABLE_INT(bvh + int(bvh_leaf_count)));
  real3 position = query.position;
  real safe_front = query.safe_front;
  real reach2 = query.reach * query.reach;
  real radius2 = searched2(query, nearest);
  // Triangles that could push the particle from their front are cached.
  real push_range = query.margin + minimum(query.margin, query.safe_front);
  real push_range2 = push_range * push_range;
  Ascent ascent = ascend(PASS bvh, first, query, radius2, push_range2);
  inum trail = ascent.trail;
  real front2 = ascent.front2;
  inum node = (leaves + first) >> 1;
  Candidate best = nearest;
  mask lost = R(1.0f) < R(0.0f);
  inum found = I(0);
  mask searching = searches;
  WHILE_ANY(searching) {
    mask walked = searching;
    mask steps = searching;
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
        found = cache_leaf(PASS i, cached, found, child - leaves, mask_and(at_leaves, left));
        found = cache_leaf(PASS i, cached, found, child + I(1) - leaves, mask_and(at_leaves, right));
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
    inum remaining = I(0);
    int slot = 0;
    WHILE_ANY(I(slot) < tested) {
      mask is_cached = I(slot) < tested;
      inum leaf =
          select_int(is_cached, LOAD_INT(written_tables, cached + slot * SETTING_INT(particle_stride), i), I(0));
      real4 corners = corners_of(PASS bvh, leaf);
      Closest closest = closest_on(triangle_now(PASS mesh, corners), position);
      best = nearer_of(best, is_cached, closest, corners.w, leaf);
      real distance2 = dot3(closest.away, closest.away);
      remaining = cache_leaf(PASS i, cached, remaining, leaf, mask_and(is_cached, distance2 <= limit * limit));
      ++slot;
    }
    found = select_int(walked, remaining, found);
    // Where the cache is still full, its content is dropped, and the result is valid for this iteration only.
    mask is_full = mask_and(searching, mask_not(found < I(int(cached_triangles) - 2)));
    lost = mask_or(lost, is_full);
    // Behind a triangle that may not be the nearest one: triangles that the particle is in front of are tested as well.
    mask is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
    mask again = mask_and(mask_and(walked, mask_not(searching)), mask_and(is_behind, front2 <= best.key));
    radius2 = select(mask_or(is_full, again), minimum(radius2, best.key), radius2);
    found = select_int(mask_or(is_full, again), I(0), found);
    push_range2 = select(again, R(3e38f), push_range2);
    front2 = select(again, R(1e36f), front2);
    node = select_int(again, I(1), node);
    trail = select_int(again, I(1), trail);
    searching = mask_or(searching, again);
  }
  // No cached triangle can come into contact with the particle.
  mask is_clear = mask_or(found == I(0), query.farthest * query.farthest <= best.key);
  store_cache(PASS i, mesh_number, searches, query, found, lost, is_clear, square_root(nearest.key), radius2, front2);
  return best;
}

// The leaf that the last search of a particle found.
FUNCTION(inum) last_nearest(CONTEXT int i, int bvh, int mesh_number) {
  inum last = I(TABLE_INT(bvh + int(bvh_triangle_count)) - 1);
  return clamp_int(LOAD_INT(written_tables, cache_of(PASS mesh_number), i), I(0), last);
}

// The triangle of a mesh instance that is nearest to a position, if it can act on the particle: if the particle is
// behind it and within reach, or in front of it and within the margin. Otherwise the result may be any triangle or
// none. travel is an upper bound on how far the particle is expected to move in the rest of the update.
FUNCTION(Candidate)
find_nearest(CONTEXT int i, int mesh, int mesh_number, VALUE(mask) needed, VALUE(real3) position, VALUE(real) reach,
             VALUE(real) margin, VALUE(real) travel) {
  int bvh = TABLE_INT(mesh + int(posed_asset));
  int cached = cached_leaves_of(PASS mesh_number);
  inum last_leaf = last_nearest(PASS i, bvh, mesh_number);
  inum first = last_leaf;
  inum count = I(1);
  // Every triangle nearer than cached_radius is in the cache, unless the particle is in front of it; those are in the
  // cache if they are nearer than front.
  real cached_radius = R(0.0f);
  real front = R(0.0f);
  if (0 < STEP_INT(iteration)) {
    real3 displacement = position - XYZ(LOAD_ROW(tables, cache_positions_of(PASS mesh_number), i));
    real4 limits = LOAD_ROW(tables, cache_radii_of(PASS mesh_number), i);
    real moved = square_root(dot3(displacement, displacement));
    cached_radius = maximum(limits.y * R(0.999f) - moved, R(0.0f));
    front = limits.z * R(0.999f) - moved;
    mask holds = mask_and(moved < limits.x, mask_or(margin <= R(0.0f), margin < front));
    front = maximum(front, R(0.0f));
    cached_radius = select(holds, cached_radius, R(0.0f));
    mask has_list = mask_or(holds, mask_not(needed));
    first = select_int(has_list, LOAD_INT(written_tables, cached, i), last_leaf);
    count = select_int(has_list, LOAD_INT(written_tables, cached_counts_of(PASS mesh_number), i), I(1));
  }
  STORE_BITS(tables, cached, i, to_unsigned(first));
  STORE_BITS(tables, cached_counts_of(PASS mesh_number), i, to_unsigned(count));
  NearestQuery query = query_near(PASS bvh, position, reach, margin, travel);
  Candidate best = no_candidate(query.farthest * query.farthest);
  best.leaf = last_leaf;
  best = try_cached(PASS i, mesh, best, cached, select_int(needed, count, I(0)), position);
  real reach2 = reach * reach;
  mask is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
  real known = select(is_behind, minimum(cached_radius, front), cached_radius);
  mask searches = mask_and(needed, mask_not(minimum(best.key, reach2) < known * known));
  IF_ANY(searches) { best = search_bvh(PASS i, mesh, mesh_number, searches, query, first, best); }
  STORE_BITS(tables, cache_of(PASS mesh_number), i, to_unsigned(select_int(needed, best.leaf, last_leaf)));
  return best;
}
