// tree.kernel.h - the tree of boxes over the triangles of a collider set, built and refitted where it is used. Triangles are
// sorted along an axis, their halves along the next one and so on, and become the leaves of a complete binary tree; nodes
// bound the triangles and their normals over the whole update. No result depends on how the tree was built: it only says
// which triangles need not be looked at. The kernels' argument is the tree's header; those who go through it say where
// that is. Source: Bentley 1975, "Multidimensional Binary Search Trees"; Johnson and Cohen 2001, "Spatialized Normal Cone
// Hierarchies" (bounds of normals; ours are boxes).

#define TREE(word) TABLE_INT(ARGUMENT + int(word))
#define TREE_REAL(word) TABLE_REAL(ARGUMENT + int(word))

FUNCTION(inum) clamp_int(VALUE(inum) v, VALUE(inum) low, VALUE(inum) high) {
  inum raised = select_int(v < low, low, v);
  return select_int(high < raised, high, raised);
}

// Per triangle, in the order so far: its key in the order of this level, and its number. What its node holds is sorted along
// the level's axis, so that the node's halves are its children. Level 0 is the root.
KERNEL(key_triangles) {
  inum number = LANES(i);
  if (TREE(tree_level) != 0) number = LOAD_INT(tables, TREE(tree_order), i);
  inum corners = number * I(3);
  int axis = TREE(tree_targets) + TREE(tree_axis);
  real a = GATHER_REAL(tables, axis, GATHER_INT(tables, TREE(tree_triangles), corners) * I(4));
  real b = GATHER_REAL(tables, axis, GATHER_INT(tables, TREE(tree_triangles), corners + I(1)) * I(4));
  real c = GATHER_REAL(tables, axis, GATHER_INT(tables, TREE(tree_triangles), corners + I(2)) * I(4));
  real along = ((a + b + c) * R(0.33333333f) - TREE_REAL(tree_least)) * TREE_REAL(tree_scale);
  real last = to_real(I((1 << TREE(tree_cell_bits)) - 1));
  inum cell = to_int(minimum(maximum(along, R(0.0f)), last));
  unum node = to_unsigned(LANES(i) >> TREE(tree_node_bits));
  STORE_BITS(tables, TREE(tree_codes), i, (node << TREE(tree_cell_bits)) | to_unsigned(cell));
  STORE_BITS(tables, TREE(tree_order), i, to_unsigned(number));
}

// Per leaf: the corners and the number of its triangle. Those behind the last triangle repeat it.
KERNEL(fill_leaves) {
  inum place = clamp_int(LANES(i), I(0), I(TREE(tree_triangle_count) - 1));
  inum number = GATHER_INT(tables, TREE(tree_order), place);
  inum corners = number * I(3);
  real a = to_real(GATHER_INT(tables, TREE(tree_triangles), corners));
  real b = to_real(GATHER_INT(tables, TREE(tree_triangles), corners + I(1)));
  real c = to_real(GATHER_INT(tables, TREE(tree_triangles), corners + I(2)));
  STORE_ROW(tables, TREE(tree_corners), i, make4(make3(a, b, c), to_real(number)));
}

// What a node holds over the whole update: a box around its triangles and one around their unit normals, the latter in
// 127ths. w of the rows has three whole numbers from 0 to 254 side by side.
struct Node {
  real3 low;
  real3 high;
  real3 normal_low;
  real3 normal_high;
};

FUNCTION(real) packed(VALUE(real3) v) { return v.x + R(256.0f) * v.y + R(65536.0f) * v.z; }
FUNCTION(real3) unpacked(VALUE(real) w) {
  inum bits = to_int(w);
  return make3(to_real(bits & I(255)), to_real((bits >> 8) & I(255)), to_real(bits >> 16));
}
FUNCTION(real3) truncated(VALUE(real3) v) {
  return make3(to_real(to_int(v.x)), to_real(to_int(v.y)), to_real(to_int(v.z)));
}
FUNCTION(real3) all_of(VALUE(real) v) { return make3(v, v, v); }

FUNCTION(Node) node_at(CONTEXT VALUE(inum) k) {
  real4 low = GATHER_ROW(tables, TREE(tree_lows), k);
  real4 high = GATHER_ROW(tables, TREE(tree_highs), k);
  Node node;
  node.low = XYZ(low);
  node.high = XYZ(high);
  node.normal_low = unpacked(low.w);
  node.normal_high = unpacked(high.w);
  return node;
}

FUNCTION(void) store_node(CONTEXT int k, VALUE(Node) node) {
  STORE_ROW(tables, TREE(tree_lows), k, make4(node.low, packed(node.normal_low)));
  STORE_ROW(tables, TREE(tree_highs), k, make4(node.high, packed(node.normal_high)));
}

FUNCTION(Node) with_corner(VALUE(Node) node, VALUE(real3) corner) {
  Node wider = node;
  wider.low = lower_of(node.low, corner);
  wider.high = upper_of(node.high, corner);
  return wider;
}

// Where rounding could turn the normal by more than 0.004, which its box has to spare, any is possible.
FUNCTION(Node) with_normal(CONTEXT VALUE(Node) node, VALUE(real3) normal, VALUE(real) span) {
  real length = square_root(dot3(normal, normal) + CLOTHC_SMALLEST);
  mask known = TREE_REAL(tree_slack) * span < R(0.06f) * length;
  real3 unit = normal * divide(R(127.0f), length);
  Node wider = node;
  wider.normal_low = select3(known, lower_of(node.normal_low, unit), all_of(R(-127.0f)));
  wider.normal_high = select3(known, upper_of(node.normal_high, unit), all_of(R(127.0f)));
  return wider;
}

// Per leaf: what its triangle goes through from the update's begin to its end; nothing is in an empty one. The normal is a
// Bezier curve between three vectors, whose directions hold its own.
KERNEL(bound_leaves) {
  real4 corners = GATHER_ROW(tables, TREE(tree_corners), LANES(i));
  kept_indices first = KEEP_INDICES(to_int(corners.x));
  kept_indices second = KEEP_INDICES(to_int(corners.y));
  kept_indices third = KEEP_INDICES(to_int(corners.z));
  real3 a = XYZ(GATHER_ROW(tables, TREE(tree_targets), first));
  real3 b = XYZ(GATHER_ROW(tables, TREE(tree_targets), second));
  real3 c = XYZ(GATHER_ROW(tables, TREE(tree_targets), third));
  real3 ab = b - a;
  real3 ac = c - a;
  Node node;
  node.low = lower_of(a, lower_of(b, c));
  node.high = upper_of(a, upper_of(b, c));
  node.normal_low = all_of(R(127.0f));
  node.normal_high = all_of(R(-127.0f));
  real span = span_of(ab) + span_of(ac);
  node = with_normal(PASS node, cross3(ab, ac), span);
  if (TREE(tree_starts) != TREE(tree_targets)) {
    a = XYZ(GATHER_ROW(tables, TREE(tree_starts), first));
    b = XYZ(GATHER_ROW(tables, TREE(tree_starts), second));
    c = XYZ(GATHER_ROW(tables, TREE(tree_starts), third));
    node = with_corner(with_corner(with_corner(node, a), b), c);
    real3 ab_before = b - a;
    real3 ac_before = c - a;
    span = span + span_of(ab_before) + span_of(ac_before);
    node = with_normal(PASS node, cross3(ab_before, ac_before), span);
    node = with_normal(PASS node, cross3(ab, ac_before) + cross3(ab_before, ac), span);
  }
  mask filled = LANES(i) < I(TREE(tree_triangle_count));
  real slack = TREE_REAL(tree_slack);
  node.low = select3(filled, node.low - all_of(slack), all_of(R(3e38f)));
  node.high = select3(filled, node.high + all_of(slack), all_of(R(-3e38f)));
  // Rounded outward, and a bit more.
  real3 low = upper_of(node.normal_low + all_of(R(126.4f)), all_of(R(0.0f)));
  real3 high = lower_of(node.normal_high + all_of(R(128.6f)), all_of(R(254.0f)));
  node.normal_low = select3(filled, truncated(low), all_of(R(254.0f)));
  node.normal_high = select3(filled, truncated(high), all_of(R(0.0f)));
  store_node(PASS TREE(tree_leaf_count) + i, node);
}

// A node holds what its children hold.
FUNCTION(void) join_children(CONTEXT int i) {
  inum child = LANES(i) + LANES(i);
  Node left = node_at(PASS child);
  Node right = node_at(PASS child + I(1));
  Node node;
  node.low = lower_of(left.low, right.low);
  node.high = upper_of(left.high, right.high);
  node.normal_low = lower_of(left.normal_low, right.normal_low);
  node.normal_high = upper_of(left.normal_high, right.normal_high);
  store_node(PASS i, node);
}

// Per node, a level at a time.
KERNEL(join_boxes) { join_children(PASS i); }

// Squared distances of the box from low to high, or of a point, from the boxes of a node's children.
struct Gaps {
  real left;
  real right;
};

FUNCTION(real) gap2_of(VALUE(real3) below, VALUE(real3) above) {
  real3 gap = upper_of(upper_of(below, above), all_of(R(0.0f)));
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

// Of a point and one node: the squared distance of its box, below 0 if the point is in front of all that it holds, as is
// all that is not farther than some room from the point.
FUNCTION(real) least_product(VALUE(real) low, VALUE(real) high, VALUE(real) least, VALUE(real) most) {
  return minimum(minimum(low * least, low * most), minimum(high * least, high * most));
}

FUNCTION(real) gap2_or_front(VALUE(real4) low, VALUE(real4) high, VALUE(real3) x, VALUE(real) room) {
  real3 below = XYZ(low) - x;
  real3 above = x - XYZ(high);
  real gap2 = gap2_of(below, above);
  real3 normal_low = unpacked(low.w) - all_of(R(127.0f));
  real3 normal_high = unpacked(high.w) - all_of(R(127.0f));
  real3 least = above - all_of(room);
  real3 most = all_of(room) - below;
  real height = least_product(normal_low.x, normal_high.x, least.x, most.x) +
                least_product(normal_low.y, normal_high.y, least.y, most.y) +
                least_product(normal_low.z, normal_high.z, least.z, most.z);
  return select(R(0.0f) < height, R(0.0f) - maximum(gap2, R(CLOTHC_SMALLEST)), gap2);
}

// A walk through a tree enters all of one branch before the next one, and is at an inner node. Bit k of its trail: of the
// node's k-th ancestor, itself being the 0th, the sibling is still to be entered; the root's bit ends the walk.
// It may begin at node 1 with trail 1. (No struct: glslang takes exponential time to follow one around nested loops.)

FUNCTION(inum) sibling_of(VALUE(inum) node) { return node + I(1) - ((node & I(1)) << 1); }

// How many nodes up the trail goes on, as a power of two, and one over that: of a power of two below 2^24.
FUNCTION(inum) power_of_trail(VALUE(inum) trail) { return trail & (I(0) - trail); }
FUNCTION(real) inverse_of_power(VALUE(inum) power) { return as_real(I(0x7f000000) - as_int(to_real(power))); }

// From a node of which these children are to be entered: whether there is more, and where.
FUNCTION(mask) walk_goes_on(VALUE(inum) trail, VALUE(mask) left, VALUE(mask) right) {
  return mask_or(mask_or(left, right), power_of_trail(trail) < trail);
}

FUNCTION(inum) next_node(VALUE(inum) node, VALUE(inum) trail, VALUE(mask) left, VALUE(mask) right) {
  inum child = node + node;
  inum sibling = sibling_of(to_int(to_real(node) * inverse_of_power(power_of_trail(trail))));
  return select_int(mask_or(left, right), select_int(left, child, child + I(1)), sibling);
}

FUNCTION(inum) next_trail(VALUE(inum) trail, VALUE(mask) left, VALUE(mask) right) {
  inum rest = to_int(to_real(trail) * inverse_of_power(power_of_trail(trail))) - I(1);
  inum below = trail + trail + select_int(mask_and(left, right), I(1), I(0));
  return select_int(mask_or(left, right), below, rest);
}
