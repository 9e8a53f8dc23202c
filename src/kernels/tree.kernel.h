// tree.kernel.h - the tree of boxes over the triangles of a collider set, built and refitted where it is used. Triangles are
// sorted along a space-filling curve and become the leaves of a complete binary tree; boxes hold the triangles over the
// whole update. No result depends on how the tree was built: it only says which triangles need not be looked at.
// The kernels' argument is the tree's header; those who go through it say where that is. Source: Lauterbach et al. 2009,
// "Fast BVH Construction on GPUs" (sorting along a curve).

#define TREE(word) TABLE_INT(ARGUMENT + int(word))
#define TREE_REAL(word) TABLE_REAL(ARGUMENT + int(word))

// Spreads 10 bits, so that two free ones follow each.
FUNCTION(unum) spread_bits(VALUE(inum) v) {
  unum x = to_unsigned(v);
  x = (x | (x << 16)) & U(0x030000ffu);
  x = (x | (x << 8)) & U(0x0300f00fu);
  x = (x | (x << 4)) & U(0x030c30c3u);
  return (x | (x << 2)) & U(0x09249249u);
}

FUNCTION(inum) clamp_int(VALUE(inum) v, VALUE(inum) low, VALUE(inum) high) {
  inum raised = select_int(v < low, low, v);
  return select_int(high < raised, high, raised);
}

// Which of the 1024 cells along an axis a coordinate is in.
FUNCTION(inum) cell_of(VALUE(real) x, VALUE(real) least, VALUE(real) scale) {
  real cell = minimum(maximum((x - least) * scale, R(0.0f)), R(1023.0f));
  return to_int(cell);
}

// Where a cell is along Hilbert's curve. Source: Skilling 2004, "Programming the Hilbert curve".
FUNCTION(unum) curve_place(VALUE(inum) cell_x, VALUE(inum) cell_y, VALUE(inum) cell_z) {
  unum none = U(0u);
  unum x = to_unsigned(cell_x);
  unum y = to_unsigned(cell_y);
  unum z = to_unsigned(cell_z);
  unum turns = none;
  for (int side = 512; 1 < side; side >>= 1) {
    unum bit = to_unsigned(I(side));
    unum below = to_unsigned(I(side - 1));
    x = select_bits(none < (x & bit), x ^ below, x);
    mask inverts = none < (y & bit);
    unum exchanged = select_bits(inverts, none, (x ^ y) & below);
    x = x ^ select_bits(inverts, below, exchanged);
    y = y ^ exchanged;
    inverts = none < (z & bit);
    exchanged = select_bits(inverts, none, (x ^ z) & below);
    x = x ^ select_bits(inverts, below, exchanged);
    z = z ^ exchanged;
  }
  y = x ^ y;
  z = y ^ z;
  for (int side = 512; 1 < side; side >>= 1) {
    turns = select_bits(none < (z & to_unsigned(I(side))), turns ^ to_unsigned(I(side - 1)), turns);
  }
  return (spread_bits(to_signed(x ^ turns)) << 2) | (spread_bits(to_signed(y ^ turns)) << 1) |
         spread_bits(to_signed(z ^ turns));
}

// Per triangle: its place along the curve, and its number, to be sorted by that.
KERNEL(code_triangles) {
  inum corners = LANES(i) * I(3);
  real4 a = GATHER_ROW(tables, TREE(tree_targets), GATHER_INT(tables, TREE(tree_triangles), corners));
  real4 b = GATHER_ROW(tables, TREE(tree_targets), GATHER_INT(tables, TREE(tree_triangles), corners + I(1)));
  real4 c = GATHER_ROW(tables, TREE(tree_targets), GATHER_INT(tables, TREE(tree_triangles), corners + I(2)));
  real3 centre = (XYZ(a) + XYZ(b) + XYZ(c)) * R(0.33333333f);
  inum x = cell_of(centre.x, TREE_REAL(tree_least), TREE_REAL(tree_scale));
  inum y = cell_of(centre.y, TREE_REAL(tree_least + 1u), TREE_REAL(tree_scale));
  inum z = cell_of(centre.z, TREE_REAL(tree_least + 2u), TREE_REAL(tree_scale));
  unum code = curve_place(x, y, z);
  STORE_BITS(tables, TREE(tree_codes), i, code);
  STORE_BITS(tables, TREE(tree_order), i, to_unsigned(LANES(i)));
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

// The box of a leaf with one more corner, where that is at the update's begin and end.
struct Box {
  real3 low;
  real3 high;
};

FUNCTION(Box) with_corner(CONTEXT VALUE(Box) box, VALUE(real) corner) {
  kept_indices vertex = KEEP_INDICES(to_int(corner));
  real3 target = XYZ(GATHER_ROW(tables, TREE(tree_targets), vertex));
  Box wider;
  wider.low = lower_of(box.low, target);
  wider.high = upper_of(box.high, target);
  if (TREE(tree_starts) != TREE(tree_targets)) {
    real3 start = XYZ(GATHER_ROW(tables, TREE(tree_starts), vertex));
    wider.low = lower_of(wider.low, start);
    wider.high = upper_of(wider.high, start);
  }
  return wider;
}

// Per leaf: the box around its triangle, at the update's begin and end; nothing is in the box of an empty one.
KERNEL(bound_leaves) {
  int leaves = TREE(tree_leaf_count);
  real3 most = make3(R(3e38f), R(3e38f), R(3e38f));
  real3 least = make3(R(-3e38f), R(-3e38f), R(-3e38f));
  real4 corners = GATHER_ROW(tables, TREE(tree_corners), LANES(i));
  Box box;
  box.low = most;
  box.high = least;
  box = with_corner(PASS box, corners.x);
  box = with_corner(PASS box, corners.y);
  box = with_corner(PASS box, corners.z);
  mask filled = LANES(i) < I(TREE(tree_triangle_count));
  real slack = select(filled, TREE_REAL(tree_slack), R(0.0f));
  real3 wider = make3(slack, slack, slack);
  real3 low = select3(filled, box.low - wider, most);
  real3 high = select3(filled, box.high + wider, least);
  STORE_ROW(tables, TREE(tree_lows) + 4 * leaves, i, make4(low, R(0.0f)));
  STORE_ROW(tables, TREE(tree_highs) + 4 * leaves, i, make4(high, R(0.0f)));
}

// Per node, a level at a time: the box around those of its children.
KERNEL(join_boxes) {
  inum child = LANES(i) + LANES(i);
  real3 low =
      lower_of(XYZ(GATHER_ROW(tables, TREE(tree_lows), child)), XYZ(GATHER_ROW(tables, TREE(tree_lows), child + I(1))));
  real3 high = upper_of(XYZ(GATHER_ROW(tables, TREE(tree_highs), child)),
                        XYZ(GATHER_ROW(tables, TREE(tree_highs), child + I(1))));
  STORE_ROW(tables, TREE(tree_lows), i, make4(low, R(0.0f)));
  STORE_ROW(tables, TREE(tree_highs), i, make4(high, R(0.0f)));
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

// A walk through a tree enters all of one branch before the next one, and is at an inner node. Bit k of its trail: of the
// node's k-th ancestor, itself being the 0th, the sibling to the right is still to be entered; the root's bit ends the walk.
// It begins at node 1 with trail 1. (No struct: glslang takes exponential time to follow one around nested loops.)

// How many nodes up the trail goes on, as a power of two, and one over that: of a power of two below 2^24.
FUNCTION(inum) power_of_trail(VALUE(inum) trail) { return trail & (I(0) - trail); }
FUNCTION(real) inverse_of_power(VALUE(inum) power) { return as_real(I(0x7f000000) - as_int(to_real(power))); }

// From a node of which these children are to be entered: whether there is more, and where.
FUNCTION(mask) walk_goes_on(VALUE(inum) trail, VALUE(mask) left, VALUE(mask) right) {
  return mask_or(mask_or(left, right), power_of_trail(trail) < trail);
}

FUNCTION(inum) next_node(VALUE(inum) node, VALUE(inum) trail, VALUE(mask) left, VALUE(mask) right) {
  inum child = node + node;
  inum sibling = to_int(to_real(node) * inverse_of_power(power_of_trail(trail))) + I(1);
  return select_int(mask_or(left, right), select_int(left, child, child + I(1)), sibling);
}

FUNCTION(inum) next_trail(VALUE(inum) trail, VALUE(mask) left, VALUE(mask) right) {
  inum rest = to_int(to_real(trail) * inverse_of_power(power_of_trail(trail))) - I(1);
  inum below = trail + trail + select_int(mask_and(left, right), I(1), I(0));
  return select_int(mask_or(left, right), below, rest);
}
