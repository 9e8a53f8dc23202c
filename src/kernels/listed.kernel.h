// listed.kernel.h - which triangle of a body is nearest to a particle. The tree (tree.kernel.h) says which need not be looked
// at: those farther away than one that is known, and those that the particle is in front of and too far from to be pushed.
// What is left is kept in a list per particle for the rest of the update, and is true as long as the particle does not
// leave the room that it was made for, so that most iterations do without the tree. No result depends on what is looked at.

// The candidates in a particle's list, of body k.
FUNCTION(Candidate)
try_listed(CONTEXT int i, int k, VALUE(Candidate) begin, int list, VALUE(inum) count, VALUE(real3) x) {
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

// The triangle of body k, number b, nearest to x, if it may be touched: if the particle is behind it and within reach, or in
// front and within the margin; others may be found in its place, or none. travel: how far it may go in this update yet.
FUNCTION(Candidate)
find_nearest(CONTEXT int i, int k, int b, VALUE(mask) wanted, VALUE(real3) x, VALUE(real) reach, VALUE(real) margin,
             VALUE(real) travel) {
  int tree = TABLE_INT(k + int(posed_asset));
  int padded = SETTING_INT(padded_count);
  int hints = SETTING_INT(hints) + int(body_hints) * padded * b;
  int counts = hints + padded;
  int list = counts + padded;
  int places = SETTING_INT(clearances) + int(body_clearances) * b * padded;
  inum leaves = I(TABLE_INT(tree + int(tree_leaf_count)));
  inum hint = clamp_int(LOAD_INT(tables, hints, i), I(0), I(TABLE_INT(tree + int(tree_triangle_count)) - 1));
  inum first = hint;
  inum count = I(1);
  // What is nearer than this is surely in the list, or the particle is in front of it and farther away than that.
  real listed = R(0.0f);
  real front = R(0.0f);
  real4 place = LOAD_ROW(tables, places, i);
  real4 limits = LOAD_ROW(tables, places + 4 * padded, i);
  if (0 < STEP_INT(iteration)) {
    real3 way = x - XYZ(place);
    real gone = square_root(dot3(way, way));
    listed = maximum(limits.y * R(0.999f) - gone, R(0.0f));
    front = limits.z * R(0.999f) - gone;
    mask holds = mask_and(gone < limits.x, mask_or(margin <= R(0.0f), margin < front));
    front = maximum(front, R(0.0f));
    listed = select(holds, listed, R(0.0f));
    mask has_list = mask_or(holds, mask_not(wanted));
    first = select_int(has_list, LOAD_INT(tables, list, i), hint);
    count = select_int(has_list, LOAD_INT(tables, counts, i), I(1));
  }
  STORE_BITS(tables, list, i, to_unsigned(first));
  // How far vertices still move.
  real motion = TABLE_REAL(tree + int(tree_motion)) * (R(1.0001f) - STEP(time)) + TABLE_REAL(tree + int(tree_slack));
  real reach2 = reach * reach;
  real farthest = minimum(reach + travel + motion, R(1e18f));
  Candidate best = no_candidate(farthest * farthest);
  best.leaf = hint;
  best = try_listed(PASS i, k, best, list, select_int(wanted, count, I(0)), x);
  mask is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
  real known = select(is_behind, minimum(listed, front), listed);
  mask seeks = mask_and(wanted, mask_not(minimum(best.key, reach2) < known * known));
  IF_ANY(seeks) {
    real distance = square_root(best.key);
    real more = select(R(0.5f) < best.behind, travel * R(0.75f) + motion * R(0.25f), travel + travel + motion);
    real radius = minimum(distance + more, farthest);
    real radius2 = maximum(radius * radius, best.key);
    real room = travel + TABLE_REAL(tree + int(tree_slack)) + R(1e-5f) * span_of(x);
    // Triangles that could push the particle from their front are listed.
    real guard = margin + minimum(margin, room);
    real guard2 = guard * guard;
    real front2 = R(1e36f);
    mask lost = R(1.0f) < R(0.0f);
    inum found = I(0);
    mask goes = seeks;
    int nodes = TABLE_INT(tree + int(tree_nodes));
    // The walk begins at the first one's parent; which of its ancestors' siblings are to be entered.
    int leaf_count = TABLE_INT(tree + int(tree_leaf_count));
    inum trail = I(leaf_count >> 1);
    for (int up = 1; (1 << up) < leaf_count; ++up) {
      inum sibling = sibling_of((leaves + first) >> up);
      kept_indices row = KEEP_INDICES(sibling + sibling);
      real gap2 = gap2_or_front(GATHER_ROW(tables, nodes, row), GATHER_ROW(tables, nodes + 4, row), x, room);
      mask near = absolute(gap2) <= radius2;
      mask skipped = mask_and(near, gap2 < R(0.0f) - guard2);
      front2 = minimum(front2, select(skipped, R(0.0f) - gap2, front2));
      trail = trail + select_int(mask_and(near, mask_not(skipped)), I(1 << (up - 1)), I(0));
    }
    inum node = (leaves + first) >> 1;
    WHILE_ANY(goes) {
      mask walks = goes;
      mask steps = goes;
      WHILE_ANY(steps) {
        inum child = node + node;
        kept_indices row = KEEP_INDICES(child + child);
        real left_gap2 = gap2_or_front(GATHER_ROW(tables, nodes, row), GATHER_ROW(tables, nodes + 4, row), x, room);
        real right_gap2 =
            gap2_or_front(GATHER_ROW(tables, nodes + 8, row), GATHER_ROW(tables, nodes + 12, row), x, room);
        mask left = mask_and(steps, absolute(left_gap2) <= radius2);
        mask right = mask_and(steps, absolute(right_gap2) <= radius2);
        mask left_front = left_gap2 < R(0.0f) - guard2;
        mask right_front = right_gap2 < R(0.0f) - guard2;
        real passed = select(mask_and(left, left_front), R(0.0f) - left_gap2, front2);
        front2 = minimum(front2, minimum(passed, select(mask_and(right, right_front), R(0.0f) - right_gap2, front2)));
        left = mask_and(left, mask_not(left_front));
        right = mask_and(right, mask_not(right_front));
        mask at_leaves = leaves <= child;
        IF_ANY(mask_and(at_leaves, mask_or(left, right))) {
          inum leaf = child - leaves;
          mask arrives = mask_and(at_leaves, left);
          SCATTER_INT(tables, list, found * I(padded) + LANES(i), leaf, arrives);
          found = found + select_int(arrives, I(1), I(0));
          leaf = leaf + I(1);
          arrives = mask_and(at_leaves, right);
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
      // Where the list stays full, what is in it is left behind: it holds for this iteration only.
      real limit = square_root(radius2) + motion;
      // What has been looked at stays listed unless it is farther away.
      inum sifted = select_int(walks, found, I(0));
      inum kept = I(0);
      int slot = 0;
      WHILE_ANY(I(slot) < sifted) {
        mask is_listed = I(slot) < sifted;
        inum leaf = select_int(is_listed, LOAD_INT(tables, list + slot * padded, i), I(0));
        real4 corners = corners_of(PASS tree, leaf);
        Closest closest = closest_on(triangle_now(PASS k, corners), x);
        best = nearer_of(best, is_listed, closest, corners.w, leaf);
        real distance2 = dot3(closest.away, closest.away);
        mask keeps = mask_and(is_listed, distance2 <= limit * limit);
        SCATTER_INT(tables, list, kept * I(padded) + LANES(i), leaf, keeps);
        kept = kept + select_int(keeps, I(1), I(0));
        ++slot;
      }
      found = select_int(walks, kept, found);
      mask is_full = mask_and(goes, mask_not(found < I(int(body_leaves) - 2)));
      lost = mask_or(lost, is_full);
      radius2 = select(is_full, minimum(radius2, best.key), radius2);
      found = select_int(is_full, I(0), found);
      // Behind a triangle that may not be the nearest one: those that it is in front of are looked at as well.
      is_behind = mask_and(R(0.5f) < best.behind, best.key <= reach2);
      mask again = mask_and(mask_and(walks, mask_not(goes)), mask_and(is_behind, front2 <= best.key));
      radius2 = select(again, minimum(radius2, best.key), radius2);
      guard2 = select(again, R(3e38f), guard2);
      front2 = select(again, R(1e36f), front2);
      found = select_int(again, I(0), found);
      node = select_int(again, I(1), node);
      trail = select_int(again, I(1), trail);
      goes = mask_or(goes, again);
    }
    STORE_BITS(tables, counts, i, to_unsigned(select_int(seeks, found, count)));
    // Nothing is listed that it could touch.
    radius = square_root(radius2);
    real unlisted = maximum(radius - reach, (radius - distance - motion) * R(0.5f));
    mask is_clear = mask_or(found == I(0), farthest * farthest <= best.key);
    front = square_root(front2);
    real clear = minimum(travel, unlisted * R(0.999f));
    if (IS_POSITIVE(SETTING(contact_margin))) clear = minimum(clear, front * R(0.999f) - margin);
    clear = select(mask_and(is_clear, mask_not(lost)), clear, R(0.0f));
    real4 next_limits = make4(make3(select(lost, R(0.0f), travel), radius, front), R(0.0f));
    STORE_ROW(tables, places, i, select4(seeks, make4(x, clear), place));
    STORE_ROW(tables, places + 4 * padded, i, select4(seeks, next_limits, limits));
  }
  STORE_BITS(tables, hints, i, to_unsigned(select_int(wanted, best.leaf, hint)));
  return best;
}
