// triangle_bvh.kernel.h - the BVH over the triangles of a collider set, built and refitted on the device. Triangles are
// sorted along an axis, their halves along the next axis and so on, and become the leaves of a complete binary tree.
// Its nodes bound the triangles and their normals over the whole update. No result depends on how the BVH was built: it
// only says which triangles need not be tested. The argument of the kernels is the header of the BVH; functions that
// traverse it take the header as a parameter.
// Source: Bentley 1975, "Multidimensional Binary Search Trees"; Johnson and Cohen 2001, "Spatialized Normal Cone
// Hierarchies" (bounds of normals; here they are boxes).

#define BVH(word) TABLE_INT(ARGUMENT + int(word))
#define BVH_REAL(word) TABLE_REAL(ARGUMENT + int(word))

FUNCTION(inum) clamp_int(VALUE(inum) v, VALUE(inum) low, VALUE(inum) high) {
  inum raised = select_int(v < low, low, v);
  return select_int(high < raised, high, raised);
}

// Per triangle, in the current order: the triangle's sort key at this level, and its number. The triangles of a node
// are sorted along the level's axis, so that the two halves become the node's children. Level 0 is the root.
KERNEL(make_triangle_keys) {
  inum number = LANES(i);
  if (BVH(bvh_level) != 0) number = LOAD_INT(tables, BVH(bvh_order), i);
  inum corners = number * I(3);
  int axis = BVH(bvh_targets) + BVH(bvh_axis);
  real a = GATHER_REAL(tables, axis, GATHER_INT(tables, BVH(bvh_triangles), corners) * I(4));
  real b = GATHER_REAL(tables, axis, GATHER_INT(tables, BVH(bvh_triangles), corners + I(1)) * I(4));
  real c = GATHER_REAL(tables, axis, GATHER_INT(tables, BVH(bvh_triangles), corners + I(2)) * I(4));
  real along = ((a + b + c) * R(0.33333333f) - BVH_REAL(bvh_least)) * BVH_REAL(bvh_scale);
  int cell_bits = BVH(bvh_cell_bits) & 31;
  real last = to_real(I((1 << cell_bits) - 1));
  inum cell = to_int(minimum(maximum(along, R(0.0f)), last));
  unum node = to_unsigned(LANES(i) >> (BVH(bvh_node_bits) & 31));
  STORE_BITS(tables, BVH(bvh_codes), i, (node << cell_bits) | to_unsigned(cell));
  STORE_BITS(tables, BVH(bvh_order), i, to_unsigned(number));
}

// Per leaf: the vertices and the number of its triangle. Leaves behind the last triangle repeat it.
KERNEL(fill_triangle_leaves) {
  inum rank = clamp_int(LANES(i), I(0), I(BVH(bvh_triangle_count) - 1));
  inum number = GATHER_INT(tables, BVH(bvh_order), rank);
  inum corners = number * I(3);
  real a = to_real(GATHER_INT(tables, BVH(bvh_triangles), corners));
  real b = to_real(GATHER_INT(tables, BVH(bvh_triangles), corners + I(1)));
  real c = to_real(GATHER_INT(tables, BVH(bvh_triangles), corners + I(2)));
  STORE_ROW(tables, BVH(bvh_corners), i, make4(make3(a, b, c), to_real(number)));
}

// The bounds of a node over the whole update: a box around its triangles, and a box around their normals. Normals have
// a length of at most 1 and are in units of 1/127; their box has the same width along all axes. rise is an upper bound
// on how far the planes of the triangles are above the centre of the first box, in 127ths of the unit of length. The w
// components of the two rows hold the box of the normals, in 30 bits of a number that is not NaN, and twice the rise.
// The half width of that box is CLOTHC_SPREAD times a square.
struct Node {
  real3 low;
  real3 high;
  real3 normal;
  real spread;
  real rise;
};

// The factor, and its inverse. (Both are literals because GLSL evaluates constant expressions in double precision.)
#define CLOTHC_SPREAD 0.034f
#define CLOTHC_SPREAD_INVERSE 29.411762f

FUNCTION(real3) all_of(VALUE(real) v) { return make3(v, v, v); }
FUNCTION(real3) packed_normal(VALUE(real) word) {
  unum bits = to_unsigned(as_int(word));
  inum x = to_signed(bits << 24) >> 24;
  inum y = to_signed(bits << 16) >> 24;
  inum z = to_signed(bits << 8) >> 24;
  return make3(to_real(x), to_real(y), to_real(z));
}
FUNCTION(real) packed_spread(VALUE(real) word) {
  real root = to_real((as_int(word) >> 24) & I(63));
  real spread = root * root * R(CLOTHC_SPREAD);
  return spread;
}

FUNCTION(Node) node_of(VALUE(real4) low, VALUE(real4) high) {
  Node node;
  node.low = XYZ(low);
  node.high = XYZ(high);
  node.normal = packed_normal(low.w);
  node.spread = packed_spread(low.w);
  node.rise = high.w * R(0.5f);
  return node;
}

// The narrowest packed box around a box of normals.
FUNCTION(real) packed_normals(VALUE(real3) low, VALUE(real3) high) {
  real3 middle = (low + high) * R(0.5f) + all_of(R(127.5f));
  inum x = to_int(middle.x) - I(127);
  inum y = to_int(middle.y) - I(127);
  inum z = to_int(middle.z) - I(127);
  real3 centre = make3(to_real(x), to_real(y), to_real(z));
  real3 wide = upper_of(high - centre, centre - low);
  real widest = maximum(maximum(wide.x, wide.y), wide.z);
  inum root = to_int(square_root(widest * R(CLOTHC_SPREAD_INVERSE))) + I(1);
  return as_real((x & I(255)) + ((y & I(255)) << 8) + ((z & I(255)) << 16) + (root << 24) + I(1 << 30));
}

// Upper bound on how far a plane through a corner is above the node's centre, where its normal is in the node's box and
// corner is relative to the centre.
FUNCTION(real) rise_of(VALUE(real3) normal, VALUE(real) spread, VALUE(real3) corner) {
  real rise = dot3(normal, corner) + spread * manhattan_length(corner);
  return rise;
}

// Per leaf: bounds of its triangle from the update's begin to its end; an empty leaf has an empty box. The normal is a
// Bezier curve with three control vectors, so its direction is between theirs; divided by the length of the longest
// one, they are in the box. The box allows a rotation by 0.004; where rounding could rotate a normal by more, the
// box contains all normals.
KERNEL(refit_triangle_leaves) {
  real4 corners = LOAD_ROW(tables, BVH(bvh_corners), i);
  kept_indices first = KEEP_INDICES(to_int(corners.x));
  kept_indices second = KEEP_INDICES(to_int(corners.y));
  kept_indices third = KEEP_INDICES(to_int(corners.z));
  real3 a = XYZ(GATHER_ROW(tables, BVH(bvh_targets), first));
  real3 b = XYZ(GATHER_ROW(tables, BVH(bvh_targets), second));
  real3 c = XYZ(GATHER_ROW(tables, BVH(bvh_targets), third));
  real3 ab = b - a;
  real3 ac = c - a;
  real3 low = lower_of(a, lower_of(b, c));
  real3 high = upper_of(a, upper_of(b, c));
  real3 normal_low = cross3(ab, ac);
  real3 normal_high = normal_low;
  real shortest2 = dot3(normal_low, normal_low);
  real longest2 = shortest2;
  real extent = manhattan_length(ab) + manhattan_length(ac);
  real3 start = a;
  if (BVH(bvh_starts) != BVH(bvh_targets)) {
    start = XYZ(GATHER_ROW(tables, BVH(bvh_starts), first));
    b = XYZ(GATHER_ROW(tables, BVH(bvh_starts), second));
    c = XYZ(GATHER_ROW(tables, BVH(bvh_starts), third));
    low = lower_of(low, lower_of(start, lower_of(b, c)));
    high = upper_of(high, upper_of(start, upper_of(b, c)));
    real3 ab_before = b - start;
    real3 ac_before = c - start;
    extent = extent + manhattan_length(ab_before) + manhattan_length(ac_before);
    real3 before = cross3(ab_before, ac_before);
    real3 between = (cross3(ab, ac_before) + cross3(ab_before, ac)) * R(0.5f);
    normal_low = lower_of(normal_low, lower_of(before, between));
    normal_high = upper_of(normal_high, upper_of(before, between));
    real before2 = dot3(before, before);
    real between2 = dot3(between, between);
    shortest2 = minimum(shortest2, minimum(before2, between2));
    longest2 = maximum(longest2, maximum(before2, between2));
  }
  mask filled = LANES(i) < I(BVH(bvh_triangle_count));
  real slack = BVH_REAL(bvh_slack);
  low = select3(filled, low - all_of(slack), all_of(R(3e38f)));
  high = select3(filled, high + all_of(slack), all_of(R(-3e38f)));
  mask known = slack * extent < R(0.06f) * square_root(shortest2);
  real inverse = divide(R(127.0f), square_root(longest2 + CLOTHC_SMALLEST));
  // The extra width for rotations by rounding, and a bit more for the rounding of heights.
  real3 spare = all_of(R(0.7f));
  normal_low = select3(known, normal_low * inverse - spare, all_of(R(-128.0f)));
  normal_high = select3(known, normal_high * inverse + spare, all_of(R(128.0f)));
  real box =
      packed_normals(select3(filled, normal_low, all_of(R(0.0f))), select3(filled, normal_high, all_of(R(0.0f))));
  real3 centre = (low + high) * R(0.5f);
  real3 normal = packed_normal(box);
  real spread = packed_spread(box);
  real rise = maximum(rise_of(normal, spread, a - centre), rise_of(normal, spread, start - centre));
  rise = select(filled, (rise + R(254.0f) * slack) * R(2.0f), R(-3e38f));
  STORE_TWO_ROWS(tables, BVH(bvh_nodes), BVH(bvh_leaf_count) + i, make4(low, box), make4(high, rise));
}

// A node bounds what its children bound, which the same job may have refitted.
FUNCTION(void) refit_children(CONTEXT VALUE(int) i) {
  int nodes = BVH(bvh_nodes);
  kept_indices row = KEEP_INDICES(LANES(i) << 2);
  real4 left_low = GATHER_ROW(written_tables, nodes, row);
  real4 left_high = GATHER_ROW(written_tables, nodes + 4, row);
  real4 right_low = GATHER_ROW(written_tables, nodes + 8, row);
  real4 right_high = GATHER_ROW(written_tables, nodes + 12, row);
  Node left = node_of(left_low, left_high);
  Node right = node_of(right_low, right_high);
  real3 low = lower_of(left.low, right.low);
  real3 high = upper_of(left.high, right.high);
  real3 normal_low = lower_of(left.normal - all_of(left.spread), right.normal - all_of(right.spread));
  real3 normal_high = upper_of(left.normal + all_of(left.spread), right.normal + all_of(right.spread));
  real box = packed_normals(upper_of(normal_low, all_of(R(-128.0f))), lower_of(normal_high, all_of(R(128.0f))));
  real3 centre = (low + high) * R(0.5f);
  real left_rise = left.rise + rise_of(left.normal, left.spread, (left.low + left.high) * R(0.5f) - centre);
  real right_rise = right.rise + rise_of(right.normal, right.spread, (right.low + right.high) * R(0.5f) - centre);
  real rise = maximum(left_rise, right_rise) * R(2.0f);
  STORE_TWO_ROWS(tables, nodes, i, make4(low, box), make4(high, rise));
}

// Per node, one level at a time.
KERNEL(refit_triangle_nodes) { refit_children(PASS i); }

// Squared distances of a box from low to high, or of a point, from the boxes of a node's two children.
struct Gaps {
  real left;
  real right;
};

FUNCTION(real) gap2_of(VALUE(real3) below, VALUE(real3) above) {
  real3 gap = upper_of(upper_of(below, above), all_of(R(0.0f)));
  return dot3(gap, gap);
}

FUNCTION(Gaps) gaps_of(CONTEXT VALUE(int) bvh, VALUE(inum) child, VALUE(real3) low, VALUE(real3) high) {
  int nodes = TABLE_INT(bvh + int(bvh_nodes));
  kept_indices row = KEEP_INDICES(child + child);
  real3 below = XYZ(GATHER_ROW(tables, nodes, row)) - high;
  real3 above = low - XYZ(GATHER_ROW(tables, nodes + 4, row));
  real3 below_right = XYZ(GATHER_ROW(tables, nodes + 8, row)) - high;
  real3 above_right = low - XYZ(GATHER_ROW(tables, nodes + 12, row));
  Gaps gaps;
  gaps.left = gap2_of(below, above);
  gaps.right = gap2_of(below_right, above_right);
  return gaps;
}

// For a point and one node: a lower bound on the squared distance of the node's triangles. It is negative if the point
// is farther than safe_front in front of all planes of the node's triangles.
FUNCTION(real) gap2_or_front(VALUE(real4) low, VALUE(real4) high, VALUE(real3) point, VALUE(real) safe_front) {
  real3 below = XYZ(low) - point;
  real3 above = point - XYZ(high);
  real gap2 = gap2_of(below, above);
  // Twice the position relative to the centre of the box, so height is in units of 1/254 until it is scaled.
  real3 from_centre = above - below;
  real height = dot3(packed_normal(low.w), from_centre) - packed_spread(low.w) * manhattan_length(from_centre) - high.w;
  height = height * R(0.003937008f);
  gap2 = select(R(0.0f) < height, maximum(gap2, height * height), gap2);
  return select(safe_front < height, R(0.0f - CLOTHC_SMALLEST) - gap2, gap2);
}

// A depth-first traversal is always at an inner node. Bit k of its trail says that the sibling of the node's k-th
// ancestor, where the node itself is the 0th, is still to be entered; the root's bit ends the traversal. A traversal
// may begin at node 1 with trail 1. (These are not in a struct, since glslang takes exponential time to follow one
// through nested loops.)

FUNCTION(inum) sibling_of(VALUE(inum) node) { return node + I(1) - ((node & I(1)) << 1); }

// How many levels up the next sibling to be entered is, as a power of two; and the inverse of a power of two below
// 2^24.
FUNCTION(inum) power_of_trail(VALUE(inum) trail) { return trail & (I(0) - trail); }
FUNCTION(real) inverse_of_power(VALUE(inum) power) { return as_real(I(0x7f000000) - as_int(to_real(power))); }

// The following functions go on from a node whose given children are to be entered: whether there is a next node, and
// which one.
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
