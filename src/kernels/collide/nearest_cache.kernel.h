// nearest_cache.kernel.h - what a particle remembers of the triangles around it. A search (nearest_search.kernel.h)
// tells how far the particle may move until the mesh can act on it, how far a path may lead until it can go through a
// triangle, and which triangles may be the nearest one until then. All of it holds in any later iteration and update,
// for any particle, as long as the BVH has the same version; the first also needs the same margin and reach. So it is
// no part of the state: no result depends on it.

// Where the cached words of the particles are, given the number of a mesh instance, and the rows of their bounds.
FUNCTION(int) cached(CONTEXT VALUE(int) mesh_number, VALUE(uint) word) {
  return SETTING_INT(triangle_cache) + (int(cache_words) * mesh_number + int(word)) * SETTING_INT(particle_stride);
}
FUNCTION(int) cache_positions_of(CONTEXT VALUE(int) mesh_number) {
  return SETTING_INT(cache_bounds) + int(cache_bound_words) * SETTING_INT(particle_stride) * mesh_number;
}
FUNCTION(int) cache_radii_of(CONTEXT VALUE(int) mesh_number) {
  return cache_positions_of(PASS mesh_number) + 4 * SETTING_INT(particle_stride);
}

// Whether the cache was filled for the triangles as they are.
FUNCTION(mask) is_current(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number) {
  inum version = LOAD_INT(written_tables, cached(PASS mesh_number, cached_version), i);
  return version == I(TABLE_INT(TABLE_INT(mesh + int(posed_asset)) + int(bvh_version)));
}

// Upper bound on how far a vertex has moved since the cache was filled.
FUNCTION(real) crept(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number) {
  return TABLE_REAL(TABLE_INT(mesh + int(posed_asset)) + int(bvh_moved)) -
         LOAD_REAL(written_tables, cached(PASS mesh_number, cached_odometer), i);
}

// Whether the particle is so close to where the cache was filled that the mesh cannot act on it.
FUNCTION(mask)
is_clear(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number, VALUE(real3) position, VALUE(real) reach,
         VALUE(real) margin) {
  mask same = mask_and(LOAD_INT(written_tables, cached(PASS mesh_number, cached_margin), i) == as_int(margin),
                       LOAD_INT(written_tables, cached(PASS mesh_number, cached_reach), i) == as_int(reach));
  real4 seen = LOAD_ROW(written_tables, cache_positions_of(PASS mesh_number), i);
  real3 displacement = position - XYZ(seen);
  real clear = seen.w - crept(PASS i, mesh, mesh_number);
  mask is_close = mask_and(R(0.0f) < clear, dot3(displacement, displacement) < clear * clear);
  return mask_and(mask_and(is_current(PASS i, mesh, mesh_number), same), is_close);
}

// Whether the box around a path is within a distance of a point.
FUNCTION(mask) is_within(VALUE(real3) point, VALUE(real3) position, VALUE(real3) previous, VALUE(real) distance) {
  real3 end = position - point;
  real3 begin = previous - point;
  real3 farthest = make3(maximum(absolute(end.x), absolute(begin.x)), maximum(absolute(end.y), absolute(begin.y)),
                         maximum(absolute(end.z), absolute(begin.z)));
  return mask_and(R(0.0f) < distance, dot3(farthest, farthest) < distance * distance);
}

// Whether a path is so close to where the cache was filled that it cannot go through a triangle.
FUNCTION(mask)
is_uncrossed(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number, VALUE(real3) position,
             VALUE(real3) previous) {
  real3 seen = XYZ(LOAD_ROW(written_tables, cache_positions_of(PASS mesh_number), i));
  real uncrossed = LOAD_ROW(written_tables, cache_radii_of(PASS mesh_number), i).w;
  uncrossed = uncrossed - crept(PASS i, mesh, mesh_number);
  return mask_and(is_current(PASS i, mesh, mesh_number), is_within(seen, position, previous, uncrossed));
}

// A lower bound on how far a path leads that goes through a triangle near a point: how far the triangle is, less how
// far outside of its edges the path may pass.
FUNCTION(real) open_distance(VALUE(Triangle) triangle, VALUE(Closest) closest, VALUE(real3) point) {
  real extent = manhattan_length(triangle.ab) + manhattan_length(triangle.ac);
  real3 relative = point - triangle.a;
  // The closest point of a triangle without an area is not known.
  real least = square_root(dot3(relative, relative)) - extent;
  real distance = square_root(dot3(closest.away, closest.away)) - R(2.0f * CLOTHC_CRACK) * extent;
  return select(closest.is_triangle, distance, least);
}

// The same for a path that ends at the point: it does not go through triangles that the point is in front of.
FUNCTION(real) uncrossed_before(VALUE(Closest) closest, VALUE(real) open) {
  return select(closest.height < R(0.0f), open, R(1e18f));
}

// Tests the cached triangles that may be the nearest ones or within a distance, where the particle has moved so far
// since the cache was filled. uncrossed: becomes how far a path to the position leads at least that goes through one of
// the cached triangles.
FUNCTION(Candidate)
try_cached(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number, VALUE(Candidate) begin, VALUE(inum) count,
           VALUE(real) moved, VALUE(real) within, VALUE(real3) position, INOUT(real) uncrossed) {
  int stride = SETTING_INT(particle_stride);
  Candidate best = begin;
  real least = R(1e18f);
  int leaves = cached(PASS mesh_number, cached_leaves);
  int distances = cached(PASS mesh_number, cached_distances);
  inum slot = I(0);
  mask tests = slot < count;
  WHILE_ANY(tests) {
    inum leaf = select_int(tests, LOAD_INT(written_tables, leaves, i), I(0));
    real4 corners = corners_of(PASS TABLE_INT(mesh + int(posed_asset)), leaf);
    Triangle triangle = triangle_now(PASS mesh, corners);
    Closest closest = closest_on(triangle, position);
    best = nearer_of(best, tests, closest, corners.w, leaf);
    real crossed = uncrossed_before(closest, open_distance(triangle, closest, position));
    least = select(tests, minimum(least, crossed), least);
    leaves = leaves + stride;
    distances = distances + stride;
    slot = slot + I(1);
    // The others are not nearer than the next one.
    mask others = mask_and(tests, slot < count);
    real next = select(others, LOAD_REAL(written_tables, distances, i), R(0.0f)) - moved;
    tests = mask_and(others, next <= maximum(square_root(best.key), within));
    least = select(mask_and(others, mask_not(tests)), minimum(least, next), least);
  }
  uncrossed = least;
  return best;
}

// Appends a leaf to the cache where it belongs there; returns the number of cached leaves.
FUNCTION(inum)
cache_leaf(CONTEXT VALUE(int) i, VALUE(int) leaves, VALUE(inum) count, VALUE(inum) leaf, VALUE(mask) belongs) {
  SCATTER_INT(tables, leaves, count * I(SETTING_INT(particle_stride)) + LANES(i), leaf, belongs);
  return count + select_int(belongs, I(1), I(0));
}

FUNCTION(void) store_bits_where(CONTEXT VALUE(int) array, VALUE(int) i, VALUE(mask) where, VALUE(inum) value) {
  unum bits = to_unsigned(select_int(where, value, LOAD_INT(written_tables, array, i)));
  STORE_BITS(tables, array, i, bits);
}
FUNCTION(void) store_row_where(CONTEXT VALUE(int) array, VALUE(int) i, VALUE(mask) where, VALUE(real4) row) {
  real4 next = select4(where, row, LOAD_ROW(written_tables, array, i));
  STORE_ROW(tables, array, i, next);
}

// Puts a leaf where it belongs among the first cached leaves, which are sorted by distance; returns their number. No
// lane has more of them than most.
FUNCTION(inum)
insert_leaf(CONTEXT VALUE(int) i, VALUE(int) mesh_number, VALUE(inum) count, VALUE(int) most, VALUE(inum) leaf,
            VALUE(real) distance, VALUE(mask) belongs) {
  int stride = SETTING_INT(particle_stride);
  int leaves = cached(PASS mesh_number, cached_leaves) + most * stride;
  int distances = cached(PASS mesh_number, cached_distances) + most * stride;
  mask unplaced = belongs;
  int slot = most;
  WHILE_ANY(unplaced) {
    // From the last slot on, those that are farther away move up by one.
    mask reached = mask_and(unplaced, I(slot) <= count);
    mask farther = I(0) < I(0);
    inum other = leaf;
    real other_distance = distance;
    if (0 < slot) {
      other_distance = LOAD_REAL(written_tables, distances - stride, i);
      other = LOAD_INT(written_tables, leaves - stride, i);
      farther = mask_and(reached, distance < other_distance);
    }
    store_bits_where(PASS leaves, i, reached, select_int(farther, other, leaf));
    store_bits_where(PASS distances, i, reached, as_int(select(farther, other_distance, distance)));
    unplaced = mask_and(unplaced, mask_or(mask_not(reached), farther));
    leaves = leaves - stride;
    distances = distances - stride;
    --slot;
  }
  return count + select_int(belongs, I(1), I(0));
}

// What a search at a position found out.
struct Surroundings {
  real3 position;
  real reach;
  real margin;
  // Number of cached leaves.
  inum count;
  // The bounds of the cache.
  real clear;
  real valid;
  real radius;
  real front;
  real uncrossed;
};

FUNCTION(void)
store_cache(CONTEXT VALUE(int) i, VALUE(int) mesh, VALUE(int) mesh_number, VALUE(mask) where,
            VALUE(Surroundings) found) {
  int bvh = TABLE_INT(mesh + int(posed_asset));
  store_bits_where(PASS cached(PASS mesh_number, cached_count), i, where, found.count);
  store_bits_where(PASS cached(PASS mesh_number, cached_version), i, where, I(TABLE_INT(bvh + int(bvh_version))));
  store_bits_where(PASS cached(PASS mesh_number, cached_odometer), i, where, I(TABLE_INT(bvh + int(bvh_odometer))));
  store_bits_where(PASS cached(PASS mesh_number, cached_margin), i, where, as_int(found.margin));
  store_bits_where(PASS cached(PASS mesh_number, cached_reach), i, where, as_int(found.reach));
  store_row_where(PASS cache_positions_of(PASS mesh_number), i, where, make4(found.position, found.clear));
  store_row_where(PASS cache_radii_of(PASS mesh_number), i, where,
                  make4(make3(found.valid, found.radius, found.front), found.uncrossed));
}

// The leaf that the last search of a particle found.
FUNCTION(inum) last_nearest(CONTEXT VALUE(int) i, VALUE(int) bvh, VALUE(int) mesh_number) {
  inum last = I(TABLE_INT(bvh + int(bvh_triangle_count)) - 1);
  return clamp_int(LOAD_INT(written_tables, cached(PASS mesh_number, cached_nearest), i), I(0), last);
}
